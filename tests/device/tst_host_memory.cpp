#include "core/device/host_memory.h"

#include "core/base/files.h"
#include "core/device/host_room.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace qs::core {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

// A machine of files: 4 GiB are free.
class HostMemoryTest : public ::testing::Test
{
protected:
    HostMemoryTest()
    {
        put("proc/meminfo", "MemTotal:       8388608 kB\nMemAvailable:    4194304 kB\n");
    }

    void put(const std::string& name, const std::string& text)
    {
        ASSERT_TRUE(createFolders((m_root / name).parent_path()).ok());
        tests::writeFile(m_root / name, text);
    }
    [[nodiscard]] std::int64_t free() const { return freeHostMemory(m_root.path()); }

    tests::TestFolder m_root;
};

TEST_F(HostMemoryTest, IsWhatTheMachineHasLeft)
{
    EXPECT_EQ(free(), 4096 * kMiB);
    put("proc/self/cgroup", "0::/box\n");
    put("sys/fs/cgroup/box/memory.max", "max\n");
    put("sys/fs/cgroup/box/memory.current", "1073741824\n");
    EXPECT_EQ(free(), 4096 * kMiB) << "a group without a limit";
}

TEST_F(HostMemoryTest, AllOfItIsWhatMachineAndGroupsAllow)
{
    EXPECT_EQ(hostMemory(m_root.path()), 8192 * kMiB);
    put("proc/self/cgroup", "0::/box/inner\n");
    put("sys/fs/cgroup/box/inner/memory.max", "max\n");
    put("sys/fs/cgroup/box/memory.max", "3221225472\n");
    EXPECT_EQ(hostMemory(m_root.path()), 3072 * kMiB);
    EXPECT_EQ(hostMemory(m_root / "nowhere"), 0);
    EXPECT_GT(hostMemory(), 0) << "of this machine";
}

TEST_F(HostMemoryTest, KillsAreThoseOfTheNearestGroupThatCounts)
{
    EXPECT_EQ(outOfMemoryKills(m_root.path()), std::nullopt);
    put("proc/vmstat", "nr_free_pages 12\noom_kill 7\nswap_ra 1\n");
    EXPECT_EQ(outOfMemoryKills(m_root.path()), 7);
    put("proc/self/cgroup", "0::/box\n");
    put("sys/fs/cgroup/box/memory.events", "low 0\noom 4\noom_kill 2\noom_group_kill 0\n");
    EXPECT_EQ(outOfMemoryKills(m_root.path()), 2);
}

TEST_F(HostMemoryTest, TheFirstInterfaceCountsElsewhere)
{
    put("proc/self/cgroup", "4:memory:/box\n");
    put("sys/fs/cgroup/memory/box/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
    EXPECT_EQ(outOfMemoryKills(m_root.path()), 3);
}

TEST(HostRoom, FreeSpaceIsThatOfTheFolderOrOfTheOneItWillBeIn)
{
    const tests::TestFolder folder;
    const auto here = freeSpace(folder.path());
    ASSERT_TRUE(here);
    EXPECT_GT(*here, 0U);
    EXPECT_TRUE(freeSpace(folder / "not" / "yet" / "there"));
    EXPECT_TRUE(freeSpace("relative"));
}

TEST_F(HostMemoryTest, TheTightestGroupHolds)
{
    put("proc/self/cgroup", "0::/box/inner\n");
    put("sys/fs/cgroup/box/inner/memory.max", "3221225472\n");
    put("sys/fs/cgroup/box/inner/memory.current", "1073741824\n");
    EXPECT_EQ(free(), 2048 * kMiB);
    put("sys/fs/cgroup/box/memory.max", "2147483648\n");
    put("sys/fs/cgroup/box/memory.current", "2147483648\n");
    EXPECT_EQ(free(), 0);
    put("sys/fs/cgroup/box/memory.stat", "file 9\ninactive_file 536870912\nactive_file 7\n");
    EXPECT_EQ(free(), 512 * kMiB) << "files that may be dropped are free";
    put("sys/fs/cgroup/box/memory.current", "4294967296\n");
    EXPECT_EQ(free(), 0) << "never less than nothing";
}

TEST_F(HostMemoryTest, AContainerSeesItsGroupAsTheRoot)
{
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/memory.max", "1073741824\n");
    put("sys/fs/cgroup/memory.current", "268435456\n");
    EXPECT_EQ(free(), 768 * kMiB);
}

TEST_F(HostMemoryTest, TheOlderInterfaceIsReadToo)
{
    put("proc/self/cgroup", "5:cpu:/other\n4:memory:/box\n");
    put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/box/memory.stat", "inactive_file 5\ntotal_inactive_file 104857600\n");
    EXPECT_EQ(free(), 100 * kMiB);
    put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(free(), 4096 * kMiB) << "that many bytes are no limit";
}

TEST_F(HostMemoryTest, DamagedFilesAreAsGoodAsNone)
{
    put("proc/self/cgroup", "0::/box\n");
    for (const std::string text : {"", "\n", "x", "-1", "99999999999999999999", "\xff\xfe"}) {
        put("sys/fs/cgroup/box/memory.max", text);
        put("sys/fs/cgroup/box/memory.current", text);
        EXPECT_EQ(free(), 4096 * kMiB) << text;
    }
    for (const std::string text : {"", "MemAvailable:", "MemAvailable: -5 kB", "MemAvailable 7 kB",
                                   "MemAvailable: 9223372036854775807 kB"}) {
        put("proc/meminfo", text);
        EXPECT_EQ(free(), 0) << text;
    }
}

TEST(HostBlock, IsResidentWhileItIsHeld)
{
    constexpr std::int64_t kBytes = 64 * kMiB;
    const auto before = residentMemory("VmRSS");
    ASSERT_TRUE(before.has_value());
    std::shared_ptr<void> block = takeHostBlock(static_cast<std::size_t>(kBytes));
    ASSERT_NE(block, nullptr);
    const std::int64_t held = residentMemory("VmRSS").value_or(0);
    EXPECT_LT(std::abs(held - *before - kBytes), 4 * kMiB);
    block.reset();
    EXPECT_LT(std::abs(residentMemory("VmRSS").value_or(0) - *before), 4 * kMiB);
    EXPECT_GE(residentMemory("VmHWM").value_or(0), held - 4 * kMiB);
}

TEST(HostBlock, IsNotThereIfTheKernelHasNone)
{
    EXPECT_EQ(takeHostBlock(std::size_t{1} << 60U), nullptr);
}

}  // namespace
}  // namespace qs::core
