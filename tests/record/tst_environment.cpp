#include "core/record/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/utsname.h>

#include <cstdlib>
#include <set>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Environment exampleEnvironment()
{
    return {.program = "QuantScope 0.1.0",
            .torch = "2.11.0",
            .cuda = "13.0",
            .system = "Debian GNU/Linux 12 (bookworm), Linux 6.1.0",
            .host = "node7",
            .processor = "Some CPU",
            .threads = 16,
            .devices = {describeCpu(), commonGpus().front()}};
}

// With everything that an engine and this program tell today.
Environment fullEnvironment()
{
    Environment environment = exampleEnvironment();
    environment.commit = "v0.1-7-g0123456789ab";
    environment.cudnn = "9.15.1";
    environment.engineThreads = 8;
    environment.numerics = {{"tf32_matmul", "false"}, {"cudnn_benchmark", "true"}};
    environment.compiler = {{"python", "3.11.2"}, {"g++", "12.2.0"}};
    environment.variables = {{"OMP_NUM_THREADS", "8"}};
    environment.cpuSettings = {"powersave", true, false, 1.5};
    environment.gpuSettings = {{.uuid = "GPU-1", .driver = "580.65.06", .ecc = true}};
    return environment;
}

TEST(Environment, FilesOfBeforeKeepTheirId)
{
    // Written by 0.1.0, before environments told clocks and switches.
    const char* const old =
        R"({"cuda":"13.0","devices":[{"compute_major":9,"compute_minor":0,"driver":"CUDA 13.0",)"
        R"("id":"cuda:0","kind":"cuda","memory_bytes":150121545728,"name":"NVIDIA H200",)"
        R"("processors":132,"uuid":"GPU-1"}],"host":"node7","processor":"Some CPU",)"
        R"("program":"QuantScope 0.1.0","system":"Linux 6.1.0","threads":16,"torch":"2.11.0"})";
    const auto environment = environmentFromJson(parseJson(old, "old").value());
    ASSERT_TRUE(environment.ok()) << environment.error().message;
    EXPECT_EQ(canonicalText(toJson(environment.value())), old);
    EXPECT_EQ(environment.value().id(),
              "e7c0a724be320eb1b4aab81649d62f2bfa56a7291716daa8b8b3b2d334ab9a89");
}

TEST(Environment, EveryNewFactChangesTheId)
{
    const Environment full = fullEnvironment();
    std::set<std::string> ids{full.id()};
    const auto expectNew = [&](auto change) {
        Environment other = full;
        change(other);
        EXPECT_TRUE(ids.insert(other.id()).second) << toJson(other).dump();
    };
    expectNew([](Environment& each) { each.commit += "-dirty"; });
    expectNew([](Environment& each) { each.cudnn = "9.16.0"; });
    expectNew([](Environment& each) { each.engineThreads = 4; });
    expectNew([](Environment& each) { each.numerics["tf32_matmul"] = "true"; });
    expectNew([](Environment& each) { each.compiler["g++"] = "13.3.0"; });
    expectNew([](Environment& each) { each.variables.clear(); });
    expectNew([](Environment& each) { each.cpuSettings.governor = "performance"; });
    expectNew([](Environment& each) { each.cpuSettings.turbo.reset(); });
    expectNew([](Environment& each) { each.gpuSettings[0].powerLimitWatts = 500.0; });
    expectNew([](Environment& each) { each.gpuSettings[0].ecc = false; });
    expectNew([](Environment& each) { each.gpuSettings.clear(); });
}

class EnvironmentReadsBack : public testing::TestWithParam<Environment>
{
};
INSTANTIATE_TEST_SUITE_P(OldAndNew, EnvironmentReadsBack,
                         testing::Values(exampleEnvironment(), fullEnvironment()));

TEST_P(EnvironmentReadsBack, Equal)
{
    const Environment environment = GetParam();
    const auto back = environmentFromJson(parseJson(toJson(environment).dump(), "e").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson(environment));
    EXPECT_EQ(back.value().id(), environment.id());
    EXPECT_EQ(back.value().devices.size(), 2U);
}

TEST(Environment, IdChangesWithEveryMember)
{
    const Environment environment = exampleEnvironment();
    const std::string id = environment.id();
    EXPECT_EQ(id.size(), 64U);
    for (const auto member : {&Environment::program, &Environment::torch, &Environment::cuda,
                              &Environment::system, &Environment::host, &Environment::processor}) {
        Environment other = environment;
        other.*member += "x";
        EXPECT_NE(other.id(), id);
    }
    Environment fewerThreads = environment;
    fewerThreads.threads = 8;
    EXPECT_NE(fewerThreads.id(), id);
    Environment otherDriver = environment;
    otherDriver.devices.back().driver = "580.1";
    EXPECT_NE(otherDriver.id(), id);
}

