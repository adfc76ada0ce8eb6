// SPDX-License-Identifier: MIT
// Save, restore and hash: a run goes on bit for bit, and what is not its image is refused.
#include "base/hash.h"
#include "world/yard.h"

#include <stdlib.h>

static void run(rvWorld* world, int steps)
{
    for (int i = 0; i < steps; ++i)
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 60.0));
}

typedef struct {
    uint8_t* bytes;
    size_t size;
} Image;

static Image save(const rvWorld* world)
{
    Image image = {.size = rvWorld_Save(world, NULL, 0)};
    image.bytes = malloc(image.size);
    assert_non_null(image.bytes);
    assert_true(rvWorld_Save(world, image.bytes, image.size) == image.size);
    return image;
}

static rvWorld* make_yard_world(Yard* yard)
{
    rvWorldDef def = yard_world_def();
    rvWorld* world = make_world_of(&def);
    *yard = make_yard(world);
    return world;
}

static void SameYardTwiceGivesTheSameHash(void** state)
{
    (void)state;
    Yard yard;
    rvWorld* worlds[2] = {make_yard_world(&yard), make_yard_world(&yard)};
    for (int i = 0; i < 300; ++i) {
        run(worlds[0], 1);
        run(worlds[1], 1);
        assert_true(rvWorld_Hash(worlds[0]) == rvWorld_Hash(worlds[1]));
    }
    uint64_t before = rvWorld_Hash(worlds[0]);
    run(worlds[0], 1);
    assert_false(rvWorld_Hash(worlds[0]) == before);
    rvDestroyWorld(worlds[0]);
    rvDestroyWorld(worlds[1]);
}

// From images taken all through contact, slack, break, winch limit and stop.
static void RestoredRunGoesOnBitForBit(void** state)
{
    (void)state;
    Yard yard, copy;
    rvWorld* world = make_yard_world(&yard);
    rvWorld* other = make_yard_world(&copy);
    for (int part = 0; part < 12; ++part) {
        Image image = save(world);
        uint64_t saved = rvWorld_Hash(world);
        run(world, 25);
        uint64_t first = rvWorld_Hash(world);
        CHECK_OK(world, rvWorld_Restore(world, image.bytes, image.size));
        assert_true(rvWorld_Hash(world) == saved);
        run(world, 25);
        assert_true(rvWorld_Hash(world) == first);
        // and in another world that was built by the same calls
        CHECK_OK(other, rvWorld_Restore(other, image.bytes, image.size));
        run(other, 25);
        assert_true(rvWorld_Hash(other) == first);
        CHECK_NEAR(rvCable_GetTension(other, copy.hoist, 0), rvCable_GetTension(world, yard.hoist, 0), 0.0);
        free(image.bytes);
    }
    assert_true(rvCable_IsBroken(world, yard.rope));
    assert_true(rvWorld_GetStepInfo(world).contacts > 0);
    rvDestroyWorld(world);
    rvDestroyWorld(other);
}

static void ImageOfTwoSavesIsTheSame(void** state)
{
    (void)state;
    Yard yard;
    rvWorld* world = make_yard_world(&yard);
    run(world, 60);
    Image a = save(world), b = save(world);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    // too small a buffer is left alone
    uint8_t small[16] = {7, 7, 7};
    assert_true(rvWorld_Save(world, small, sizeof small) == a.size);
    assert_true(small[0] == 7 && small[1] == 7 && small[2] == 7);
    free(a.bytes);
    free(b.bytes);
    rvDestroyWorld(world);
}

static void check_refused(rvWorld* world, const void* bytes, size_t size)
{
    uint64_t before = rvWorld_Hash(world);
    assert_int_equal(rvWorld_Restore(world, bytes, size), RV_BAD_IMAGE);
    assert_true(strncmp(rvWorld_GetError(world), "image: ", 7) == 0);
    assert_true(rvWorld_Hash(world) == before);
}

static void DamagedImageIsRefused(void** state)
{
    (void)state;
    Yard yard;
    rvWorld* world = make_yard_world(&yard);
    run(world, 30);
    Image image = save(world);
    run(world, 1);
    for (size_t i = 0; i < image.size; i += 1 + i / 50) {
        image.bytes[i] ^= 0x10;
        check_refused(world, image.bytes, image.size);
        image.bytes[i] ^= 0x10;
    }
    for (size_t size = 0; size < image.size; size += 1 + size / 20)
        check_refused(world, image.bytes, size);
    check_refused(world, NULL, 0);
    CHECK_OK(world, rvWorld_Restore(world, image.bytes, image.size));
    free(image.bytes);
    rvDestroyWorld(world);
}

