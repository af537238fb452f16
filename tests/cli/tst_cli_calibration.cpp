// Precisions that are calibrated, from preset to report, on the trained demo model.

#include "tests/cli/cli_fixture.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::HasSubstr;

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
                               "gptq-int4-64:samples=2", "float8-delayed:history=2:samples=2"]},
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

class OwnCalibrationCli : public CalibratingCli
{
protected:
    // A preset that measures next to nothing; `members` stand in front of its measurement.
    [[nodiscard]] std::string preset(const std::string& members) const
    {
        const std::string file = m_folder / "own.json";
        writeFile(file, R"({"schema_version": 1, "name": "own", )" + members + R"(,
            "rounds": 1, "noise_floor": false,
            "measurement": {"minimum_warmup_seconds": 0, "maximum_warmup_seconds": 0.05,
                            "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1,
                            "minimum_samples": 3},
            "pictures": {"source": "procedural", "count": 2}})");
        return file;
    }
    [[nodiscard]] std::string imagePreset(const std::string& precision) const
    {
        return preset(R"("defaults": {"model": "demo", "device": "cpu", "precision": "bf16",
            "image_size": 32}, "axes": {"precision": ["bf16", ")" +
                      precision + R"("]})");
    }
    // Texts of 32 bytes and more, one a line.
    void writeTexts(const std::string& name, const std::string& begin) const
    {
        std::string text;
        for (int line = 0; line < 4; ++line)
            text += begin + std::to_string(line) + " is a text for the demo text model\n";
        writeFile(m_folder / name, text);
    }
    [[nodiscard]] std::string textPreset() const
    {
        return preset(R"("defaults": {"model": "demo-text", "device": "cpu", "precision": "bf16",
            "prompt_tokens": 32, "new_tokens": 0},
            "model_io": {"inputs": {"tokens": "text:judged.txt:tokenizer=bytes"}},
            "calibration": {"inputs": {"tokens": "text:own.txt:tokenizer=bytes"}},
            "axes": {"precision": ["bf16", "int8sq:samples=3:set=own",
                                   "gptq-int4-64:samples=4:set=own:seed=3"]})");
    }
    [[nodiscard]] static std::string pictures()
    {
        return dataFile("../resources/test_images").string();
    }
    [[nodiscard]] ProgramResult run(const std::string& preset, const std::string& folder,
                                    std::vector<std::string> more = {}) const
    {
        more.insert(more.begin(), {"run", preset, "--out", m_folder / folder});
        return runCli(more);
    }
    [[nodiscard]] std::vector<Measurement> rowsOf(const std::string& folder,
                                                  const std::string& set) const
    {
        std::vector<Measurement> rows;
        const RunData data = readRunFolder(m_folder / folder).value();
        for (const Measurement& row : data.measurements) {
            if (!row.result.calibration.empty() && row.result.calibration[0].set == set)
                rows.push_back(row);
        }
        return rows;
    }
};

TEST_F(OwnCalibrationCli, PicturesOfAnOptionAreCalibratedOn)
{
    const std::string preset = imagePreset("int8-static:samples=3:set=own");
    const ProgramResult none = run(preset, "none", {"--dry-run"});
    EXPECT_EQ(none.exitCode, 0) << "bf16 can run";
    EXPECT_THAT(none.output, HasSubstr("needs a calibration set"));
    const ProgramResult result =
        run(preset, "run", {"--calibration-images", pictures(), "--set", "pictures.count=2"});
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    const auto rows = rowsOf("run", "own");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_TRUE(rows[0].ok());
    EXPECT_EQ(rows[0].result.calibration[0].samples, 3);
    const Plan plan = readRunFolder(m_folder / "run").value().plan;
    EXPECT_TRUE(std::filesystem::exists(
        m_folder / "run" / calibrationFolderOf(*plan.find(rows[0].cellId)) / "pictures_32.npy"));
    const ProgramResult few = run(imagePreset("int8-static:samples=64:set=own"), "few",
                                  {"--calibration-images", pictures(), "--dry-run"});
    EXPECT_THAT(few.output, HasSubstr("calibration needs 64 samples and its set has 16"));
    EXPECT_THAT(run(imagePreset("float8-delayed:samples=2"), "history", {"--dry-run"}).output,
                HasSubstr("a history of 16 passes needs as many calibration passes"));
}

