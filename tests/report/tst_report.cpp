// Reports of the sample run against golden files (QS_WRITE_GOLDEN=1 writes them anew), under a
// locale with decimal commas; hostile names; the bundle as tar and Python see it.
#include "core/report/report.h"

#include "core/analysis/gates.h"
#include "core/record/environment_file.h"
#include "core/record/run_folder.h"
#include "core/record/run_removal.h"
#include "core/report/environment_text.h"
#include "core/report/markdown_text.h"
#include "core/report/pivot_metrics.h"
#include "core/report/report_folder.h"
#include "core/report/ustar.h"
#include "core/report/words/answer_text.h"
#include "tests/analysis/analysis_data.h"
#include "tests/report/comma_locale.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::TestFolder;

// Equal but for the last digits of numbers: exp and log of the C library differ there between
// processors. How numbers are written is tested with CsvTable.
bool agrees(std::string_view content, std::string_view golden)
{
    while (!content.empty() && !golden.empty()) {
        double ours = 0.0;
        double theirs = 0.0;
        const auto [end, error] =
            std::from_chars(content.data(), content.data() + content.size(), ours);
        const auto [goldenEnd, goldenError] =
            std::from_chars(golden.data(), golden.data() + golden.size(), theirs);
        if (error == std::errc() && goldenError == std::errc()) {
            if (std::abs(ours - theirs) > 1e-9 * std::abs(theirs))
                return false;
            content.remove_prefix(static_cast<std::size_t>(end - content.data()));
            golden.remove_prefix(static_cast<std::size_t>(goldenEnd - golden.data()));
            continue;
        }
        if (content.front() != golden.front())
            return false;
        content.remove_prefix(1);
        golden.remove_prefix(1);
    }
    return content.empty() && golden.empty();
}

TEST(ReportGolden, ComparisonSeesDifferences)
{
    EXPECT_TRUE(agrees("a,0.30000000000000004", "a,0.3"));
    EXPECT_FALSE(agrees("a,0.3001", "a,0.3"));
    EXPECT_FALSE(agrees("a,3", "b,3"));
    EXPECT_FALSE(agrees("a,3,", "a,3"));
    EXPECT_FALSE(agrees("a,,", "a,0,"));
}

void compareWithGolden(const std::string& name, const std::string& content)
{
    const std::filesystem::path golden = tests::dataFile("golden/report/" + name);
    if (std::getenv("QS_WRITE_GOLDEN") != nullptr)
        tests::writeFile(golden, content);
    if (agrees(content, tests::readFile(golden)))
        return;
    const std::filesystem::path actual =
        std::filesystem::temp_directory_path() / (name + ".actual");
    tests::writeFile(actual, content);
    ADD_FAILURE() << name << " differs from its golden file; see " << actual;
}

RunData smallRun()
{
    RunData data = tests::sampleRun({.withFailures = true});
    // Enough for every kind of line, little enough to be read.
    std::erase_if(data.measurements, [](const Measurement& row) {
        return row.config.batch == 4 || row.config.batch == 16;
    });
    std::erase_if(data.plan.cells, [](const PlannedCell& cell) {
        return cell.config.batch == 4 || cell.config.batch == 16;
    });
    for (Measurement& row : data.measurements) {
        CellResult& result = row.result;
        for (std::vector<double>* list : {&result.hostSeconds, &result.deviceSeconds})
            list->resize(std::min<std::size_t>(list->size(), 2));
        for (StageSamples& stage : result.stages)
            stage.seconds.resize(2);
    }
    return data;
}

TEST(ReportGolden, EveryFile)
{
    const tests::CommaLocale comma;
    const RunData data = smallRun();
    const Analysis analysis = analyse(data, "best-bf16");
    compareWithGolden("cells.csv", cellsCsv(data, analysis));
    compareWithGolden("measurements.csv", measurementsCsv(data));
    compareWithGolden("samples.csv", samplesCsv(data));
    compareWithGolden("summary.md", summaryMarkdown(data, analysis));
}

