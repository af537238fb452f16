#include "core/report/kernels.h"

#include "tests/analysis/analysis_data.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::sampleCellId;

// One cell with a profile: a product fills half of its pass, and a quarter has no name.
RunData profiledRun()
{
    RunData data = tests::sampleRun();
    const std::string id = sampleCellId("int8dq", "none", 4);
    const double pass = analyse(data, "bf16-eager").find(id)->seconds;
    PassProfile profile{.passSeconds = pass, .busySeconds = 0.75 * pass, .launches = 14.0};
    profile.kernels = {{"gemm<\"a\", b>", WorkKind::Product, 2.0, 0.5 * pass}};
    profile.rest = {{"", WorkKind::Elementwise, 12.0, 0.25 * pass}};
    profile.fingerprint = "f";
    for (Measurement& row : data.measurements) {
        if (row.cellId == id)
            row.result.profile = profile;
    }
    return data;
}

TEST(Kernels, TableHasALineForEachWithItsShare)
{
    const RunData data = profiledRun();
    const std::string csv = kernelsCsv(analyse(data, "bf16-eager"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
    EXPECT_THAT(csv, AllOf(testing::StartsWith("label,cell,environment,kernel,kind,"),
                           HasSubstr("share_of_pass_fraction"), HasSubstr(",product,2,"),
                           HasSubstr(",elementwise,12,"), HasSubstr(",0.5\r\n")));
}

TEST(Kernels, JsonHasThemOfEachCell)
{
    const RunData data = profiledRun();
    const Json report = reportJson(data, analyse(data, "bf16-eager"));
    int cells = 0;
    for (const Json& cell : report.at("cells")) {
        if (!cell.contains("kernels"))
            continue;
        ++cells;
        const Json& kernels = cell.at("kernels");
        ASSERT_EQ(kernels.size(), 2U);
        EXPECT_EQ(kernels[0].at("launches_per_pass"), 2.0);
        EXPECT_NEAR(kernels[0].at("share_of_pass").get<double>(), 0.5, 1e-9);
        EXPECT_TRUE(kernels[1].at("name").is_null());
        EXPECT_EQ(kernels[1].at("kind"), "elementwise");
    }
    EXPECT_EQ(cells, 1);
}

TEST(Kernels, PageHasATableOfEachCellAndNamesAreText)
{
    const RunData data = profiledRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const std::string html = htmlKernels(analysis);
    EXPECT_THAT(html, AllOf(HasSubstr("gemm&lt;"), Not(HasSubstr("gemm<")), HasSubstr("50.0 %"),
                            HasSubstr("25.0 %"), HasSubstr(">2</td>"), HasSubstr(">12</td>")));
    // The last quarter of the pass is nobody's.
    EXPECT_THAT(html.substr(html.rfind("<tr>")),
                AllOf(HasSubstr("<td></td><td></td>"), HasSubstr("25.0 %")));
}

TEST(Kernels, ARunWithoutProfilesHasNone)
{
    const RunData data = tests::sampleRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_FALSE(anyKernels(analysis));
    EXPECT_THAT(htmlKernels(analysis), IsEmpty());
}

}  // namespace
}  // namespace qs::core
