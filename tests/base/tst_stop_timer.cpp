#include "core/base/stop_timer.h"

#include "core/base/still_named.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <future>

namespace qs::core {
namespace {

TEST(StopTimer, CallsWhenTheTimeIsUp)
{
    std::promise<void> called;
    const StopTimer timer(std::chrono::milliseconds(1), [&] { called.set_value(); });
    EXPECT_EQ(called.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(StopTimer, IsForgottenWithItsObject)
{
    for (const double seconds : {3600.0, 1e300}) {
        bool called = false;
        {
            const StopTimer timer(std::chrono::duration<double>(seconds), [&] { called = true; });
        }
        EXPECT_FALSE(called);
    }
}

TEST(StillNamed, NoticesWhatWasRemovedMovedOrReplaced)
{
    const tests::TestFolder folder;
    const auto open = [&](const std::string& name) {
        tests::writeFile(folder / name, name);
        return openForReading(folder / name).value();
    };
    const FileDescriptor kept = open("kept");
    EXPECT_TRUE(stillNamed(kept, folder / "kept"));
    EXPECT_FALSE(stillNamed(kept, folder / "nothing"));
    const FileDescriptor removed = open("removed");
    std::filesystem::remove(folder / "removed");
    EXPECT_FALSE(stillNamed(removed, folder / "removed"));
    const FileDescriptor moved = open("moved");
    std::filesystem::rename(folder / "moved", folder / "elsewhere");
    EXPECT_FALSE(stillNamed(moved, folder / "moved"));
    const FileDescriptor replaced = open("replaced");
    std::filesystem::copy(folder / "replaced", folder / "copy");
    std::filesystem::rename(folder / "copy", folder / "replaced");
    EXPECT_FALSE(stillNamed(replaced, folder / "replaced"));
}

}  // namespace
}  // namespace qs::core