// The first samples of what is timed cold and warm are not counted: in stages no more than in
// passes.
TEST(ReportCsv, MediansOfStagesAreOfCountedSamples)
{
    RunData data = smallRun();
    std::erase_if(data.measurements,
                  [](const Measurement& row) { return row.result.stages.empty(); });
    CellResult& result = data.measurements.front().result;
    ASSERT_EQ(result.stages.front().seconds.size(), 2U);
    result.stages.front().seconds = {9.0, 0.5};
    result.discards = {{.sample = 0}};
    const std::string csv = measurementsCsv(data);
    const auto column = [&](const std::string& name) {
        std::istringstream head(csv.substr(0, csv.find('\n')));
        std::istringstream line(csv.substr(csv.find('\n') + 1));
        std::string title;
        std::string value;
        while (std::getline(head, title, ',') && std::getline(line, value, ',')) {
            if (title == name)
                break;
        }
        return value;
    };
    EXPECT_EQ(column(result.stages.front().stage + "_seconds_per_pass_median"), "0.5");
}

TEST(ReportMarkdown, ShowsAccuracyWhereThereAreLabels)
{
    RunData data = smallRun();
    EXPECT_EQ(summaryMarkdown(data, analyse(data, "best-bf16")).find("Accuracy"),
              std::string::npos);
    PlannedCell& cell = data.plan.cells.front();
    cell.output = OutputKind::Classes;
    cell.trained = true;
    for (int sample = 0; sample < 8; ++sample) {
        OutputQuality quality;
        quality.cellId = cell.id;
        quality.referenceId = kLabelId;
        quality.environmentId = data.environments.front().id();
        quality.sample = sample;
        quality.set(kRightFigure, sample < 7 ? 1.0 : 0.0);
        data.qualities.push_back(quality);
    }
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string text = summaryMarkdown(data, analysis);
    EXPECT_NE(text.find("| Accuracy |"), std::string::npos);
    EXPECT_NE(text.find("| 0.8750 |"), std::string::npos);
    const std::vector<PivotMetric> pivots = pivotMetrics(analysis, pivotOf(analysis));
    EXPECT_TRUE(std::any_of(pivots.begin(), pivots.end(), [&](const PivotMetric& each) {
        return each.text(*analysis.find(cell.id)) == "0.8750";
    }));
}

TEST(ReportJson, HoldsEverything)
{
    const RunData data = smallRun();
    const Analysis analysis = analyse(data, "best-bf16");
    const Json json = parseJson(reportJson(data, analysis).dump(), "report",
                                {.bytes = 1U << 30U, .nodes = 10'000'000})
                          .value();
    EXPECT_EQ(json.at("schema_version"), kReportSchemaVersion);
    EXPECT_EQ(json.at("cells").size(), data.plan.cells.size());
    EXPECT_EQ(json.at("measurements").size(), data.measurements.size());
    EXPECT_EQ(json.at("measurements").at(0).at("compile_mode"), "eager");
    EXPECT_EQ(json.at("qualities").size(), data.qualities.size());
    EXPECT_EQ(json.at("environments").at(0).at("id"), data.environments.front().id());
    EXPECT_EQ(json.at("noise_floors").size(), 2U);
    const Json& int8 = json.at("cells").at(4);
    EXPECT_EQ(int8.at("cell"), "int8dq-none-b1");
    EXPECT_EQ(int8.at("compile_mode"), "eager") << "the word of every other report";
    EXPECT_EQ(int8.at("difference_from_reference").at("meaning"), "quality");
    const Json& figures = int8.at("difference_from_reference").at("figures");
    EXPECT_NEAR(figures.at("mean_difference").at("mean").get<double>(), 0.0046, 1e-12);
    EXPECT_GT(figures.at("max_difference").at("worst").get<double>(), 0.07);
    EXPECT_GT(int8.at("metrics").at("relative_l2_mean").get<double>(), 0.03);
    EXPECT_FALSE(figures.contains("cosine")) << "the outputs lack it";
    EXPECT_TRUE(int8.at("metrics").at("cosine_mean").is_null());
    const Json& timedOut = json.at("cells").at(5);
    EXPECT_EQ(timedOut.at("status"), "timeout");
    EXPECT_TRUE(timedOut.at("times").is_null()) << "nothing that could be taken for a zero";
}

TEST(ReportJson, OutputsThatAreNoNumbersAreSaidSo)
{
    RunData data = smallRun();
    for (Measurement& row : data.measurements) {
        if (row.cellId == "int8dq-none-b1")
            row.failure = Failure{.kind = FailureKind::NonFinite, .detail = "3 of 12 values"};
    }
    const Json json = reportJson(data, analyse(data, "best-bf16"));
    EXPECT_EQ(json.at("cells").at(4).at("status"), "non_finite");
    EXPECT_TRUE(json.at("cells").at(4).at("times").is_null());
}