// Its id depends on what it is calibrated on, and the row has to fit it.
TEST_F(OwnCalibrationCli, TheInputsOfTheRunAreCalibratedOnAndSaidToFlatter)
{
    const ProgramResult result = run(imagePreset("int8-static:samples=2:set=inputs"), "run");
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    const auto rows = rowsOf("run", "inputs");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_TRUE(rows[0].ok());
    EXPECT_THAT(rows[0].result.notes,
                testing::Contains(Note{NoteCode::CalibratedOnQualityInputs, {2.0, 2.0}}));
    EXPECT_EQ(runCli({"run", "--resume", "--out", m_folder / "run"}).exitCode, 0);
}

TEST_F(OwnCalibrationCli, TextsOfThePresetAreCalibratedOnAndOthersAreOtherCells)
{
    writeTexts("judged.txt", "judged");
    writeTexts("own.txt", "calibrated");
    const ProgramResult result = run(textPreset(), "run");
    ASSERT_EQ(result.exitCode, 0) << result.output << result.errors;
    const auto rows = rowsOf("run", "own");
    ASSERT_EQ(rows.size(), 2U);
    for (const Measurement& row : rows)
        EXPECT_TRUE(row.ok()) << precisionText(row.config);
    writeTexts("own.txt", "changed");
    ASSERT_EQ(run(textPreset(), "again").exitCode, 0);
    const auto again = rowsOf("again", "own");
    ASSERT_EQ(again.size(), 2U);
    for (const Measurement& row : again) {
        for (const Measurement& before : rows) {
            EXPECT_NE(row.cellId, before.cellId);
            EXPECT_NE(row.result.calibration[0].content, before.result.calibration[0].content);
        }
        EXPECT_FALSE(row.result.calibration[0].fromCache);
    }
    // Those that quality is judged on are counted, and an option takes the place of the preset.
    const ProgramResult same =
        run(textPreset(), "same",
            {"--dry-run", "--calibration-input",
             "tokens=text:" + (m_folder / "judged.txt").string() + ":tokenizer=bytes"});
    EXPECT_THAT(same.output, HasSubstr("3 of 3 calibration samples are among the inputs"));
}

TEST_F(OwnCalibrationCli, ACheckpointIsCalibratedOnPicturesAndTexts)
{
    const std::string out = m_folder / "checkpoint";
    const ProgramResult images =
        runCli({"quantize", "demo", "--precision", "int8-static:samples=4:set=own", "--size",
                "image_size=32", "--calibration-images", pictures(), "--out", out});
    ASSERT_EQ(images.exitCode, 0) << images.output << images.errors;
    EXPECT_THAT(images.output, HasSubstr("4 samples (own)"));
    for (const auto& each : std::filesystem::directory_iterator(out))
        EXPECT_TRUE(each.is_regular_file()) << each.path() << ": the copies of the set are gone";
    // What is stored is not calibrated again, whatever set the sweep has.
    const std::string stored = preset(R"("defaults": {"model": ")" + out +
                                      R"(/model.safetensors", "device": "cpu", "image_size": 32,
                  "precision": "int8-static:samples=4:set=own"})");
    const ProgramResult again = run(stored, "stored", {"--calibration-images", pictures()});
    EXPECT_EQ(again.exitCode, 0) << again.output << again.errors;
    writeTexts("own.txt", "calibrated");
    const ProgramResult texts =
        runCli({"quantize", "demo-text", "--precision", "gptq-int4-64:samples=4:set=own", "--size",
                "prompt_tokens=32", "--calibration-input",
                "tokens=text:" + (m_folder / "own.txt").string() + ":tokenizer=bytes", "--out",
                m_folder / "texts"});
    ASSERT_EQ(texts.exitCode, 0) << texts.output << texts.errors;
    EXPECT_THAT(texts.output, HasSubstr("4 samples (own)"));
}

TEST_F(OwnCalibrationCli, ACheckpointIsRefusedWhereItsSetIsNone)
{
    const auto refused = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"quantize", "demo", "--out", m_folder / "refused"});
        const ProgramResult result = runCli(more);
        EXPECT_NE(result.exitCode, 0);
        EXPECT_FALSE(std::filesystem::exists(m_folder / "refused"));
        return result.errors;
    };
    EXPECT_THAT(refused({"--precision", "int8sq:set=own"}), HasSubstr("--calibration-images"));
    EXPECT_THAT(refused({"--precision", "int8sq:set=inputs"}), HasSubstr("set=own"));
    EXPECT_THAT(refused({"--precision", "int8sq", "--calibration-images", pictures()}),
                HasSubstr("no precision uses it"));
    EXPECT_THAT(
        refused({"--precision", "int8sq:samples=17:set=own", "--calibration-images", pictures()}),
        HasSubstr("its set has 16"));
    EXPECT_THAT(refused({"--precision", "int8sq:samples=2:set=own", "--calibration-images",
                         m_folder / "nowhere"}),
                HasSubstr("nowhere"));
}

