// What each precision costs the trained demo model, made anew: SSIM against bf16 of the model, and
// of each layer the errors of its outputs, as relations that hold on every machine.

#include "tests/cli/cli_fixture.h"

#include "core/analysis/analysis.h"
#include "core/analysis/answer.h"
#include "core/analysis/sensitivity.h"
#include "core/measure/layer_report.h"
#include "core/record/layer_reports.h"
#include "core/record/run_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;

// What a precision costs depends neither on threads nor on how often a pass was timed: each cell is
// timed once, by one thread, as other tests run beside it.
constexpr const char* kTimedOnce = R"("rounds": 1, "isolation": "model",
    "measurement": {"warmup_samples": 0, "minimum_warmup_seconds": 0, "minimum_samples": 1,
                    "maximum_samples": 1},
    "pictures": {"source": "procedural", "count": 4}})";

constexpr const char* kSweep = R"({"schema_version": 1, "name": "golden",
    "defaults": {"model": "demo", "device": "cpu", "precision": "bf16", "image_size": 64,
                 "batch": 1, "env": {"OMP_NUM_THREADS": "1"}},
    "axes": {"precision": ["bf16", "fp16", "bf16-autocast", "int8dq", "int8wo", "int8sq:samples=4",
                           "int8-static:samples=4", "float8dq-tensor", "float8dq-row", "float8wo",
                           "float8-delayed:history=4:samples=4", "int4wo-128",
                           "gptq-int4-128:samples=8"]}, )";

// One run for all tests below.
class GoldenReport : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_folder = new TestFolder;
        ::setenv("QUANTSCOPE_CACHE", (*s_folder / "cache").c_str(), 1);
        const std::string preset = *s_folder / "golden.json";
        writeFile(preset, std::string(kSweep) + kTimedOnce);
        const ProgramResult result = runCli({"run", preset, "--out", *s_folder / "run"});
        ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
        s_data = new RunData(readRunFolder(*s_folder / "run").value());
        for (const OutputQuality& quality : s_data->qualities) {
            const PlannedCell* cell = s_data->plan.find(quality.cellId);
            if (quality.referenceId != cell->referenceId)
                continue;
            if (const auto ssim = quality.find("ssim"))
                s_ssim[precisionText(cell->config)] += *ssim / 4.0;
        }
    }
    static void TearDownTestSuite()
    {
        ::unsetenv("QUANTSCOPE_CACHE");
        delete s_data;
        delete s_folder;
    }

    static LayerReport layersOf(const std::string& precision)
    {
        for (const LayerReportPlace& each : layerReportPlaces(*s_data)) {
            if (precisionText(s_data->plan.find(each.cellId)->config) == precision)
                return readLayerReport(layerReportFile(s_data->folder, each.place)).value();
        }
        ADD_FAILURE() << "no report of " << precision;
        return {};
    }

    static inline TestFolder* s_folder = nullptr;
    static inline RunData* s_data = nullptr;
    static inline std::map<std::string, double> s_ssim;
};

// What libraries write to it is there as well.
TEST_F(GoldenReport, ItsLogHasNoErrors)
{
    const auto log = s_data->folder / "log.txt";
    if (std::filesystem::exists(log)) {
        EXPECT_THAT(readFile(log), testing::Not(testing::HasSubstr("ERROR")));
    }
}

TEST_F(GoldenReport, FourBitsLoseAndSolvingForThemGainsBack)
{
    EXPECT_LE(s_ssim.at("int4wo-128"), 0.99);
    EXPECT_GT(s_ssim.at("gptq-int4-128:samples=8"), s_ssim.at("int4wo-128") + 0.001);
    for (const char* eightBits : {"int8dq", "int8wo", "int8sq:samples=4"})
        EXPECT_GT(s_ssim.at(eightBits), s_ssim.at("gptq-int4-128:samples=8")) << eightBits;
}

// How far each precision is from bf16, in multiples of what rounding alone changes. Other
// processors round sums in another order: the bounds are half and twice of what was measured.
TEST_F(GoldenReport, PrecisionsAreTheirMultipleOfTheNoiseFloor)
{
    const std::map<std::string, double> measured{{"fp16", 1.02},
                                                 {"bf16-autocast", 1.21},
                                                 {"int8wo", 8.2},
                                                 {"int8sq:samples=4", 12.7},
                                                 {"float8wo", 37},
                                                 {"int8dq", 51},
                                                 {"float8dq-row", 70},
                                                 {"float8dq-tensor", 71},
                                                 {"float8-delayed:history=4:samples=4", 75},
                                                 {"int8-static:samples=4", 78}};
    const Analysis analysis = analyse(*s_data, "bf16-eager");
    std::size_t seen = 0;
    for (const CellSummary& cell : analysis.cells) {
        const auto expected = measured.find(precisionText(cell.cell->config));
        if (expected == measured.end() || cell.cell->role != CellRole::Swept)
            continue;
        ++seen;
        ASSERT_TRUE(cell.noiseMultiple) << expected->first;
        EXPECT_GT(*cell.noiseMultiple, expected->second / 2.0) << expected->first;
        EXPECT_LT(*cell.noiseMultiple, expected->second * 2.0) << expected->first;
        EXPECT_EQ(*cell.noiseMultiple > kNoiseLimit, expected->second > 2.0) << expected->first;
    }
    EXPECT_EQ(seen, measured.size());
}

