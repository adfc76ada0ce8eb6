// SPDX-License-Identifier: MIT
// The server of `reeve view`, on libwebsockets. All paths begin with a random token:
//
//   /TOKEN/            the page and its files, from the memory of this program
//   /TOKEN/mode.json   what is to be seen: live, gallery or replay, and the scenes of the gallery
//   /TOKEN/replay.bin  the recorded run
//   /TOKEN/picture/    pictures of the scenes of the gallery
//   /TOKEN/ws          frames and orders, subprotocol "reeve"
//
// Who asks must name us as host, and a WebSocket must come from our own page (Origin). Only GET and HEAD are answered.
// Connections without the token are few and short (stranger.h). Orders are 20 bytes, 200 a second at most; who sends
// anything else is dropped after 50 mistakes. One viewer drives: the first, until it leaves, hands the seat over or
// does nothing for 30 s while another one asks. When it leaves, the levers go to zero.
//
// libwebsockets takes frames of clients that are not masked, which RFC 6455 forbids, and does not say so. It therefore
// only sends to a viewer: its reading is switched off, and a copy of the descriptor (protocol "input", a child of the
// viewer's connection) is read here, by message.h.
#include "view/server.h"

#include "view/gallery.h"
#include "view/message.h"
#include "view/page.h"
#include "view/record.h"
#include "view/stranger.h"

#include <errno.h>
#include <libwebsockets.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { RATE = 200, BURST = 400, MISTAKES = 50, VIEWERS = 16, TOKEN = 32 };
static const double idleLimit = 30.0; // after which the driver's seat may be taken [s]

struct rvServer {
    struct lws_context* context;
    rvSim* sim;
    char token[TOKEN + 1], url[200], address[64];
    bool anyHost;
    int port, viewers;
    uint32_t nextViewer, driver; // number of a viewer; 0: nobody
    uint32_t seatVersion;
    double driverInput; // when the driver last did something
    rvBytes scratch, mode, replay;
    rvGallery gallery;
    rvStrangers strangers;
};

// A viewer's connection.
typedef struct {
    uint32_t number, description, frame, events, seat;
    int mistakes;
    double allowance, allowanceAt; // messages it may still send
    rvMessageReader reader;
    rvMessage pong; // to be sent, where its type is RV_MESSAGE_PONG
} Viewer;

// A file that is being sent.
typedef struct {
    const unsigned char* bytes;
    size_t size, sent;
} Sending;

static double seconds(void)
{
    return 1e-6 * (double)lws_now_usecs();
}

// ---- who asks

static bool read_header(struct lws* wsi, enum lws_token_indexes header, char* text, size_t capacity)
{
    int length = lws_hdr_total_length(wsi, header);
    return length > 0 && (size_t)length < capacity && lws_hdr_copy(wsi, text, (int)capacity, header) == length;
}

static bool is_our_host(const rvServer* server, const char* host)
{
    static const char* const names[] = {"127.0.0.1", "localhost"};
    char expected[100];
    for (int i = 0; i < 2; ++i) {
        snprintf(expected, sizeof expected, "%s:%d", names[i], server->port);
        if (strcmp(host, expected) == 0)
            return true;
    }
    snprintf(expected, sizeof expected, "%s:%d", server->address, server->port);
    return server->anyHost || strcmp(host, expected) == 0;
}

// The time that it takes does not depend on the bytes of the token, only on the length of the path.
static bool has_token(const rvServer* server, const char* path)
{
    char prefix[TOKEN + 3];
    snprintf(prefix, sizeof prefix, "/%s/", server->token);
    return strlen(path) >= TOKEN + 2 && lws_timingsafe_bcmp(path, prefix, TOKEN + 2) == 0;
}

static bool has_header(struct lws* wsi, enum lws_token_indexes header)
{
    return lws_hdr_total_length(wsi, header) > 0;
}

static bool may_connect(const rvServer* server, struct lws* wsi)
{
    char host[128], origin[160], path[256], expected[160];
    if (!read_header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !is_our_host(server, host) ||
        !read_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) ||
        !read_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path))
        return false;
    snprintf(expected, sizeof expected, "http://%s", host);
    return strcmp(origin, expected) == 0 && has_token(server, path) && strcmp(path + TOKEN + 2, "ws") == 0 &&
           server->viewers < VIEWERS;
}