TEST_F(OwnCalibrationCli, ACheckpointWithNothingQuantizedIsNone)
{
    const std::string out = m_folder / "nothing";
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"llama:tiny", "--precision", "gptq-int4-128:samples=2"},
          {"demo", "--precision", "int8wo", "--layers", "only:no.such.layer"}}) {
        std::vector<std::string> arguments{"quantize", "--out", out};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(runCli(arguments).exitCode, 2) << more.front();
        EXPECT_FALSE(std::filesystem::exists(out));
    }
    const ProgramResult some =
        runCli({"quantize", "demo-text", "--precision", "int4wo-256", "--out", out});
    EXPECT_EQ(some.exitCode, 0) << some.errors;
    EXPECT_THAT(some.errors, HasSubstr("4 of 28 layers")) << "and 384 inputs are no multiple";
}

TEST_F(OwnCalibrationCli, EntriesGoFromCacheToCache)
{
    EXPECT_THAT(runCli({"calibration", "list"}).output, HasSubstr("nothing was calibrated yet"));
    const std::string preset = imagePreset("gptq-int4-64:samples=2");
    ASSERT_EQ(run(preset, "first").exitCode, 0);
    const ProgramResult listed = runCli({"calibration", "list"});
    EXPECT_EQ(listed.exitCode, 0);
    EXPECT_THAT(listed.output, HasSubstr("gptq-int4-64:samples=2, 2 samples (generated)"));
    EXPECT_THAT(listed.output, HasSubstr("2 entries in"));
    const std::filesystem::path saved = m_folder / "saved";
    const ProgramResult exported = runCli({"calibration", "export", saved});
    EXPECT_EQ(exported.exitCode, 0) << exported.errors;
    // Another computer.
    ::setenv("QUANTSCOPE_CACHE", (m_folder / "other").c_str(), 1);
    const ProgramResult imported = runCli({"calibration", "import", saved});
    EXPECT_EQ(imported.exitCode, 0) << imported.errors;
    EXPECT_THAT(runCli({"calibration", "import", saved}).output, HasSubstr("2 were there already"));
    ASSERT_EQ(run(preset, "second").exitCode, 0);
    const auto first = rowsOf("first", "generated");
    const auto second = rowsOf("second", "generated");
    ASSERT_EQ(second.size(), 1U);
    for (const StageCalibration& stage : second[0].result.calibration)
        EXPECT_TRUE(stage.fromCache) << stage.stage;
    EXPECT_EQ(second[0].result.outputs.at(0).sha256, first.at(0).result.outputs.at(0).sha256);
}

TEST_F(OwnCalibrationCli, DamagedEntriesAreRefusedByName)
{
    ASSERT_EQ(run(imagePreset("int8sq:samples=2"), "run").exitCode, 0);
    const std::filesystem::path saved = m_folder / "saved";
    ASSERT_EQ(runCli({"calibration", "export", saved}).exitCode, 0);
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::directory_iterator(saved))
        files.push_back(each.path());
    ASSERT_EQ(files.size(), 2U);
    std::string bytes = readFile(files[0]);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    writeFile(files[0], bytes);
    ::setenv("QUANTSCOPE_CACHE", (m_folder / "other").c_str(), 1);
    const ProgramResult imported = runCli({"calibration", "import", saved});
    EXPECT_EQ(imported.exitCode, 1);
    EXPECT_THAT(imported.errors, HasSubstr(files[0].filename().string()));
    EXPECT_THAT(imported.output, HasSubstr("1 entries taken into"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "other/calibration" / files[0].filename()));
    EXPECT_TRUE(std::filesystem::exists(m_folder / "other/calibration" / files[1].filename()));
    // One of them by name, and what is not there.
    EXPECT_EQ(
        runCli({"calibration", "import", saved, "--entry", files[1].stem().string().substr(0, 12)})
            .exitCode,
        1)
        << "the other one is still damaged";
    EXPECT_EQ(runCli({"calibration", "import", files[1]}).exitCode, 0);
    EXPECT_NE(runCli({"calibration", "import", m_folder / "nowhere"}).exitCode, 0);
    EXPECT_NE(runCli({"calibration"}).exitCode, 0);
}

}  // namespace
