// SPDX-License-Identifier: MIT
// The program's malloc stands before that of the C library. Under a sanitizer its own hook counts instead.
#define _GNU_SOURCE // dladdr
#include "count_alloc.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static _Thread_local bool count_alloc_on;
static _Thread_local long count_alloc_count;

static inline void count_alloc_note(void)
{
    if (count_alloc_on)
        count_alloc_count++;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNT_ALLOC_BY_HOOK
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNT_ALLOC_BY_HOOK
#endif

static _Thread_local long count_alloc_left; // until one fails; 0: none will
static _Thread_local bool count_alloc_failed;
static const char* count_alloc_spared = "";

#ifdef COUNT_ALLOC_BY_HOOK

bool count_alloc_can_fail(void)
{
    return false;
}

// Called by the sanitizer's allocator; the names are its.
void __sanitizer_malloc_hook(const volatile void* block, size_t size);
void __sanitizer_free_hook(const volatile void* block);

void __sanitizer_malloc_hook(const volatile void* block, size_t size)
{
    (void)block;
    (void)size;
    count_alloc_note();
}

void __sanitizer_free_hook(const volatile void* block)
{
    if (block)
        count_alloc_note();
}

#else

#include <errno.h>
#include <stdlib.h>

// The C library's own, under the names that it keeps for this.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* block);

bool count_alloc_can_fail(void)
{
    return true;
}

// Does this one fail? `caller`: where it returns to.
static bool count_alloc_fails(const void* caller)
{
    Dl_info info;
    if (count_alloc_left == 0)
        return false;
    long left = count_alloc_left;
    count_alloc_left = 0; // dladdr may allocate
    bool spared = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, count_alloc_spared);
    count_alloc_left = spared ? left : left - 1;
    count_alloc_failed = count_alloc_left == 0;
    if (count_alloc_failed)
        errno = ENOMEM;
    return count_alloc_failed;
}

// Seen from the libraries too, whatever the visibility of the rest.
#pragma GCC visibility push(default)

void* malloc(size_t size)
{
    count_alloc_note();
    if (count_alloc_fails(__builtin_return_address(0)))
        return NULL;
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    count_alloc_note();
    if (count_alloc_fails(__builtin_return_address(0)))
        return NULL;
    return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size)
{
    count_alloc_note();
    if (count_alloc_fails(__builtin_return_address(0)))
        return NULL;
    return __libc_realloc(block, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    count_alloc_note();
    if (count_alloc_fails(__builtin_return_address(0)))
        return NULL;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size)
{
    count_alloc_note();
    if (count_alloc_fails(__builtin_return_address(0)))
        return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void free(void* block)
{
    if (block)
        count_alloc_note();
    __libc_free(block);
}

#pragma GCC visibility pop

#endif

void count_alloc_begin(void)
{
    count_alloc_count = 0;
    count_alloc_on = true;
}

long count_alloc_end(void)
{
    count_alloc_on = false;
    return count_alloc_count;
}

void count_alloc_fail_at(long number, const char* spared)
{
    count_alloc_left = number;
    count_alloc_failed = false;
    count_alloc_spared = spared;
}

bool count_alloc_has_failed(void)
{
    return count_alloc_failed;
}