// ---- files

static bool find_file(rvServer* server, const char* name, rvPageFile* file)
{
    if (strcmp(name, "mode.json") == 0) {
        *file = (rvPageFile){"", "application/json", server->mode.data, server->mode.size, 0};
        return true;
    }
    if (strcmp(name, "replay.bin") == 0 && server->replay.size > 0) {
        *file = (rvPageFile){"", "application/octet-stream", server->replay.data, server->replay.size, 0};
        return true;
    }
    const rvBytes* picture = rv_gallery_picture(&server->gallery, name);
    if (picture) {
        *file = (rvPageFile){"", "image/svg+xml", picture->data, picture->size, 0};
        return true;
    }
    for (int i = 0; i < rvPageFileCount; ++i) {
        if (strcmp(name, rvPageFiles[i].name) == 0) {
            *file = rvPageFiles[i];
            return true;
        }
    }
    return false;
}

static bool add_header(struct lws* wsi, const char* name, const char* value, unsigned char** p, unsigned char* end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char*)name, (const unsigned char*)value, (int)strlen(value),
                                       p, end) == 0;
}

static int begin_file(struct lws* wsi, const rvPageFile* file, bool isHead, Sending* sending)
{
    unsigned char buffer[LWS_PRE + 2048], *p = buffer + LWS_PRE, *start = p, *end = buffer + sizeof buffer - 1;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, file->type, file->size, &p, end))
        return 1;
    bool good = add_header(wsi, "cache-control:", "no-store", &p, end) &&
                add_header(wsi, "x-content-type-options:", "nosniff", &p, end) &&
                add_header(wsi, "x-frame-options:", "DENY", &p, end) &&
                add_header(wsi, "referrer-policy:", "no-referrer", &p, end) &&
                add_header(wsi, "content-security-policy:",
                           "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
                           "frame-ancestors 'none'",
                           &p, end);
    if (good && file->packed)
        good = add_header(wsi, "content-encoding:", "gzip", &p, end);
    if (!good || lws_finalize_write_http_header(wsi, start, &p, end))
        return 1;
    if (isHead)
        return lws_http_transaction_completed(wsi) ? -1 : 0;
    *sending = (Sending){file->bytes, file->size, 0};
    lws_callback_on_writable(wsi);
    return 0;
}

// Refuses, says so to people, and closes.
static int refuse(struct lws* wsi, unsigned status)
{
    const char* text = status == HTTP_STATUS_FORBIDDEN   ? "This is not the address that reeve view printed.\n"
                       : status == HTTP_STATUS_NOT_FOUND ? "There is no such file.\n"
                                                         : "Only GET and HEAD are answered.\n";
    unsigned char buffer[LWS_PRE + 1024], *p = buffer + LWS_PRE, *start = p, *end = buffer + sizeof buffer - 1;
    size_t size = strlen(text);
    bool good = lws_add_http_common_headers(wsi, status, "text/plain", size, &p, end) == 0 &&
                add_header(wsi, "connection:", "close", &p, end);
    if (good && status == HTTP_STATUS_METHOD_NOT_ALLOWED)
        good = add_header(wsi, "allow:", "GET, HEAD", &p, end);
    if (good && lws_finalize_write_http_header(wsi, start, &p, end) == 0 && !has_header(wsi, WSI_TOKEN_HEAD_URI)) {
        memcpy(start, text, size);
        lws_write(wsi, start, size, LWS_WRITE_HTTP_FINAL);
    }
    return -1;
}

static int answer(rvServer* server, struct lws* wsi, const char* path, Sending* sending)
{
    char host[128];
    rvPageFile file;
    memset(sending, 0, sizeof *sending);
    if (!read_header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !is_our_host(server, host) || !has_token(server, path))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    rv_stranger_left(&server->strangers, wsi);
    bool isHead = has_header(wsi, WSI_TOKEN_HEAD_URI);
    if (!isHead && !has_header(wsi, WSI_TOKEN_GET_URI))
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    const char* name = path + TOKEN + 2;
    if (!find_file(server, *name ? name : "index.html", &file))
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    return begin_file(wsi, &file, isHead, sending);
}