static void ImageOfAnotherWorldIsRefused(void** state)
{
    (void)state;
    Yard yard;
    rvWorld* world = make_yard_world(&yard);
    rvWorld* other = make_world();
    add_ball(other, 1.0, 0.5, rvVec(0, 0, 0));
    Image image = save(other);
    check_refused(world, image.bytes, image.size);
    free(image.bytes);
    // a body more; and the world as it was
    image = save(world);
    rvBodyId more = add_ball(world, 1.0, 0.5, rvVec(0, 30, 0));
    check_refused(world, image.bytes, image.size);
    Image later = save(world);
    CHECK_OK(world, rvDestroyBody(world, more));
    CHECK_OK(world, rvWorld_Restore(world, image.bytes, image.size));
    // the place lives again: the id in the later image is stale
    add_ball(world, 1.0, 0.5, rvVec(0, 30, 0));
    check_refused(world, later.bytes, later.size);
    free(later.bytes);
    free(image.bytes);
    rvDestroyWorld(world);
    rvDestroyWorld(other);
}

// A rope that was hooked to another body is not the one that was saved: the image is refused and names it, instead of
// going back while the rope stays where it is.
static void ImageOfAnotherRouteIsRefusedByName(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId loads[] = {add_ball(world, 1.0, 0.5, rvVec(0, 0, -2)), add_ball(world, 1.0, 0.5, rvVec(1, 0, -2))};
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(loads[0], rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.name = "sling";
    def.places = places;
    def.placeCount = 2;
    rvCableId id = create_cable(world, &def);
    run(world, 10);
    Image before = save(world);
    rvPlaceDef hook = rvAttachPlace(loads[1], rvVec(0, 0, 0));
    CHECK_OK(world, rvCable_SetPlace(world, id, 1, &hook));
    check_refused(world, before.bytes, before.size);
    assert_non_null(strstr(rvWorld_GetError(world), "cable 'sling'"));
    Image after = save(world);
    CHECK_OK(world, rvWorld_Restore(world, after.bytes, after.size));
    CHECK_OK(world, rvCable_SetPlace(world, id, 1, &places[1]));
    check_refused(world, after.bytes, after.size);
    CHECK_OK(world, rvWorld_Restore(world, before.bytes, before.size)); // hooked back it is the one that was saved
    free(before.bytes);
    free(after.bytes);
    rvDestroyWorld(world);
}

// A place that comes and goes again takes no more room each time, and images from before fit.
static void PlacesThatComeAndGoTakeTheSameRoom(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1.0, 0.5, rvVec(0, 0, -2));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 2;
    def.length = 3.0;
    rvCableId id = create_cable(world, &def);
    rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(0.5, 0, -1));
    size_t first = 0;
    for (int i = 0; i < 20; ++i) {
        CHECK_OK(world, rvCable_InsertPlace(world, id, 1, &eye));
        run(world, 2);
        CHECK_OK(world, rvCable_RemovePlace(world, id, 1));
        run(world, 2);
        size_t size = rvWorld_Save(world, NULL, 0);
        first = i == 0 ? size : first;
        assert_int_equal(size, first);
    }
    rvDestroyWorld(world);
}

// An image with a good checksum whose numbers no run can have.
static void ImageWithNumbersThatAreNotFiniteIsRefused(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId ball = add_ball(world, 1.0, 0.5, rvVec(1, 2, 3));
    Image image = save(world);
    // the header is five numbers; the fifth is the checksum: that of the state is found by asking for it
    double at[3] = {1.0, 2.0, 3.0};
    size_t where = 0;
    for (size_t i = 40; i + sizeof at <= image.size; i += 8)
        if (memcmp(image.bytes + i, at, sizeof at) == 0)
            where = i;
    assert_true(where > 0);
    double bad[] = {(double)NAN, HUGE_VAL, 1e300};
    for (int k = 0; k < 3; ++k) {
        memcpy(image.bytes + where, &bad[k], sizeof bad[k]);
        uint64_t sum = rv_hash_bytes(0x3152455645455252ull, image.bytes + 40, image.size - 40);
        memcpy(image.bytes + 32, &sum, sizeof sum);
        check_refused(world, image.bytes, image.size);
    }
    CHECK_NEAR(rvBody_GetCenter(world, ball).x, 1.0, 0.0);
    free(image.bytes);
    rvDestroyWorld(world);
}

