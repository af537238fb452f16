#include "core/run/cpu_watch.h"

#include "core/base/files.h"
#include "core/device/cpu_time.h"
#include "core/measure/cell_result.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

namespace qs::core {
namespace {

constexpr std::int64_t kWorker = 500;

// The files of a kernel whose first core works and whose others are idle; times in its ticks.
class CpuWatchTest : public testing::Test
{
protected:
    void set(int worked, int worker)
    {
        std::string cores = "cpu  0 0 0 0 0 0 0 0 0 0\n";
        for (const int core : allowedCoreNumbers()) {
            cores += "cpu" + std::to_string(core) + " " + std::to_string(worked) +
                     " 0 0 0 0 0 0 0 0 0\n";
            worked = 0;
        }
        put("proc/stat", cores);
        put("proc/" + std::to_string(kWorker) + "/stat", stat(worker));
        put("proc/" + std::to_string(::getpid()) + "/stat", stat(0));
        put("proc/loadavg", "1.75 0.50 0.70 1/300 4242\n");
    }
    void put(const std::string& name, const std::string& text)
    {
        ASSERT_TRUE(createFolders((m_root / name).parent_path()).ok());
        tests::writeFile(m_root / name, text);
    }
    static std::string stat(int ticks)
    {
        return "1 (x) S 1 42 42 0 -1 4194304 1 2 3 4 " + std::to_string(ticks) + " 0 9 9 20\n";
    }

    tests::TestFolder m_root;
    CpuWatch m_watch{m_root.path()};
};

// A loop that somebody else begins after the start of the cell.
TEST_F(CpuWatchTest, SeesWhatOthersTakeAfterTheStart)
{
    set(1000, 0);
    m_watch.prepare();
    set(1'000'000, 0);
    const HostLoad load = m_watch.finish(kWorker);
    EXPECT_EQ(load.averageBefore, 1.75);
    EXPECT_EQ(load.othersBefore, 0.0);
    ASSERT_TRUE(load.othersDuring);
    EXPECT_TRUE(load.disturbed());
    EXPECT_EQ(load.cores, static_cast<int>(allowedCoreNumbers().size()));
}

TEST_F(CpuWatchTest, TheWorkerIsNoOther)
{
    set(1000, 0);
    m_watch.prepare();
    set(5000, 4000);
    HostLoad load = m_watch.finish(kWorker);
    EXPECT_EQ(load.othersDuring, 0.0);
    EXPECT_FALSE(load.disturbed());
    // What a kept worker did for the cell before does not count again.
    m_watch.prepare();
    set(9000, 8000);
    EXPECT_EQ(m_watch.finish(kWorker).othersDuring, 0.0);
    m_watch.prepare();
    set(1'009'000, 8000);
    EXPECT_TRUE(m_watch.finish(kWorker).disturbed());
}

TEST_F(CpuWatchTest, ClaimsNothingWithoutFiguresOrWithoutTheWorker)
{
    m_watch.prepare();
    EXPECT_TRUE(m_watch.finish(kWorker).empty()) << "no such files";
    set(1000, 0);
    m_watch.prepare();
    const HostLoad load = m_watch.finish(77);
    EXPECT_EQ(load.othersDuring, std::nullopt);
    EXPECT_EQ(load.othersBefore, 0.0);
    EXPECT_FALSE(load.disturbed());
}

TEST(HostLoadJson, StandsInTheRow)
{
    CellResult result;
    result.load = {.averageBefore = 0.5, .othersBefore = 0.25, .othersDuring = 1.5, .cores = 2};
    const auto back = cellResultFromJson(toJson(result));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().load, result.load);
    EXPECT_TRUE(back.value().load.disturbed());
    EXPECT_FALSE(toJson(CellResult()).contains("host_load"));
    Json damaged = toJson(result);
    damaged["host_load"]["others_cores_during"] = -1.0;
    EXPECT_FALSE(cellResultFromJson(damaged).ok());
}

}  // namespace
}  // namespace qs::core