static int send_more(struct lws* wsi, Sending* sending)
{
    unsigned char buffer[LWS_PRE + 16384];
    size_t part = sending->size - sending->sent < 16384 ? sending->size - sending->sent : 16384;
    if (part == 0)
        return -1;
    memcpy(buffer + LWS_PRE, sending->bytes + sending->sent, part);
    sending->sent += part;
    bool last = sending->sent == sending->size;
    int written = lws_write(wsi, buffer + LWS_PRE, part, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
    if (written < (int)part)
        return -1;
    if (last)
        return lws_http_transaction_completed(wsi) ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t length)
{
    rvServer* server = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return answer(server, wsi, in, user);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_more(wsi, user);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: // a WebSocket without our subprotocol
        return -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: // to nothing else: libwebsockets offers HTTP/2, too
        return strcmp(in, "websocket") == 0 ? 0 : -1;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        rv_stranger_came(&server->strangers, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        rv_stranger_left(&server->strangers, wsi);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        lws_callback_on_writable_all_protocol(server->context, lws_get_protocol(wsi) + 1);
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

// ---- viewers

static void set_driver(rvServer* server, uint32_t number)
{
    rvOrder release = {.type = RV_ORDER_RELEASE};
    if (server->sim && server->driver != 0 && server->driver != number)
        rv_sim_order(server->sim, &release);
    server->driver = number;
    server->driverInput = seconds();
    server->seatVersion++;
}

// The seat is free, or its driver sleeps.
static void ask_for_seat(rvServer* server, uint32_t number)
{
    if (server->driver == 0 || seconds() - server->driverInput > idleLimit)
        set_driver(server, number);
}

// Is there room for one more message of this viewer?
static bool is_within_rate(Viewer* viewer)
{
    double now = seconds();
    viewer->allowance = fmin(viewer->allowance + RATE * (now - viewer->allowanceAt), BURST);
    viewer->allowanceAt = now;
    if (viewer->allowance < 1.0)
        return false;
    viewer->allowance -= 1.0;
    return true;
}

// False: the viewer is dropped.
static bool take_order(rvServer* server, Viewer* viewer, const rvMessage* message)
{
    rvOrder order;
    if (!is_within_rate(viewer) || !rv_message_order(message, &order))
        return ++viewer->mistakes <= MISTAKES;
    int type = (int)order.type;
    if (type == RV_ORDER_TAKE_SEAT)
        ask_for_seat(server, viewer->number);
    if (viewer->number != server->driver)
        return true;
    if (type == RV_ORDER_GIVE_SEAT)
        set_driver(server, 0);
    else if (type < RV_ORDER_COUNT && server->sim)
        rv_sim_order(server->sim, &order);
    server->driverInput = seconds();
    return true;
}

static bool take_message(rvServer* server, struct lws* wsi, Viewer* viewer)
{
    const rvMessage* message = &viewer->reader.message;
    lws_validity_confirmed(wsi); // it lives: libwebsockets, which does not see what it sends, would ask and hang up
    switch (message->type) {
    case RV_MESSAGE_CLOSE:
        return false;
    case RV_MESSAGE_PING:
        viewer->pong = *message;
        viewer->pong.type = RV_MESSAGE_PONG;
        lws_callback_on_writable(wsi);
        return is_within_rate(viewer) || ++viewer->mistakes <= MISTAKES;
    case RV_MESSAGE_PONG:
        return is_within_rate(viewer) || ++viewer->mistakes <= MISTAKES;
    default:
        return take_order(server, viewer, message);
    }
}

// What there is of a viewer's bytes. False: the connection is at its end.
static bool read_viewer(rvServer* server, struct lws* wsi, Viewer* viewer, int descriptor)
{
    uint8_t bytes[4096];
    ssize_t count = read(descriptor, bytes, sizeof bytes);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    for (size_t at = 0, taken; at < (size_t)count; at += taken) {
        rvReadAnswer answer = rv_message_read(&viewer->reader, bytes + at, (size_t)count - at, &taken);
        if (answer == RV_READ_BROKEN || (answer == RV_READ_MESSAGE && !take_message(server, wsi, viewer)))
            return false;
    }
    return count > 0;
}

static int on_input(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t length)
{
    struct lws* connection = lws_get_parent(wsi);
    (void)user, (void)in, (void)length;
    if (reason != LWS_CALLBACK_RAW_RX_FILE || !connection)
        return 0;
    rvServer* server = lws_context_user(lws_get_context(wsi));
    if (read_viewer(server, connection, lws_wsi_user(connection), lws_get_socket_fd(wsi)))
        return 0;
    lws_set_timeout(connection, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    return -1;
}

// From now on libwebsockets only sends. False: the connection is closed.
static bool read_input_here(struct lws* wsi)
{
    if (lws_rx_flow_control(wsi, LWS_RXFLOW_REASON_APPLIES_DISABLE | LWS_RXFLOW_REASON_USER_BOOL |
                                     LWS_RXFLOW_REASON_FLAG_PROCESS_NOW) != 0)
        return false;
    lws_sock_file_fd_type descriptor = {.filefd = dup(lws_get_socket_fd(wsi))};
    return descriptor.filefd >= 0 &&
           lws_adopt_descriptor_vhost(lws_get_vhost(wsi), LWS_ADOPT_RAW_FILE_DESC, descriptor, "input", wsi) != NULL;
}

static int send_bytes(struct lws* wsi, const void* bytes, size_t size, enum lws_write_protocol kind)
{
    // lws wants room in front of what it sends
    static const unsigned char room[LWS_PRE];
    rvBytes out = {0};
    rv_bytes_add(&out, room, sizeof room);
    rv_bytes_add(&out, bytes, size);
    int written = out.failed ? -1 : lws_write(wsi, out.data + LWS_PRE, size, kind);
    rv_bytes_release(&out);
    return written < 0 ? -1 : 0;
}

static void say_seat(rvServer* server, const Viewer* viewer)
{
    server->scratch.size = 0;
    rv_bytes_printf(&server->scratch, "{\"seat\":{\"mine\":%s,\"taken\":%s,\"viewers\":%d}}",
                    viewer->number == server->driver ? "true" : "false", server->driver ? "true" : "false",
                    server->viewers);
}

// The next message to this viewer that is text, into the scratch. False: there is none.
static bool fetch_text(rvServer* server, Viewer* viewer)
{
    if (server->sim && rv_sim_description(server->sim, &viewer->description, &server->scratch))
        return true;
    if (viewer->seat != server->seatVersion) {
        viewer->seat = server->seatVersion;
        say_seat(server, viewer);
        return true;
    }
    return server->sim && rv_sim_events(server->sim, &viewer->events, &server->scratch);
}

// One message at a time, the most urgent first; who reads slowly misses frames, nothing else.
static int send_next(rvServer* server, struct lws* wsi, Viewer* viewer)
{
    if (lws_send_pipe_choked(wsi)) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    if (viewer->pong.type == RV_MESSAGE_PONG) {
        viewer->pong.type = RV_MESSAGE_OTHER;
        lws_callback_on_writable(wsi);
        return send_bytes(wsi, viewer->pong.bytes, viewer->pong.size, LWS_WRITE_PONG);
    }
    if (fetch_text(server, viewer)) {
        lws_callback_on_writable(wsi);
        return send_bytes(wsi, server->scratch.data, server->scratch.size, LWS_WRITE_TEXT);
    }
    if (server->sim && rv_sim_frame(server->sim, &viewer->frame, &server->scratch))
        return send_bytes(wsi, server->scratch.data, server->scratch.size, LWS_WRITE_BINARY);
    return 0;
}

static int on_viewer(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t length)
{
    rvServer* server = lws_context_user(lws_get_context(wsi));
    Viewer* viewer = user;
    (void)in, (void)length;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        if (!may_connect(server, wsi))
            return -1;
        rv_stranger_left(&server->strangers, wsi);
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
        if (!read_input_here(wsi))
            return -1;
        *viewer = (Viewer){.number = ++server->nextViewer, .allowance = BURST, .allowanceAt = seconds()};
        server->viewers++;
        server->seatVersion++;
        if (server->driver == 0)
            set_driver(server, viewer->number);
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        if (viewer->number == 0) // was refused
            return 0;
        server->viewers--;
        server->seatVersion++;
        if (viewer->number == server->driver)
            set_driver(server, 0);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        rv_stranger_left(&server->strangers, wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE: // came with the handshake, before the answer to it
        return -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return send_next(server, wsi, viewer);
    default:
        return 0;
    }
}

// ---- opening and closing

static bool make_token(char* token)
{
    unsigned char bytes[TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (int i = 0; i < TOKEN / 2; ++i)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool read_replay(rvServer* server, const char* path)
{
    FILE* file = fopen(path, "rb");
    char buffer[65536];
    size_t count;
    if (!file)
        return false;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        rv_bytes_add(&server->replay, buffer, count);
    fclose(file);
    return !server->replay.failed && rv_record_trim(&server->replay);
}

static bool listen_on(rvServer* server, const rvServerDef* def)
{
    static const struct lws_protocols protocols[] = {{"http", on_http, sizeof(Sending), 0, 0, NULL, 0},
                                                     {"reeve", on_viewer, sizeof(Viewer), 256, 0, NULL, 0},
                                                     {"input", on_input, 0, 0, 0, NULL, 0},
                                                     {NULL, NULL, 0, 0, 0, NULL, 0}};
    struct lws_context_creation_info info = {0};
    lws_set_log_level(0, NULL);
    info.port = def->port;
    info.iface = server->anyHost ? NULL : server->address;
    info.protocols = protocols;
    info.user = server;
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.max_http_header_data = 4096;
    info.timeout_secs = 10;
    info.keepalive_timeout = 10;
    info.options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    server->context = lws_create_context(&info);
    if (!server->context)
        return false;
    server->port = lws_get_vhost_listen_port(lws_get_vhost_by_name(server->context, "default"));
    return server->port > 0;
}

rvServer* rv_server_open(const rvServerDef* def)
{
    rvServer* server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    snprintf(server->address, sizeof server->address, "%s", def->address ? def->address : "127.0.0.1");
    server->anyHost = strcmp(server->address, "0.0.0.0") == 0;
    const char* mode = def->replay ? "replay" : def->gallery ? "gallery" : "live";
    rv_gallery_describe(mode, &server->mode);
    if (server->mode.failed)
        fprintf(stderr, "reeve view: out of memory\n");
    else if (def->replay && !read_replay(server, def->replay))
        fprintf(stderr, "reeve view: %s: is no recorded run, or has no frames\n", def->replay);
    else if (!make_token(server->token))
        fprintf(stderr, "reeve view: no random numbers for the token\n");
    else if (!listen_on(server, def))
        fprintf(stderr, "reeve view: cannot listen on %s, port %d\n", server->address, def->port);
    else {
        snprintf(server->url, sizeof server->url, "http://%s:%d/%s/", server->anyHost ? "127.0.0.1" : server->address,
                 server->port, server->token);
        return server;
    }
    rv_server_close(server);
    return NULL;
}

const char* rv_server_url(const rvServer* server)
{
    return server->url;
}

void rv_server_wake(void* server)
{
    lws_cancel_service(((rvServer*)server)->context);
}

void rv_server_run(rvServer* server, rvSim* sim, bool (*stop)(void))
{
    server->sim = sim;
    while (!stop() && lws_service(server->context, 0) >= 0) {
    }
    server->sim = NULL; // it ends before the connections do
}

void rv_server_close(rvServer* server)
{
    if (server->context)
        lws_context_destroy(server->context);
    rv_bytes_release(&server->scratch);
    rv_bytes_release(&server->mode);
    rv_bytes_release(&server->replay);
    rv_gallery_release(&server->gallery);
    free(server);
}
