// What is added from outside goes all the way: preset, plan, worker, journal, analysis, export. No
// file of the product knows the names "toy" and "twice".

#include "core/analysis/analysis.h"
#include "core/analysis/batch_limits.h"
#include "core/analysis/cell_label.h"
#include "core/analysis/gates.h"
#include "core/analysis/metric_values.h"
#include "core/analysis/noise_floors.h"
#include "core/base/files.h"
#include "core/record/run_folder.h"
#include "core/report/report.h"
#include "core/report/words/note_text.h"
#include "core/run/describe_engine.h"
#include "core/run/run_session.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/expand.h"
#include "core/sweep/plan.h"
#include "core/sweep/preset.h"
#include "tests/extension/toy_axis.h"
#include "tests/extension/toy_family.h"
#include "tests/extension/toy_metrics.h"
#include "tests/extension/toy_scheme.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::Contains;
using testing::HasSubstr;

constexpr const char* kPreset = R"({
  "schema_version": 1, "name": "Extension",
  "defaults": {"model": "vitok:w64_d1_h2-w48_d2_h3/1x8x16", "device": "cpu", "precision": "bf16",
               "compile": "none", "image_size": 32},
  "axes": {"precision": ["bf16", "toy-16", "toy-4:keep_bias=yes", "toy-4:keep_bias=no"],
           "compile": ["eager", "twice:times=2", "none/twice:times=3"]},
  "rounds": 1, "noise_floor": false,
  "measurement": {"minimum_warmup_seconds": 0, "maximum_warmup_seconds": 0.05,
                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1,
                  "minimum_samples": 3, "maximum_samples": 10},
  "pictures": {"source": "procedural", "count": 2}
})";

constexpr const char* kFamilyPreset = R"({
  "schema_version": 1, "name": "Family",
  "defaults": {"model": "toynet:8", "device": "cpu", "precision": "bf16"},
  "axes": {"precision": ["bf16", "toy-16"], "steps": [2, 5]},
  "rounds": 1, "noise_floor": false,
  "gates": ["toy_gap_mean <= 1e-9", "toy_rows >= 2 for precision=toy-16"],
  "measurement": {"minimum_warmup_seconds": 0, "maximum_warmup_seconds": 0.05,
                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1,
                  "minimum_samples": 3, "maximum_samples": 10}
})";

constexpr const char* kAxisPreset = R"({
  "schema_version": 1, "name": "Axis",
  "defaults": {"model": "toynet:8", "device": "cpu", "precision": "bf16", "compile": "twice"},
  "axes": {"calls": "1..2", "precision": ["bf16", "toy-16"]},
  "exclude": [{"match": {"calls": [2], "precision": ["toy-16"]}, "reason": "one is enough"}],
  "rounds": 1, "noise_floor": false,
  "measurement": {"minimum_warmup_seconds": 0, "maximum_warmup_seconds": 0.05,
                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1,
                  "minimum_samples": 3, "maximum_samples": 10}
})";

class Extension : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        registerToyAxis();
        registerToyFamily();
        registerToyScheme();
        registerToyCompileMode();
        registerToyMetrics();
    }

    [[nodiscard]] Plan plan(const char* text = kPreset) const
    {
        writeFile(m_folder / "preset.json", text);
        const auto preset = readPreset(m_folder / "preset.json");
        EXPECT_TRUE(preset.ok()) << preset.error().message;
        const auto engine = describeEngine(QS_TOY_WORKER, 60.0);
        EXPECT_TRUE(engine.ok()) << engine.error().message;
        return makePlan(preset.value(), {engine.value().devices, {}, false}).value();
    }

    // Once for all tests: each cell has a process of its own.
    [[nodiscard]] const RunData& measured() const
    {
        static const RunData data = measureNow();
        return data;
    }

    [[nodiscard]] RunData measureNow(const char* text = kPreset) const
    {
        RecordingObserver observer;
        RunOptions options = fakeOptions(m_folder.path());
        options.workerProgram = QS_TOY_WORKER;
        RunSession session(plan(text), std::move(options), observer);
        session.wait();
        return readRunFolder(m_folder.path() / "run").value();
    }

    TestFolder m_folder;
};

TEST_F(Extension, IsPlannedAsWhatIsBuiltIn)
{
    const Plan planned = plan();
    std::set<std::string> precisions;
    std::set<std::string> modes;
    for (const PlannedCell& cell : planned.cells) {
        EXPECT_TRUE(cell.possible()) << noteText(*cell.impossible);
        EXPECT_GT(cell.estimatedSeconds, 0.0);
        precisions.insert(precisionText(cell.config));
        modes.insert(cell.config.compile);
    }
    EXPECT_EQ(precisions, (std::set<std::string>{"bf16", "toy-16", "toy-4", "toy-4:keep_bias=no"}))
        << "one text for one thing";
    EXPECT_EQ(modes, (std::set<std::string>{"none", "twice", "none/twice:times=3"}));
    const auto bytes = [&](const std::string& precision) {
        const auto found =
            std::find_if(planned.cells.begin(), planned.cells.end(), [&](const PlannedCell& cell) {
                return precisionText(cell.config) == precision;
            });
        return found->weightBytes;
    };
    EXPECT_LT(bytes("toy-16"), bytes("bf16"));
}