// Places need not be made by rvAttachPlace: what they say of a winch that they are not does not matter.
static void PlacesWrittenByHandMakeGoodImages(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 10.0, 0.5, rvVec(0, 0, -2));
    rvPlaceDef places[2] = {{.type = RV_PLACE_ATTACH}, {.type = RV_PLACE_ATTACH, .body = load}};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 2;
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    run(world, 10);
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = test_malloc(size);
    rvWorld_Save(world, image, size);
    CHECK_OK(world, rvWorld_Restore(world, image, size));
    test_free(image);
    rvDestroyWorld(world);
}

// Tangent points of neighbouring wheels are found by turns, which end a bit of round-off apart.
static void RestoreKeepsEveryBitOfNeighbouringSheaves(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(1, 0, -3)),
             block = add_ball(world, 100.0, 0.5, rvVec(0.35, 0.2, -2));
    rvPlaceDef places[] = {
        rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvSheavePlace(block, rvVec(0, 0, 0), rvVec(0, 1, 0.1), 0.3),
        rvSheavePlace(RV_NULL_BODY, rvVec(0.7, 0, 0), rvVec(0, 1, 0), 0.2), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 4;
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = test_malloc(size);
    for (int i = 0; i < 100; ++i) {
        run(world, 1);
        rvWorld_Save(world, image, size);
        uint64_t saved = rvWorld_Hash(world);
        run(world, 1);
        uint64_t after = rvWorld_Hash(world);
        CHECK_OK(world, rvWorld_Restore(world, image, size));
        assert_true(rvWorld_Hash(world) == saved);
        run(world, 1);
        assert_true(rvWorld_Hash(world) == after);
    }
    test_free(image);
    rvDestroyWorld(world);
}

// A pendulum whose rope meets a rubbing wheel only after a while: where its arc is then split belongs to the state.
static rvWorld* make_late_wrap(rvCableId* cable)
{
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(-1.0, 0, -2.5));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                           rvSheavePlace(RV_NULL_BODY, rvVec(0.2, 0, -1), rvVec(0, 1, 0), 0.1),
                           rvAttachPlace(load, rvVec(0, 0, 0))};
    places[1].friction = 0.3;
    places[1].wheel.locked = true;
    places[1].wheel.side = -1;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = 3;
    CHECK_OK(world, rvCreateCable(world, &def, cable));
    return world;
}

static void ImageOfALateWrapGoesOnInAFreshWorld(void** state)
{
    (void)state;
    rvCableId cable;
    rvWorld* world = make_late_wrap(&cable);
    assert_true(rvCable_GetWrapAngle(world, cable, 1) == 0.0);
    int steps = 0;
    while (rvCable_GetWrapAngle(world, cable, 1) < 0.1 && steps++ < 200)
        run(world, 1);
    assert_true(steps > 1 && steps < 200);
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = test_malloc(size);
    rvWorld_Save(world, image, size);
    rvWorld* fresh = make_late_wrap(NULL);
    CHECK_OK(fresh, rvWorld_Restore(fresh, image, size));
    run(world, 20);
    run(fresh, 20);
    assert_true(rvWorld_Hash(world) == rvWorld_Hash(fresh));
    test_free(image);
    rvDestroyWorld(fresh);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RestoreKeepsEveryBitOfNeighbouringSheaves),
        cmocka_unit_test(ImageOfALateWrapGoesOnInAFreshWorld),
        cmocka_unit_test(PlacesWrittenByHandMakeGoodImages),
        cmocka_unit_test(SameYardTwiceGivesTheSameHash),
        cmocka_unit_test(RestoredRunGoesOnBitForBit),
        cmocka_unit_test(ImageOfTwoSavesIsTheSame),
        cmocka_unit_test(DamagedImageIsRefused),
        cmocka_unit_test(ImageOfAnotherWorldIsRefused),
        cmocka_unit_test(ImageWithNumbersThatAreNotFiniteIsRefused),
        cmocka_unit_test(ImageOfAnotherRouteIsRefusedByName),
        cmocka_unit_test(PlacesThatComeAndGoTakeTheSameRoom),
    };
    return RUN_TESTS(tests);
}