TEST(Report, TellsTheMemoryAndTheRepeatsOfACell)
{
    RunData data = tests::runOf({{.id = "a", .reference = "a"}});
    const auto json = [&] {
        return reportJson(data, analyse(data, "best-bf16")).at("cells").at(0);
    };
    tests::addRow(data, "a", 0, {0.01});
    EXPECT_TRUE(json().at("memory").at("workspace_bytes").is_null());
    EXPECT_TRUE(json().at("memory").at("weights_file_bytes").is_null());
    EXPECT_TRUE(json().at("repeatable").is_null()) << "one round has no other";
    CellResult& first = data.measurements.back().result;
    first.memory.allocatedPeak = 100;
    first.memory.weightsResident = 60;
    first.memory.selfTest = {.result = SelfTestResult::Passed, .attempts = 1};
    first.storage = {.weights = 1, .fileBytes = 70};
    first.outputs = {{0, "", "aa"}};
    tests::addRow(data, "a", 1, {0.01}).result.outputs = {{0, "", "bb"}};
    EXPECT_EQ(json().at("memory").at("workspace_bytes"), 40);
    EXPECT_EQ(json().at("memory").at("weights_file_bytes"), 70);
    EXPECT_EQ(json().at("memory").at("self_test"), "passed: process (resident set)");
    EXPECT_EQ(json().at("repeatable"), false);
    EXPECT_THAT(measurementsCsv(data), HasSubstr(",passed: process (resident set),"));
    EXPECT_THAT(summaryMarkdown(data, analyse(data, "best-bf16")),
                HasSubstr("| 60.00 B | 70.00 B | 40.00 B |"));
}

// Whoever reads a report of a run that was stopped has to know: in each kind of it, with numbers.
TEST(Report, TellsHowFarAStoppedRunCame)
{
    RunData data = tests::sampleRun({.rounds = 1});
    const auto whole = analyse(data, "best-bf16");
    EXPECT_EQ(progressText(whole), "");
    const Json complete = reportJson(data, whole).at("progress");
    EXPECT_EQ(complete.at("measured_cells"), complete.at("possible_cells"));
    EXPECT_TRUE(complete.at("complete").get<bool>());

    data.measurements.resize(5);
    const Analysis analysis = analyse(data, "best-bf16");
    const Json progress = reportJson(data, analysis).at("progress");
    EXPECT_EQ(progress.at("measured_cells"), 5);
    EXPECT_EQ(progress.at("possible_cells"), data.plan.cells.size());
    EXPECT_FALSE(progress.at("complete").get<bool>());
    const std::string text = progressText(analysis);
    EXPECT_THAT(text, HasSubstr(" 5 of " + std::to_string(data.plan.cells.size()) + " "));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr(text));
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr(text));
    // Every cell, but not in every repeat.
    data = tests::sampleRun({.rounds = 3});
    std::erase_if(data.measurements, [](const Measurement& row) { return row.round == 2; });
    const Analysis repeats = analyse(data, "best-bf16");
    EXPECT_FALSE(reportJson(data, repeats).at("progress").at("complete").get<bool>());
    EXPECT_NE(progressText(repeats), "");
}

TEST(Report, UntrainedWeightsHaveNoQuality)
{
    const RunData data = tests::sampleRun({.trained = false});
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string markdown = summaryMarkdown(data, analysis);
    EXPECT_THAT(markdown, HasSubstr("Numeric deviation (random weights or inputs): Relative L2"));
    EXPECT_THAT(markdown, Not(HasSubstr("| SSIM |")));
    const Json json = reportJson(data, analysis);
    EXPECT_EQ(json.at("cells").at(6).at("difference_from_reference").at("meaning"),
              "numeric deviation (random weights or inputs)");
    const Json& metrics = json.at("cells").at(6).at("metrics");
    EXPECT_GT(metrics.at("noise_floor_multiple").get<double>(), 1.0) << "as the tables have it";
    EXPECT_TRUE(metrics.at("ssim_mean").is_null());
    const std::string trained =
        summaryMarkdown(tests::sampleRun(), analyse(tests::sampleRun(), "best-bf16"));
    EXPECT_THAT(trained, HasSubstr("| SSIM |"));
    EXPECT_THAT(trained, Not(HasSubstr("Numeric deviation")));
}