// Held layer by layer: the error of the outputs that the same layer gives for the same inputs. What
// the model as a whole loses is not compared here.
TEST_F(GoldenReport, SolvingHelpsMostLayers)
{
    std::map<std::string, double> nearest;
    for (const ReportedLayer& layer : layersOf("int4wo-128").layers)
        nearest[layer.stage + "/" + layer.module] = layer.localError.value();
    const LayerReport solved = layersOf("gptq-int4-128:samples=8");
    ASSERT_EQ(solved.layers.size(), nearest.size());
    std::size_t better = 0;
    for (const ReportedLayer& layer : solved.layers)
        better += layer.cumulativeError && layer.localError &&
                          *layer.localError < nearest.at(layer.stage + "/" + layer.module)
                      ? 1
                      : 0;
    EXPECT_GE(better * 10, solved.layers.size() * 8) << better << " of " << solved.layers.size();
}

TEST_F(GoldenReport, EveryQuantizedCellHasALayerReportAndTheTable)
{
    std::set<std::string> reported;
    for (const LayerReportPlace& each : layerReportPlaces(*s_data))
        reported.insert(precisionText(s_data->plan.find(each.cellId)->config));
    EXPECT_EQ(reported.size(), 10U) << "what quantizes nothing has none";
    const std::string out = *s_folder / "report";
    ASSERT_EQ(runCli({"report", *s_folder / "run", "--csv", "--out", out}).exitCode, 0);
    std::ifstream table(out + "/layers.csv");
    std::string line;
    std::size_t lines = 0;
    while (std::getline(table, line))
        ++lines;
    std::size_t layers = 0;
    for (const LayerReportPlace& each : layerReportPlaces(*s_data))
        layers +=
            readLayerReport(layerReportFile(s_data->folder, each.place)).value().layers.size();
    EXPECT_EQ(lines, layers + 1);
}

class SensitivityOfCells : public testing::Test
{
protected:
    SensitivityOfCells() { ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1); }
    ~SensitivityOfCells() override { ::unsetenv("QUANTSCOPE_CACHE"); }

    [[nodiscard]] static double ssimOf(const RunData& data, const std::string& layers)
    {
        double sum = 0.0;
        int count = 0;
        for (const OutputQuality& quality : data.qualities) {
            const PlannedCell* cell = data.plan.find(quality.cellId);
            if (cell->config.layers != layers || quality.referenceId != cell->referenceId ||
                cell->id == cell->referenceId)
                continue;
            sum += quality.find("ssim").value_or(0.0);
            ++count;
        }
        return count == 0 ? 0.0 : sum / count;
    }

    // The demo model in four bits with that filter.
    [[nodiscard]] RunData sweep(const std::string& layers, const std::vector<std::string>& options,
                                const std::string& folder) const
    {
        const std::string preset = m_folder / "sweep.json";
        writeFile(preset, R"({"schema_version": 1, "name": "sensitivity",
            "defaults": {"model": "demo", "device": "cpu", "precision": "int4wo-128",
                         "image_size": 64, "batch": 1, "env": {"OMP_NUM_THREADS": "1"},
                         "layers": ")" +
                              layers + R"("}, "axes": {}, "noise_floor": false, )" + kTimedOnce);
        std::vector<std::string> arguments{"run", preset, "--out", folder};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProgramResult result = runCli(arguments);
        EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
        return readRunFolder(folder).value();
    }

    [[nodiscard]] static std::size_t quantizedLayers(const RunData& data, const std::string& layers)
    {
        for (const LayerReportPlace& each : layerReportPlaces(data)) {
            if (data.plan.find(each.cellId)->config.layers == layers)
                return readLayerReport(layerReportFile(data.folder, each.place))
                    .value()
                    .layers.size();
        }
        ADD_FAILURE() << "no report of " << layers;
        return 0;
    }

    TestFolder m_folder;
};

// What "quantscope-cli sensitivity" answers: the layer filter.
std::string answerOf(const ProgramResult& result)
{
    const auto place = result.output.find("layers=");
    EXPECT_NE(place, std::string::npos) << result.output << result.errors;
    return result.output.substr(place + 7, result.output.find('\n', place) - place - 7);
}

