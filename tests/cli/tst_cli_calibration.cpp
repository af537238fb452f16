// Precisions that are calibrated, from preset to report, on the trained demo model.

#include "tests/cli/cli_fixture.h"

#include <cstdlib>
#include <map>
#include <string>

namespace {

using namespace qs::core;
using namespace qs::tests;

class CalibratingCli : public testing::Test
{
protected:
    CalibratingCli() { ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1); }
    ~CalibratingCli() override { ::unsetenv("QUANTSCOPE_CACHE"); }

    TestFolder m_folder;
};

TEST_F(CalibratingCli, EveryPrecisionIsMeasuredJournalledAndReported)
{
    const std::string preset = m_folder / "calibrated.json";
    const std::string folder = m_folder / "run";
    writeFile(preset, R"({"schema_version": 1, "name": "calibrated",
        "defaults": {"model": "demo", "device": "cpu", "precision": "bf16", "image_size": 32},
        "axes": {"precision": ["bf16", "int8sq:samples=2", "int8-static:samples=2",
                               "gptq-int4-64:samples=2", "float8-delayed:samples=2"]},
        "rounds": 2, "noise_floor": false,
        "measurement": {"minimum_warmup_seconds": 0, "maximum_warmup_seconds": 0.05,
                        "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1,
                        "minimum_samples": 3},
        "pictures": {"source": "procedural", "count": 2}})");
    const ProgramResult result = runCli({"run", preset, "--out", folder});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    const RunData data = readRunFolder(folder).value();
    ASSERT_EQ(data.measurements.size(), 10U);
    std::map<std::string, std::string> contents;
    for (const Measurement& row : data.measurements) {
        const std::string precision = precisionText(row.config);
        SCOPED_TRACE(precision + " round " + std::to_string(row.round));
        EXPECT_TRUE(row.ok());
        EXPECT_FALSE(anyMismatch(row.result.executed));
        EXPECT_EQ(row.result.storage.offenderCount, 0);
        ASSERT_EQ(row.result.calibration.size(), precision == "bf16" ? 0U : 2U);
        for (const StageCalibration& stage : row.result.calibration) {
            // Each row is a worker of its own: the second one finds what the first one made.
            EXPECT_EQ(stage.fromCache, row.round == 1);
            EXPECT_EQ(stage.layers.empty(), !precision.starts_with("gptq"));
            std::string& content = contents[precision + stage.stage];
            EXPECT_TRUE(content.empty() || content == stage.content);
            content = stage.content;
        }
    }
    EXPECT_EQ(contents.size(), 8U);
    EXPECT_EQ(runCli({"report", folder, "--csv", "--json", "--md"}).exitCode, 0);
    const ProgramResult inspected =
        runCli({"inspect", "demo", "--precision", "gptq-int4-128", "--layers", "all"});
    EXPECT_EQ(inspected.exitCode, 0) << inspected.errors;
}

}  // namespace