TEST(Report, ProgramsHaveNothingToBeComparedWith)
{
    RunData data = tests::sampleRun({.rounds = 3, .trained = false});
    ASSERT_THAT(summaryMarkdown(data, analyse(data, "bf16-eager")), HasSubstr("× noise floor |"));
    for (PlannedCell& cell : data.plan.cells) {
        cell.program = std::string(64, 'a');
        cell.referenceId.clear();
    }
    data.qualities.clear();
    const std::string summary = summaryMarkdown(data, analyse(data, "bf16-eager"));
    EXPECT_THAT(summary, HasSubstr("## Results"));
    EXPECT_THAT(summary, Not(HasSubstr("× noise floor |")));
    EXPECT_THAT(summary, Not(HasSubstr("random weights")));
}

TEST(Report, HostileNamesStayTexts)
{
    RunData data = tests::runOf({{.id = "a"}});
    data.plan.preset.name = "<script>x</script>";
    data.plan.cells[0].config.model = "[a](http://x)|=cmd";
    data.plan.cells[0].notes = {{NoteCode::Remark, {"=1+1"}}, {NoteCode::Remark, {"two\nlines"}}};
    Measurement& row = tests::addFailure(data, "a", 0, FailureKind::Io);
    row.config = data.plan.cells[0].config;
    row.failure->detail = "=HYPERLINK(\"x\")|<b>";
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string markdown = summaryMarkdown(data, analysis);
    EXPECT_THAT(markdown, HasSubstr("&lt;script&gt;x&lt;/script&gt;"));
    EXPECT_THAT(markdown, HasSubstr("\\[a\\](http\\://x)\\|=cmd"));
    EXPECT_THAT(markdown, Not(HasSubstr("<b>")));
    EXPECT_THAT(cellsCsv(data, analysis), HasSubstr(",\"'=HYPERLINK(\"\"x\"\")|<b>\","));
    EXPECT_THAT(measurementsCsv(data), HasSubstr("'=HYPERLINK"));
    EXPECT_THAT(measurementsCsv(data, false), Not(HasSubstr("'=")));
}

TEST(Report, OfAnEmptyRunHasHeadsOnly)
{
    const RunData data;
    const Analysis analysis = analyse(data, "best-bf16");
    for (const std::string& csv :
         {cellsCsv(data, analysis), measurementsCsv(data), samplesCsv(data)}) {
        EXPECT_THAT(csv, testing::StartsWith("label,"));
        EXPECT_EQ(csv.find("\r\n"), csv.size() - 2);
    }
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("0 of 0 cells"));
}

TEST(Report, WritesWhatWasChosen)
{
    const TestFolder folder;
    const RunData data = smallRun();
    ReportOptions options{.folder = folder / "report", .json = false, .summary = false};
    const Analysis analysis = analyse(data, data.plan.preset.speedBaseline);
    ASSERT_TRUE(writeReport(data, analysis, options).ok());
    EXPECT_EQ(tests::readFile(folder / "report/cells.csv"), cellsCsv(data, analysis));
    EXPECT_EQ(tests::readFile(folder / "report/samples.csv"), samplesCsv(data));
    EXPECT_FALSE(std::filesystem::exists(folder / "report/report.json"));
    EXPECT_FALSE(std::filesystem::exists(folder / "report/bundle.tar"));
    const Analysis other = analyse(data, "bf16-eager");
    ASSERT_TRUE(writeReport(data, other, options).ok()) << "an earlier report is replaced";
    EXPECT_EQ(tests::readFile(folder / "report/cells.csv"), cellsCsv(data, other));
}

TEST(Report, AFolderThatCannotBeMadeIsAnError)
{
    const TestFolder folder;
    tests::writeFile(folder / "file", "x");
    const RunData data = smallRun();
    const Status status =
        writeReport(data, analyse(data, "best-bf16"), {.folder = folder / "file" / "report"});
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::InvalidArgument);
}

TEST(Report, FilesOfOthersAreNotReplaced)
{
    const RunData data = smallRun();
    const Analysis analysis = analyse(data, "best-bf16");
    for (const char* name : {"summary.md", "report.json", "cells.csv", "environment.json"}) {
        const TestFolder folder;
        tests::writeFile(folder / name, "mine");
        const Status status = writeReport(data, analysis, {.folder = folder.path()});
        ASSERT_FALSE(status.ok()) << name;
        EXPECT_EQ(status.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(status.error().message, HasSubstr(folder / name));
        EXPECT_EQ(tests::readFile(folder / name), "mine");
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()),
                                std::filesystem::directory_iterator()),
                  1)
            << "nothing of the report was written";
    }
    const TestFolder folder;
    tests::writeFile(folder / "notes.txt", "mine");
    EXPECT_TRUE(writeReport(data, analysis, {.folder = folder.path()}).ok())
        << "beside what is in nobody's way";
}

