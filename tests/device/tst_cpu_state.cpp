#include "core/device/cpu_state.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The files of a kernel below a folder of the test.
class CpuStateTest : public testing::Test
{
protected:
    void put(const std::string& name, const std::string& text)
    {
        ASSERT_TRUE(createFolders((m_root / name).parent_path()).ok());
        tests::writeFile(m_root / name, text);
    }
    // A machine with 16 cores on which nothing runs and nothing changes the clock.
    void putQuietMachine()
    {
        put("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
        put("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
        put("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
        put("sys/devices/system/cpu/smt/active", "0\n");
        put("sys/devices/system/cpu/online", "0-15\n");
        put("proc/self/status", "Name:\tx\nCpus_allowed:\tffff\nCpus_allowed_list:\t0-15\n");
        put("proc/self/cgroup", "0::/user.slice/run\n");
        put("sys/fs/cgroup/user.slice/run/cpu.max", "max 100000\n");
        put("proc/loadavg", "0.21 0.50 0.70 1/300 4242\n");
    }
    [[nodiscard]] CpuState read() const { return readCpuState(m_root.path()); }

    tests::TestFolder m_root;
};

TEST_F(CpuStateTest, AQuietMachineGivesNoReason)
{
    putQuietMachine();
    const CpuState state = read();
    EXPECT_EQ(state.settings.governor, "performance");
    EXPECT_EQ(state.settings.turbo, false);
    EXPECT_EQ(state.settings.smt, false);
    EXPECT_EQ(state.settings.quotaCores, std::nullopt);
    EXPECT_EQ(state.cores, 16);
    EXPECT_EQ(state.busyCores, 0.21);
    EXPECT_THAT(reasonsNotQuiet(state), IsEmpty());
    EXPECT_EQ(cpuSettingsText(state.settings), "governor performance, turbo off, SMT off");
}

TEST_F(CpuStateTest, EveryDisturbanceIsNamed)
{
    putQuietMachine();
    put("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n");
    put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    put("proc/loadavg", "2.34 1 1 1/300 4242\n");
    put("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
    EXPECT_THAT(reasonsNotQuiet(read()),
                ElementsAre(Note{NoteCode::GovernorNotPerformance, {"performance, powersave"}},
                            Note{NoteCode::TurboOn}, Note{NoteCode::CoresBusy, {2.34, 16.0}},
                            Note{NoteCode::CpuQuota, {1.5, 16.0}}));
    EXPECT_THAT(cpuSettingsText(read().settings), HasSubstr("may use 1.5 cores"));
}

TEST_F(CpuStateTest, BusyIsMeasuredAgainstTheCores)
{
    put("proc/loadavg", "1.5 1 1 1/300 4242\n");
    put("proc/self/status", "Cpus_allowed_list:\t0-1\n");
    EXPECT_THAT(reasonsNotQuiet(read()), ElementsAre(Note{NoteCode::CoresBusy, {1.5, 2.0}}));
    put("proc/self/status", "Cpus_allowed_list:\t0-127\n");
    EXPECT_THAT(reasonsNotQuiet(read()), IsEmpty());
    put("proc/self/status", "Cpus_allowed_list:\t3\n");
    EXPECT_THAT(reasonsNotQuiet(read()), ElementsAre(Note{NoteCode::CoresBusy, {1.5, 1.0}}));
}

TEST_F(CpuStateTest, WhereNothingIsToldNothingIsClaimed)
{
    const CpuState state = read();
    EXPECT_TRUE(state.settings.empty());
    EXPECT_EQ(state.cores, 0);
    EXPECT_FALSE(state.busyCores);
    EXPECT_THAT(reasonsNotQuiet(state), IsEmpty());
    EXPECT_EQ(cpuSettingsText(state.settings), "");
    EXPECT_EQ(toJson(state.settings), Json::object());
}

TEST_F(CpuStateTest, TurboOfOtherDrivers)
{
    put("sys/devices/system/cpu/cpufreq/boost", "1\n");
    EXPECT_EQ(read().settings.turbo, true);
    put("sys/devices/system/cpu/cpufreq/boost", "0\n");
    EXPECT_EQ(read().settings.turbo, false);
}

TEST_F(CpuStateTest, ControlGroupsOfBothKinds)
{
    put("proc/self/status", "Cpus_allowed_list:\t0-3,8,10-11\n");
    // A container that sees its own group as the root.
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_EQ(read().cores, 7);
    EXPECT_EQ(read().settings.quotaCores, 2.0);
    // The older interface; the tightest limit on the way up counts.
    put("proc/self/cgroup", "5:memory:/box\n4:cpu,cpuacct:/box/inner\n");
    put("sys/fs/cgroup/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/cpu,cpuacct/box/inner/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu,cpuacct/box/inner/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(read().settings.quotaCores, std::nullopt);
    put("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "50000\n");
    put("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(read().settings.quotaCores, 0.5);
}

TEST_F(CpuStateTest, DamagedFilesAreAsGoodAsNone)
{
    for (const std::string text :
         {"", "\n", "x", "-1", "nan nan", "1e999 1", "0 0", "5-1", "1-", "-", ",", "0-99999999999",
          "0::/../../..", "::::", "max", "\xff\xfe", "Cpus_allowed_list:", "7 -3"}) {
        SCOPED_TRACE(text);
        for (const char* name :
             {"proc/self/status", "proc/self/cgroup", "proc/loadavg",
              "sys/devices/system/cpu/online", "sys/devices/system/cpu/intel_pstate/no_turbo",
              "sys/devices/system/cpu/smt/active", "sys/fs/cgroup/cpu.max"})
            put(name, text);
        const CpuState state = read();
        EXPECT_FALSE(state.settings.turbo || state.settings.smt || state.settings.quotaCores);
        EXPECT_GE(state.cores, 0);
        EXPECT_LE(state.cores, 1 << 16);
        static_cast<void>(reasonsNotQuiet(state));
    }
}

TEST_F(CpuStateTest, ThisComputerAnswers)
{
    const CpuState state = readCpuState();
    EXPECT_GT(state.cores, 0);
    ASSERT_TRUE(state.busyCores.has_value());
    EXPECT_GE(*state.busyCores, 0.0);
}

TEST(CpuSettingsJson, ReadsBackAndRefuses)
{
    const CpuSettings settings{"powersave", true, false, 1.5};
    const auto back = cpuSettingsFromJson(parseJson(toJson(settings).dump(), "t").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson(settings));
    const std::pair<const char*, Json> cases[] = {
        {"governor", 1},      {"turbo", "on"},      {"smt", nullptr}, {"quota_cores", -1.0},
        {"quota_cores", 1e9}, {"quota_cores", "2"}, {"clock", 1}};
    for (const auto& [member, value] : cases) {
        Json json = toJson(settings);
        json[member] = value;
        const auto refused = cpuSettingsFromJson(json);
        ASSERT_FALSE(refused.ok()) << member;
        EXPECT_THAT(refused.error().message, HasSubstr(std::string("$cpu_settings.") + member));
    }
    EXPECT_FALSE(cpuSettingsFromJson(Json::array()).ok());
}

}  // namespace
}  // namespace qs::core
