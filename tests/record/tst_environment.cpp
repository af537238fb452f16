#include "core/record/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/utsname.h>

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

TEST(Environment, ReadsBackEqual)
{
    const Environment environment = exampleEnvironment();
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
}

TEST(Environment, DescribesThisComputer)
{
    const Environment environment = describeEnvironment("2.11.0", "", {describeCpu()});
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
    EXPECT_EQ(environment.id(), describeEnvironment("2.11.0", "", {describeCpu()}).id());
}

}  // namespace
}  // namespace qs::core