TEST(Report, AnotherRunIsNotReportedInto)
{
    const TestFolder folder;
    const RunData data = smallRun();
    ASSERT_TRUE(RunFolder::create(folder / "other", data.plan, data.environments.front()).ok());
    const Status status =
        writeReport(data, analyse(data, "best-bf16"), {.folder = folder / "other"});
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message, HasSubstr("another run"));
}

TEST(Report, TheBundleHoldsTheRunAsItIsStored)
{
    const TestFolder folder;
    RunData data = tests::sampleRun({.rounds = 0});
    data.folder = folder / "run";
    {
        auto stored = RunFolder::create(data.folder, data.plan, data.environments.front());
        ASSERT_TRUE(stored.ok());
        ASSERT_TRUE(stored.value()
                        .addEvent({"now", EventKind::Note, {{NoteCode::Remark, {"only here"}}}})
                        .ok());
    }
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_TRUE(writeReport(data, analysis, {.folder = folder.path(), .bundle = true}).ok());
    const std::string archive = tests::readFile(folder / "bundle.tar");
    for (const char* name : {"cells.csv", "report.json", "summary.md", "plan.json",
                             "environment.json", "journal.jsonl"})
        EXPECT_THAT(archive, HasSubstr(name));
    EXPECT_THAT(archive, HasSubstr(tests::readFile(data.folder / "journal.jsonl")));
    EXPECT_EQ(archive.size() % 512, 0U);

    // A packed journal goes along as it lies there.
    std::filesystem::rename(data.folder / "journal.jsonl", data.folder / "journal.jsonl.gz");
    ASSERT_TRUE(writeReport(data, analysis, {.folder = folder.path(), .bundle = true}).ok());
    EXPECT_THAT(tests::readFile(folder / "bundle.tar"), HasSubstr("journal.jsonl.gz"));
}

TEST(Report, ARunWithItsReportsHoldsNothingElse)
{
    const TestFolder folder;
    RunData data = smallRun();
    data.folder = folder / "run";
    ASSERT_TRUE(RunFolder::create(data.folder, data.plan, data.environments.front()).ok());
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_TRUE(writeReport(data, analysis, {.folder = data.folder, .bundle = true}).ok());
    const auto run = RemovableRun::of(data.folder, reportFileNames());
    EXPECT_TRUE(run.ok()) << run.error().message;
}

struct ScannedRun {
    RunData data;
    RunFigures figures;
};

ScannedRun scanned(const std::filesystem::path& folder)
{
    ScannedRun run;
    run.data = scanRunFolder(folder, [&](const Measurement& parsed) {
                   return [&run, figures = figuresOf(parsed)](const Measurement& row) {
                       run.figures.add(row, figures);
                       return Status();
                   };
               }).value();
    return run;
}

// Word for word the same, whether the rows lie in memory or are read once more.
TEST(Report, NeedsNoRowsInMemory)
{
    const TestFolder folder;
    const RunData sample = smallRun();
    auto stored =
        RunFolder::create(folder / "run", sample.plan, sample.environments.front()).value();
    for (const Measurement& row : sample.measurements)
        ASSERT_TRUE(stored.addMeasurement(row).ok());
    ASSERT_TRUE(stored.addQualities(sample.qualities).ok());
    // A row once more, and once more with another value: neither counts.
    ASSERT_TRUE(stored.addMeasurement(sample.measurements.front()).ok());
    Measurement other = sample.measurements.front();
    other.durationSeconds += 1.0;
    ASSERT_TRUE(stored.addMeasurement(other).ok());

    const RunData kept = readRunFolder(folder / "run").value();
    const ScannedRun left = scanned(folder / "run");
    EXPECT_TRUE(left.data.measurements.empty());
    EXPECT_EQ(left.data.rowsInJournal, sample.measurements.size());
    EXPECT_EQ(left.data.leftOut.repetitions, 1U);
    EXPECT_EQ(left.data.leftOut.contradictions, 1U);
    // What another program adds meanwhile is not part of it.
    other.round += 100;
    ASSERT_TRUE(stored.addMeasurement(other).ok());
    const Analysis ofKept = analyse(kept, "best-bf16");
    const Analysis ofLeft = analyse(left.data, left.figures, "best-bf16");
    ASSERT_TRUE(writeReport(kept, ofKept, {.folder = folder / "kept"}).ok());
    ASSERT_TRUE(writeReport(left.data, ofLeft, {.folder = folder / "left"}).ok());
    for (const char* name :
         {"cells.csv", "measurements.csv", "samples.csv", "report.json", "summary.md"})
        EXPECT_EQ(tests::readFile(folder.path() / "left" / name),
                  tests::readFile(folder.path() / "kept" / name))
            << name;
    // Rows that have gone are missed.
    std::filesystem::resize_file(folder / "run/journal.jsonl", 5000);
    const Status lost = writeReport(left.data, ofLeft, {.folder = folder / "lost"});
    ASSERT_FALSE(lost.ok());
    EXPECT_EQ(lost.error().code, ErrorCode::Io);
}

