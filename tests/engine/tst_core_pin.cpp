#include "core/engine/internal/core_pin.h"

#include <gtest/gtest.h>

#include <sched.h>

namespace qs::engine {
namespace {

cpu_set_t allowed()
{
    cpu_set_t set;
    EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    return set;
}

TEST(CorePin, HoldsTheThreadAndLetsItGo)
{
    const cpu_set_t before = allowed();
    {
        const CorePin pin;
        ASSERT_TRUE(pin.core());
        const cpu_set_t held = allowed();
        EXPECT_EQ(CPU_COUNT(&held), 1);
        EXPECT_TRUE(CPU_ISSET(static_cast<unsigned>(*pin.core()), &held));
        EXPECT_EQ(sched_getcpu(), *pin.core());
    }
    const cpu_set_t after = allowed();
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

}  // namespace
}  // namespace qs::engine
