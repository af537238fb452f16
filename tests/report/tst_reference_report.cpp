// What other programs measured, in every kind of report.
#include "core/report/reference_section.h"

#include "core/record/run_folder.h"
#include "core/report/report.h"
#include "core/report/report_folder.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/reference_file.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using tests::TestFolder;

class ReferenceReport : public testing::Test
{
protected:
    void SetUp() override
    {
        m_data = tests::sampleRun();
        m_data.folder = m_folder / "run";
        ASSERT_TRUE(
            RunFolder::create(m_data.folder, m_data.plan, m_data.environments.front()).ok());
        m_analysis = analyse(m_data, "best-bf16");
    }
    void attach() const
    {
        tests::writeFile(m_folder / "torch.json", jsonText(tests::referenceJson()));
        ASSERT_TRUE(attachReference(m_data.folder, m_folder / "torch.json").ok());
    }

    TestFolder m_folder;
    RunData m_data;
    Analysis m_analysis;
};

TEST_F(ReferenceReport, SaysNothingWithoutFiles)
{
    EXPECT_TRUE(referenceSection(m_data, m_analysis).empty());
    EXPECT_TRUE(htmlReferences(m_data, m_analysis).empty());
    EXPECT_THAT(referencesJson(m_data), SizeIs(0));
    EXPECT_THAT(reportHtml(m_data, m_analysis),
                AllOf(Not(HasSubstr("id=\"references\"")), Not(HasSubstr(" other\""))));
    ASSERT_TRUE(writeReport(m_data, m_analysis, {.folder = m_folder / "report"}).ok());
    EXPECT_FALSE(std::filesystem::exists(m_folder / "report" / "other_programs.csv"));
}

TEST_F(ReferenceReport, ShowsEveryRowUnderItsProgram)
{
    attach();
    const Json listed = reportJson(m_data, m_analysis).at("other_programs");
    ASSERT_THAT(listed, SizeIs(1));
    EXPECT_EQ(listed[0].at("file"), "peers/torch.json");
    const Json& rows = listed[0].at("rows");
    ASSERT_THAT(rows, SizeIs(3));
    EXPECT_EQ(rows[0].at("seconds_per_pass_median"), 0.014);
    EXPECT_TRUE(rows[0].at("counters").is_null());
    EXPECT_EQ(rows[0].at("counters_missing"), "nothing is compiled");
    EXPECT_EQ(rows[1].at("throughput_per_second"), 1000.0);
    EXPECT_EQ(rows[1].at("counters").at("graph_breaks")[0].at("count"), 2);
    EXPECT_EQ(rows[2].at("status"), "unavailable");
    EXPECT_TRUE(rows[2].at("seconds_per_pass_median").is_null());
    const std::string html = reportHtml(m_data, m_analysis);
    EXPECT_THAT(html, HasSubstr("id=\"references\""));
    EXPECT_THAT(html, HasSubstr("<td>max-autotune</td>"));
    EXPECT_THAT(html, testing::ContainsRegex("<g class=\"series s[0-9] d[0-9] other\""));
    EXPECT_THAT(summaryMarkdown(m_data, m_analysis), HasSubstr("peers/torch.json"));
    const ReferenceResults results =
        readReferenceResults(m_data.folder / "peers/torch.json").value();
    EXPECT_THAT(comparedText(results, m_data, m_analysis), HasSubstr("batch 4: 14.0 ms there"));
    EXPECT_THAT(originText(results), HasSubstr(", 2026-"));
    EXPECT_THAT(originText(results), AllOf(HasSubstr(" UTC."), Not(HasSubstr("Z"))));
}

TEST_F(ReferenceReport, HasATableOfItsOwn)
{
    attach();
    ASSERT_TRUE(writeReport(m_data, m_analysis, {.folder = m_data.folder, .bundle = true}).ok());
    const std::string table = tests::readFile(m_data.folder / "other_programs.csv");
    EXPECT_THAT(table, HasSubstr("seconds_per_pass_median"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
    EXPECT_THAT(tests::readFile(m_data.folder / "bundle.tar"), HasSubstr("peers/torch.json"));
    EXPECT_THAT(reportFileNames(), testing::Contains("other_programs.csv"));
}

TEST_F(ReferenceReport, NamesAFileThatCannotBeRead)
{
    attach();
    tests::writeFile(m_data.folder / "peers" / "bad.json", "[<b>");
    EXPECT_THAT(reportHtml(m_data, m_analysis), HasSubstr("peers/bad.json"));
    EXPECT_THAT(htmlReferences(m_data, m_analysis), Not(HasSubstr("[<b>")));
    EXPECT_THAT(referencesJson(m_data), SizeIs(2));
    EXPECT_TRUE(
        writeReport(m_data, m_analysis, {.folder = m_folder / "report", .bundle = true}).ok());
}

}  // namespace
}  // namespace qs::core