TEST(Report, ExportsSayWhereTheRowsWereMeasured)
{
    const TestFolder folder;
    RunData data = smallRun();
    data.folder = folder / "run";
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_TRUE(writeReport(data, analysis, {.folder = folder / "out"}).ok());
    EXPECT_EQ(tests::readFile(folder / "out/environment.json"),
              environmentsText(data.environments));
    // The run's own file is the session's to write.
    ASSERT_TRUE(createFolders(data.folder).ok());
    tests::writeFile(data.folder / "environment.json", "the run's own");
    ASSERT_TRUE(writeReport(data, analysis, {.folder = folder / "out/../run"}).ok());
    EXPECT_EQ(tests::readFile(data.folder / "environment.json"), "the run's own");
}

TEST(Report, TellsEnvironmentsAndWarnings)
{
    RunData data = smallRun();
    const std::string before = summaryMarkdown(data, analyse(data, "best-bf16"));
    EXPECT_THAT(before, Not(HasSubstr("Differences")));
    EXPECT_THAT(before, Not(HasSubstr("Warning")));
    data.events.push_back(
        {"2026-01-02T03:04:05Z", EventKind::Warning, {{NoteCode::Remark, {"<not> quiet"}}}});
    Environment other = data.environments.front();
    other.commit = "0123456789ab";
    other.cpuSettings.governor = "powersave";
    other.gpuSettings = {{.uuid = other.devices.front().uuid, .powerLimitWatts = 500.0}};
    other.numerics = {{"tf32_matmul", "false"}};
    other.variables = {{"OMP_NUM_THREADS", "4|5"}};
    data.environments.push_back(other);
    const std::string text = summaryMarkdown(data, analyse(data, "best-bf16"));
    EXPECT_THAT(text, HasSubstr("**Warning**: &lt;not&gt; quiet (2026-01-02T03:04:05Z)"));
    EXPECT_THAT(text, HasSubstr("Environment 2:"));
    EXPECT_THAT(text, HasSubstr("* Commit: 0123456789ab"));
    EXPECT_THAT(text, HasSubstr("* Processor: governor powersave"));
    EXPECT_THAT(text, HasSubstr("power limit 500 W"));
    EXPECT_THAT(text, HasSubstr("OMP\\_NUM\\_THREADS = 4\\|5"));
    EXPECT_THAT(text, HasSubstr("power limit | – | 500 W | speed |"));
}

TEST(Report, TellsThatEqualWorkDiffersInSpeed)
{
    RunData data =
        tests::runOf({{.id = "one", .reference = "one"}, {.id = "again", .reference = "one"}}, 1);
    data.plan.cells[1].role = CellRole::NoiseFloor;
    data.plan.cells[1].rerun = 1;
    tests::addRow(data, "one", 0, {1.0});
    tests::addRow(data, "again", 0, {4.0});
    EXPECT_THAT(summaryMarkdown(data, analyse(data, "bf16-eager")),
                HasSubstr("**Warning**: reruns of one cell differ "));
}

