#include "core/run/program_trust.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace {

using namespace qs::core;
using qs::tests::TestFolder;
using testing::ElementsAre;
using testing::IsEmpty;

const TrustedProgram kNet{std::string(64, 'a'), "net.pt"};
const TrustedProgram kOther{std::string(64, 'b'), "other.pt"};

TEST(ProgramTrust, RemembersByContentAndForgets)
{
    const TestFolder folder;
    const ProgramTrust trust(folder / "cache/trusted.json");
    EXPECT_FALSE(trust.trusts(kNet.sha256));
    ASSERT_TRUE(trust.remember(kNet).ok());
    ASSERT_TRUE(trust.remember(kOther).ok());
    ASSERT_TRUE(trust.remember(kNet).ok());
    EXPECT_THAT(trust.all(), ElementsAre(kOther, kNet));
    ASSERT_TRUE(trust.forget(kNet.sha256).ok());
    EXPECT_FALSE(trust.trusts(kNet.sha256));
    EXPECT_TRUE(trust.trusts(kOther.sha256));
}

TEST(ProgramTrust, WhatOthersCouldHaveWrittenSaysNothing)
{
    const TestFolder folder;
    const ProgramTrust trust(folder / "trusted.json");
    ASSERT_TRUE(trust.remember(kNet).ok());
    ASSERT_EQ(::chmod((folder / "trusted.json").c_str(), 0666), 0);
    EXPECT_FALSE(trust.trusts(kNet.sha256));
    for (const char* damaged : {"", "{}", "[1]", "{\"schema_version\":2,\"trusted\":[]}",
                                "{\"schema_version\":1,\"trusted\":[{\"sha256\":7}]}"}) {
        qs::tests::writeFile(folder / "damaged.json", damaged);
        ASSERT_EQ(::chmod((folder / "damaged.json").c_str(), 0600), 0);
        EXPECT_THAT(ProgramTrust(folder / "damaged.json").all(), IsEmpty()) << damaged;
    }
}

TEST(ProgramTrust, WithoutAFolderNothingIsRemembered)
{
    EXPECT_FALSE(ProgramTrust({}).remember(kNet).ok());
    EXPECT_THAT(ProgramTrust({}).all(), IsEmpty());
}

TEST(ProgramTrust, HoldsForThisProcessWithoutBeingRemembered)
{
    const TestFolder folder;
    const ProgramTrust trust(folder / "trusted.json");
    trust.agree(kNet.sha256);
    EXPECT_TRUE(trust.trusts(kNet.sha256));
    EXPECT_TRUE(ProgramTrust(folder / "trusted.json").trusts(kNet.sha256));
    EXPECT_FALSE(ProgramTrust(folder / "another.json").trusts(kNet.sha256));
    EXPECT_THAT(trust.all(), IsEmpty());
    ASSERT_TRUE(trust.forget(kNet.sha256).ok());
    EXPECT_FALSE(trust.trusts(kNet.sha256));
}

TEST(ProgramTrust, AsksForThoseOfThePlanThatCanRun)
{
    const TestFolder folder;
    const ProgramTrust trust(folder / "trusted.json");
    Plan plan;
    for (const std::string& program : {kNet.sha256, std::string(), kOther.sha256, kNet.sha256}) {
        PlannedCell cell;
        cell.program = program;
        cell.config.model = program.empty() ? "demo" : "/models/" + program.substr(0, 1);
        plan.cells.push_back(cell);
    }
    plan.cells[2].impossible = remark("no such device");
    EXPECT_THAT(programsToTrust(plan, trust),
                ElementsAre(TrustedProgram{kNet.sha256, "/models/a"}));
    trust.agree(kNet.sha256);
    EXPECT_THAT(programsToTrust(plan, trust), IsEmpty());
}

}  // namespace
