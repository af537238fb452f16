#include "core/device/cpu_time.h"

#include "core/base/files.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <ctime>

namespace qs::core {
namespace {

void put(const tests::TestFolder& root, const std::string& name, const std::string& text)
{
    ASSERT_TRUE(createFolders((root / name).parent_path()).ok());
    tests::writeFile(root / name, text);
}

double ticks()
{
    return static_cast<double>(::sysconf(_SC_CLK_TCK));
}

TEST(CpuTime, CountsWhatTheCoresHaveWorked)
{
    const tests::TestFolder root;
    // user nice system idle iowait irq softirq steal guest guest_nice
    put(root, "proc/stat",
        "cpu  9 9 9 9 9 9 9 9 9 9\n"
        "cpu0 100 10 20 5000 300 1 2 7 50 0\n"
        "cpu1 1000 0 0 5000 0 0 0 0 0 0\n"
        "cpu12 40 0 0 5000 0 0 0 0 0 0\n"
        "intr 12 34\n");
    EXPECT_DOUBLE_EQ(*workedSeconds({0}, root.path()), 140.0 / ticks())
        << "what was stolen counts, waiting and guests do not";
    EXPECT_DOUBLE_EQ(*workedSeconds({0, 12}, root.path()), 180.0 / ticks());
    EXPECT_FALSE(workedSeconds({0, 3}, root.path())) << "a core that the kernel does not tell of";
    EXPECT_FALSE(workedSeconds({}, root.path()));
    EXPECT_FALSE(workedSeconds({0}, root / "elsewhere"));
}

TEST(CpuTime, OfAProcessWhateverItsName)
{
    const tests::TestFolder root;
    put(root, "proc/42/stat",
        "42 (a) b) S 1 42 42 0 -1 4194304 1 2 3 4 250 50 9 9 20 0 8 0 100 1 1\n");
    EXPECT_DOUBLE_EQ(*processorSeconds(42, root.path()), 300.0 / ticks());
    EXPECT_FALSE(processorSeconds(43, root.path()));
    put(root, "proc/44/stat", "44 (short) S 1 2\n");
    EXPECT_FALSE(processorSeconds(44, root.path()));
}

TEST(CpuTime, GrowsWithWork)
{
    const auto cores = allowedCoreNumbers();
    ASSERT_FALSE(cores.empty());
    const auto worked = workedSeconds(cores);
    const auto own = processorSeconds(::getpid());
    ASSERT_TRUE(worked && own);
    // Ticks of the kernel, however long other work keeps this thread from its processor.
    const std::clock_t begin = std::clock();
    volatile double sink = 0.0;
    while (std::clock() - begin < CLOCKS_PER_SEC / 10)
        sink = sink + 1.0;
    EXPECT_GT(*processorSeconds(::getpid()), *own);
    EXPECT_GT(*workedSeconds(cores), *worked);
}

}  // namespace
}  // namespace qs::core