TEST(Environment, RefusesWhatIsWrong)
{
    for (const char* member : {"program", "torch", "threads", "devices"}) {
        Json json = toJson(exampleEnvironment());
        json.erase(member);
        const auto environment = environmentFromJson(json);
        ASSERT_FALSE(environment.ok()) << member;
        EXPECT_THAT(environment.error().message, HasSubstr(member));
    }
    Json json = toJson(exampleEnvironment());
    json["devices"][1]["kind"] = "tpu";
    EXPECT_THAT(environmentFromJson(json).error().message, HasSubstr("kind"));
    json = toJson(exampleEnvironment());
    json["devices"] = "cpu";
    EXPECT_FALSE(environmentFromJson(json).ok());
    json = toJson(exampleEnvironment());
    json["clock"] = 1;
    EXPECT_THAT(environmentFromJson(json).error().message, HasSubstr("clock"));
    const std::pair<const char*, Json> damaged[] = {
        {"commit", 7},
        {"cudnn", Json::array()},
        {"engine_threads", -1},
        {"engine_threads", 1e300},
        {"numerics", Json::array({"a"})},
        {"numerics", Json{{"tf32_matmul", true}}},
        {"compiler", Json{{"g++", 12}}},
        {"variables", Json{{"OMP_NUM_THREADS", 8}}},
        {"cpu_settings", "fast"},
        {"cpu_settings", Json{{"turbo", "on"}}},
        {"gpu_settings", Json::object()},
        {"gpu_settings", Json::array({1})},
        {"gpu_settings", Json::array({Json{{"uuid", "GPU-1"}, {"fan", 1}}})}};
    for (const auto& [member, value] : damaged) {
        json = toJson(fullEnvironment());
        json[member] = value;
        const auto refused = environmentFromJson(json);
        ASSERT_FALSE(refused.ok()) << member << " " << value.dump();
        EXPECT_EQ(refused.error().code, ErrorCode::Format);
        EXPECT_THAT(refused.error().message, HasSubstr(member));
    }
}

TEST(Environment, DescribesThisComputer)
{
    const EngineFacts engine{.torch = "2.11.0",
                             .cuda = "",
                             .cudnn = "",
                             .commit = "0123456",
                             .threads = 2,
                             .numerics = {{"tf32_matmul", "false"}}};
    const Environment environment = describeEnvironment(engine, {describeCpu()});
    utsname kernel{};
    ASSERT_EQ(::uname(&kernel), 0);
    EXPECT_THAT(environment.program, StartsWith("QuantScope "));
    EXPECT_THAT(environment.system, HasSubstr(kernel.release));
    EXPECT_EQ(environment.host, kernel.nodename);
    EXPECT_EQ(environment.torch, "2.11.0");
    EXPECT_EQ(environment.cuda, "");
    EXPECT_FALSE(environment.processor.empty());
    EXPECT_GT(environment.threads, 0);
    // The same computer asked twice is one environment.
    EXPECT_EQ(environment.id(), describeEnvironment(engine, {describeCpu()}).id());
    EXPECT_EQ(environment.commit, "0123456");
    EXPECT_EQ(environment.engineThreads, 2);
    EXPECT_EQ(environment.numerics, engine.numerics);
    EXPECT_TRUE(environment.gpuSettings.empty()) << "no GPU was asked for";
    EXPECT_EQ(toJson(environment.cpuSettings), toJson(readCpuState().settings));
}

TEST(Environment, RecordsVariablesThatAWorkerInherits)
{
    ASSERT_EQ(::setenv("OMP_PLACES", "cores\xff", 1), 0);
    ASSERT_EQ(::setenv("QS_PASSWORD", "secret", 1), 0);
    const std::string longValue(10'000, 'x');
    ASSERT_EQ(::setenv("KMP_AFFINITY", longValue.c_str(), 1), 0);
    const Environment environment = describeEnvironment({}, {describeCpu()});
    ::unsetenv("OMP_PLACES");
    ::unsetenv("QS_PASSWORD");
    ::unsetenv("KMP_AFFINITY");
    EXPECT_EQ(environment.variables.at("OMP_PLACES"), "cores\xEF\xBF\xBD");
    EXPECT_EQ(environment.variables.at("KMP_AFFINITY").size(), 256U);
    EXPECT_FALSE(environment.variables.contains("QS_PASSWORD"));
    EXPECT_EQ(environment.id().size(), 64U) << "bytes that are no UTF-8 must not end a run";
    EXPECT_FALSE(describeEnvironment({}, {describeCpu()}).variables.contains("OMP_PLACES"));
}

}  // namespace
}  // namespace qs::core