TEST_F(Extension, RunsAndIsRecordedAsWhatItIs)
{
    const RunData& data = measured();
    ASSERT_FALSE(data.measurements.empty());
    int quantized = 0;
    for (const Measurement& row : data.measurements) {
        ASSERT_TRUE(row.ok()) << precisionText(row.config) << ": " << row.failure->detail;
        EXPECT_FALSE(anyMismatch(row.result.executed)) << precisionText(row.config);
        if (row.config.compile == "twice") {
            EXPECT_THAT(row.result.notes,
                        Contains(Note{NoteCode::Remark, {"each pass ran 2 times"}}));
        }
        if (row.config.compile == "none/twice:times=3") {
            EXPECT_THAT(row.result.notes,
                        Contains(Note{NoteCode::Remark, {"each pass ran 3 times"}}));
        }
        if (row.config.precision.front() == "toy-4") {
            ++quantized;
            for (const ExecutedStage& stage : row.result.executed)
                EXPECT_EQ(stage.scheme, "toy-4") << stage.stage;
            EXPECT_LT(row.result.storage.storageBytes, row.result.storage.logicalBytes + 1);
            EXPECT_EQ(row.result.storage.offenderCount, 0);
        }
    }
    EXPECT_GT(quantized, 0);
}

TEST_F(Extension, IsComparedAndExported)
{
    const RunData& data = measured();
    const Analysis analysis = analyse(data, data.plan.preset.speedBaseline);
    // A coarser grid is farther from bf16; the same mathematics are no distance at all.
    std::map<std::string, double> distance;
    for (const CellSummary& cell : analysis.cells) {
        const auto relative = cell.quality ? cell.quality->mean("relative_l2") : std::nullopt;
        if (cell.cell->config.compile == "none" && relative)
            distance[precisionText(cell.cell->config)] = *relative;
    }
    ASSERT_TRUE(distance.contains("toy-16") && distance.contains("toy-4"));
    EXPECT_GT(distance.at("toy-4"), distance.at("toy-16"));
    EXPECT_GT(distance.at("toy-16"), 0.0);
    EXPECT_TRUE(
        std::any_of(data.plan.cells.begin(), data.plan.cells.end(), [](const PlannedCell& cell) {
            return cell.config.compile == "twice" && isNoiseFloorRun(cell);
        }));
    ASSERT_TRUE(writeReport(data, analysis, {.folder = m_folder.path() / "report"}).ok());
    const std::string cells =
        readTextFile(m_folder.path() / "report" / "cells.csv", 1U << 24U).value();
    EXPECT_THAT(cells, HasSubstr("toy-4:keep_bias=no"));
    EXPECT_THAT(cells, HasSubstr("eager/twice:times=3"));
}

// A family from outside brings a size of its own, an input of whole numbers, one without a batch
// and a state; what it is fed with is made of what it declares.
TEST_F(Extension, AFamilyFromOutsideIsMeasuredToo)
{
    const RunData data = measureNow(kFamilyPreset);
    std::set<std::int64_t> steps;
    std::set<std::string> labels;
    ASSERT_EQ(data.measurements.size(), 4U);
    const CellLabels names = distinguish(data.plan.cells);
    for (const PlannedCell& cell : data.plan.cells) {
        EXPECT_EQ(cell.output, OutputKind::Logits);
        EXPECT_EQ(cell.config.imageSize(), 0);
        labels.insert(names.of(cell));
    }
    for (const Measurement& row : data.measurements) {
        ASSERT_TRUE(row.ok()) << name(row.status());
        EXPECT_FALSE(anyMismatch(row.result.executed));
        EXPECT_FALSE(row.result.hostSeconds.empty());
        EXPECT_EQ(row.result.storage.offenderCount, 0);
        ASSERT_EQ(row.result.outputs.size(), 16U);
        steps.insert(row.config.sizes.at("steps"));
    }
    EXPECT_EQ(steps, (std::set<std::int64_t>{2, 5}));
    EXPECT_EQ(labels.size(), 4U);
    EXPECT_TRUE(labels.contains("toy-16 · eager · 5 steps"));
}