TEST(Ustar, RefusesWhatTheFormatOrTheReaderCannotTake)
{
    const TestFolder folder;
    AtomicFile file = AtomicFile::create(folder / "a.tar").value();
    UstarWriter archive(file);
    for (const std::string& name :
         {std::string(), std::string("/etc/passwd"), std::string("a/../../b"),
          std::string(101, 'n'), std::string("a\0b", 3)})
        EXPECT_FALSE(archive.begin(name).ok()) << name;
    EXPECT_EQ(file.size(), 0U);
    EXPECT_TRUE(archive.begin(std::string(100, 'n')).ok());
    EXPECT_TRUE(archive.write("x").ok());
    EXPECT_TRUE(archive.end().ok());
    EXPECT_TRUE(archive.finish().ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "a.tar")) << "not before it is whole";
    EXPECT_TRUE(file.commit().ok());
    EXPECT_EQ(tests::readFile(folder / "a.tar").size(), 2U * 512 + 1024);
}

TEST(Report, SaysEverywhereWhatIsMissing)
{
    RunData data = smallRun();
    const auto leftOut = [&] {
        return reportJson(data, analyse(data, "best-bf16")).at("left_out");
    };
    EXPECT_EQ(leftOut().at("loss"), false);
    EXPECT_TRUE(leftOut().at("first_damaged_byte").is_null());
    data.leftOut.journal = {.lines = 3,
                            .bytes = 412,
                            .firstLine = 7,
                            .firstByte = 5120,
                            .firstProblem = "it has no <checksum>"};
    data.leftOut.unknownTypes["x"] = 2;
    EXPECT_EQ(leftOut().at("loss"), true);
    EXPECT_EQ(leftOut().at("damaged_lines"), 3);
    EXPECT_EQ(leftOut().at("first_damaged_byte"), 5120);
    EXPECT_EQ(leftOut().at("records_of_unknown_type").at("x"), 2);
    EXPECT_THAT(summaryMarkdown(data, analyse(data, "best-bf16")),
                HasSubstr("**Warning**: the journal is damaged: 412 bytes in 3 lines unreadable, "
                          "the first in line 7 at byte 5120: it has no &lt;checksum&gt;; the "
                          "unreadable records are missing"));
    EXPECT_THAT(reportHtml(data, analyse(data, "best-bf16")),
                testing::AllOf(HasSubstr("line 7 at byte 5120: it has no &lt;checksum&gt;"),
                               HasSubstr("of the unknown type")));
}

TEST(MarkdownText, EscapesWhatMeansSomething)
{
    EXPECT_EQ(markdownText("a_b*c|d`e"), "a\\_b\\*c\\|d\\`e");
    EXPECT_EQ(markdownText("line\nbreak\ttab"), "line break tab");
    EXPECT_EQ(markdownText("2 × 3 µs"), "2 × 3 µs");
    EXPECT_EQ(markdownText("- item - x"), "\\- item - x");
    EXPECT_EQ(markdownText("# head"), "\\# head");
    EXPECT_EQ(markdownText("https://evil.example/a"), "https\\://evil.example/a");
    EXPECT_EQ(markdownText("see WWW.evil.example"), "see WWW\\.evil.example");
    EXPECT_EQ(markdownText("a@b.example"), "a\\@b.example");
    EXPECT_EQ(markdownText("cuda:0, 0.5 w. 3"), "cuda:0, 0.5 w. 3");
    EXPECT_EQ(markdownText("a\u202Egpj.exe\x1b[2J"), "a�gpj.exe�\\[2J");
}

// Gates have columns only where a run has gates; the golden files are of one without.
TEST(Report, SaysWhichGatesPass)
{
    RunData data = tests::sampleRun();
    data.plan.preset.gates = {gateFromText("latency < 1 us").value(),
                              gateFromText("latency < 1000 s for precision=int8dq").value()};
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string csv = cellsCsv(data, analysis);
    EXPECT_THAT(csv,
                HasSubstr(",gates_passed,gates_failed,gates_undecided,gates_not_testable,gates,"));
    EXPECT_THAT(csv, HasSubstr("fail: latency "));
    EXPECT_THAT(csv, HasSubstr("pass: latency "));
    const std::string markdown = summaryMarkdown(data, analysis);
    EXPECT_THAT(markdown, HasSubstr("## Gates"));
    EXPECT_THAT(markdown, HasSubstr("fails latency"));
    const Json json = reportJson(data, analysis);
    EXPECT_EQ(json["plan"]["preset"]["gates"].size(), 2U);
    bool failed = false;
    for (const Json& cell : json["cells"]) {
        for (const Json& gate : cell["gates"])
            failed = failed || (gate["verdict"] == "fail" && gate["expect"] == "latency < 1 µs");
    }
    EXPECT_TRUE(failed);
}

}  // namespace
}  // namespace qs::core