Sensitivity sensitivityOf(const RunData& data)
{
    return sensitivitiesOf(analyse(data, "best-bf16")).at(0);
}

// Filters that keep one part and more, but not all.
std::vector<std::string> filtersOf(const Sensitivity& sensitivity)
{
    std::vector<std::string> filters;
    for (std::size_t kept = 1; kept < sensitivity.parts.size(); ++kept)
        filters.push_back(filterWithoutWorst(sensitivity, kept));
    return filters;
}

// Three samples of about that time.
CellResult retimed(CellResult result, double seconds)
{
    result.hostSeconds = {seconds, seconds, 1.00001 * seconds};
    result.sampleStart = {0.0, 2.0, 4.0};
    result.stages.clear();
    result.discards.clear();
    return result;
}

// The same run with three rounds of other times, in which those parts come first that come last by
// their bytes.
void writeRetimed(const RunData& data, const std::filesystem::path& folder)
{
    const Sensitivity byBytes = sensitivityOf(data);
    ASSERT_EQ(byBytes.order, PartOrder::LossPerByte) << "one round decides no times";
    // The loss per second of the part at place n is n + 1 times that of the first.
    std::map<std::string, double> saved;
    double most = 0.0;
    double place = 0.0;
    for (const PartSensitivity& part : byBytes.parts) {
        saved[part.cellId] = part.distance / ++place;
        most = std::max(most, saved[part.cellId]);
    }
    std::map<std::string, double> seconds{{byBytes.wholeId, 0.5}};
    for (const auto& [cell, amount] : saved)
        seconds[cell] = 1.0 - 0.25 * amount / most;
    Plan plan = data.plan;
    plan.preset.rounds = 3;
    RunFolder run = RunFolder::create(folder, plan, data.environments.front()).value();
    for (Measurement row : data.measurements) {
        const auto planted = seconds.find(row.cellId);
        const double pass = planted == seconds.end() ? 1.0 : planted->second;
        for (int round = 0; round < 3; ++round) {
            row.round = round;
            // Rounds drift, and all cells with them.
            row.result = retimed(row.result, pass + 0.1 * round);
            ASSERT_TRUE(run.addMeasurement(row).ok());
        }
    }
    ASSERT_TRUE(run.addQualities(data.qualities).ok());
}

// What keeps the first and the last block of each stage in bf16 is reached with more layers
// quantized. That these run faster and take fewer bytes is not measured here: only the layers are
// counted.
TEST_F(SensitivityOfCells, TheChosenBlocksBeatFirstAndLast)
{
    const std::string folder = m_folder / "run";
    const RunData fixed = sweep("all -first1 -last1", {}, m_folder / "fixed");
    const double goal = ssimOf(fixed, "all -first1 -last1");
    const RunData alone = sweep("all", {"--sensitivity", "block"}, folder);
    ASSERT_LT(ssimOf(alone, "all"), goal);
    const std::string limit = "ssim_mean >= " + std::to_string(goal);
    const std::string filter = answerOf(runCli({"sensitivity", folder, "--limit", limit}));
    const std::vector<std::string> byBytes = filtersOf(sensitivityOf(alone));
    EXPECT_NE(std::find(byBytes.begin(), byBytes.end(), filter), byBytes.end()) << filter;
    const RunData data = readRunFolder(folder).value();
    EXPECT_GE(ssimOf(data, filter), goal - 1e-6) << filter;
    EXPECT_GT(quantizedLayers(data, filter), quantizedLayers(fixed, "all -first1 -last1"))
        << filter;
    // It found its cells in the run: asking once more measures nothing.
    const std::size_t rows = data.measurements.size();
    EXPECT_EQ(runCli({"sensitivity", folder, "--limit", limit}).exitCode, 0);
    EXPECT_EQ(readRunFolder(folder).value().measurements.size(), rows);

    // Where times are decided, they are what the parts are ranked by.
    const std::string timed = m_folder / "timed";
    writeRetimed(alone, timed);
    const Sensitivity byTime = sensitivityOf(readRunFolder(timed).value());
    ASSERT_EQ(byTime.order, PartOrder::LossPerTime);
    EXPECT_NE(byTime.parts.front().patterns, sensitivityOf(alone).parts.front().patterns);
    const ProgramResult ranked = runCli({"sensitivity", timed});
    std::size_t place = 0;
    for (const PartSensitivity& part : byTime.parts) {
        place = ranked.output.find(part.patterns, place);
        EXPECT_NE(place, std::string::npos) << part.patterns << '\n' << ranked.output;
    }
}

}  // namespace