// An axis from outside: crossed, excluded, labelled, in force in the worker, journalled, exported.
TEST_F(Extension, AnAxisFromOutsideIsSweptToo)
{
    const RunData data = measureNow(kAxisPreset);
    const CellLabels names = distinguish(data.plan.cells);
    std::set<std::string> labels;
    std::set<std::string> ids;
    std::set<std::string> references;
    for (const PlannedCell& cell : data.plan.cells) {
        ids.insert(cell.id);
        labels.insert(names.of(cell));
        references.insert(cell.referenceId);
    }
    EXPECT_THAT(labels, Contains("bf16 · twice · 2 calls"));
    EXPECT_EQ(ids.size(), data.plan.cells.size());
    EXPECT_EQ(labels.size(), ids.size()) << "no two cells of one label";
    EXPECT_EQ(references.size(), 1U) << "outputs are compared with those of one call, eager";
    std::set<std::string> swept;
    for (const Measurement& row : data.measurements) {
        ASSERT_TRUE(row.ok()) << row.failure->detail;
        if (row.config.compile != "twice")
            continue;
        const std::string calls = memberText(row.config, "calls");
        EXPECT_THAT(row.result.notes, Contains(Note{NoteCode::Remark, {"calls: " + calls}}));
        swept.insert(precisionText(row.config) + " on " + calls);
    }
    EXPECT_EQ(swept, (std::set<std::string>{"bf16 on 1", "bf16 on 2", "toy-16 on 1"}));
    const Analysis analysis = analyse(data, data.plan.preset.speedBaseline);
    // Cells that differ in it are no batches of one another.
    for (const BatchLimits& limits : batchLimits(analysis))
        EXPECT_EQ(limits.cellIds.size(), 1U) << limits.family;
    ASSERT_TRUE(writeReport(data, analysis, {.folder = m_folder.path() / "report"}).ok());
    const std::string cells =
        readTextFile(m_folder.path() / "report" / "cells.csv", 1U << 24U).value();
    EXPECT_THAT(cells, HasSubstr(",calls,"));
}

TEST_F(Extension, AValueThatAnAxisFromOutsideCannotHaveIsRefused)
{
    for (const char* value : {"0", "65", "\"two\"", "[1, 1.5]"}) {
        std::string text = kAxisPreset;
        text.replace(text.find("\"1..2\""), 6, value);
        writeFile(m_folder / "preset.json", text);
        const auto preset = readPreset(m_folder / "preset.json");
        const bool refused = !preset.ok() || !expandCells(preset.value(), true).ok();
        EXPECT_TRUE(refused) << value;
        if (!preset.ok()) {
            EXPECT_THAT(preset.error().message, HasSubstr("calls")) << value;
        }
    }
}

// A metric of outputs and one of cells from outside: computed, stored, gated, exported and offered.
TEST_F(Extension, MetricsFromOutsideAreJudgedAndExported)
{
    const RunData data = measureNow(kFamilyPreset);
    const Analysis analysis = analyse(data, data.plan.preset.speedBaseline);
    int compared = 0;
    for (const CellSummary& cell : analysis.cells) {
        EXPECT_EQ(valueOf("toy_rows", cell), 4.0);
        if (cell.cellId == cell.cell->referenceId)
            continue;
        ++compared;
        ASSERT_TRUE(cell.quality);
        EXPECT_EQ(cell.quality->samples.size(), 16U);
        EXPECT_GT(*cell.quality->mean("toy_gap"), 0.0);
        EXPECT_GE(*cell.quality->worst("toy_gap"), *cell.quality->mean("toy_gap"));
        EXPECT_GT(*cell.quality->mean("kl_divergence"), 0.0) << "logits have it, too";
        EXPECT_FALSE(cell.quality->mean("ssim"));
        EXPECT_EQ(cell.quality->distance, *cell.quality->mean("kl_divergence"));
    }
    EXPECT_EQ(compared, 2);
    const auto gates = evaluateGates(data, analysis);
    for (std::size_t i = 0; i < gates.size(); ++i) {
        const bool toy = precisionText(analysis.cells[i].cell->config) == "toy-16";
        ASSERT_EQ(gates[i].size(), toy ? 2U : 1U);
        EXPECT_EQ(gates[i][0].verdict, toy ? GateVerdict::Fail : GateVerdict::NotTestable);
        if (toy) {
            EXPECT_EQ(gates[i][1].verdict, GateVerdict::Pass);
        }
    }
    ASSERT_TRUE(writeReport(data, analysis, {.folder = m_folder.path() / "report"}).ok());
    const std::filesystem::path report = m_folder.path() / "report";
    const std::string cells = readTextFile(report / "cells.csv", 1U << 24U).value();
    for (const char* column : {",toy_gap_mean,toy_gap_worst,", ",toy_rows,", ",steps,",
                               ",net_seconds_per_pass,", ",throughput_per_second,"})
        EXPECT_THAT(cells, HasSubstr(column));
    const std::string summary = readTextFile(report / "summary.md", 1U << 24U).value();
    EXPECT_THAT(summary, HasSubstr("Toy gap |"));
    for (const std::string& text : {cells, summary}) {
        for (const char* word : {"ssim", "SSIM", "psnr", "PSNR", "mage", "icture", "ncoder", "px"})
            EXPECT_EQ(text.find(word), std::string::npos) << word;
    }
}

}  // namespace
