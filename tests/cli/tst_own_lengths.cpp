// Prompts of several lengths in one sweep, on the trained demo text model.

#include "core/record/output_places.h"
#include "core/record/stored_values.h"
#include "tests/cli/cli_fixture.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class OwnLengths : public testing::Test
{
protected:
    OwnLengths() { ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1); }
    ~OwnLengths() override { ::unsetenv("QUANTSCOPE_CACHE"); }

    // Of these prompts, one a line, in passes of so many tokens.
    [[nodiscard]] ProgramResult run(const std::string& name, const std::string& prompts,
                                    const std::string& option, int tokens,
                                    std::vector<std::string> more = {}) const
    {
        const std::string texts = m_folder / (name + ".txt");
        const std::string preset = m_folder / (name + ".json");
        writeFile(texts, prompts);
        writeFile(preset, R"({"schema_version": 1, "name": "own lengths",
            "defaults": {"model": "demo-text", "device": "cpu", "precision": "bf16", "batch": 2,
                         "new_tokens": 4, "prompt_tokens": )" +
                              std::to_string(tokens) + R"(},
            "model_io": {"inputs": {"tokens": "text:)" +
                              texts + ":tokenizer=bytes" + option + R"("}},
            "axes": {"precision": ["bf16", "int8wo"]},
            "rounds": 1, "noise_floor": false, "isolation": "model",
            "measurement": {"stopping": "count", "warmup_samples": 0, "minimum_samples": 1,
                            "maximum_samples": 1}})");
        more.insert(more.begin(), {"run", preset, "--out", m_folder / name});
        return runCli(more);
    }
    // Hashes of the outputs, by precision.
    [[nodiscard]] std::map<std::string, std::vector<std::string>>
    outputs(const std::string& name) const
    {
        std::map<std::string, std::vector<std::string>> all;
        const RunData data = readRunFolder(m_folder / name).value();
        for (const Measurement& row : data.measurements) {
            for (const OutputRecord& output : row.result.outputs)
                all[precisionText(row.config)].push_back(output.sha256);
        }
        return all;
    }

    TestFolder m_folder;
};

// As one who asks the model: not a bit of it depends on the prompts beside it.
TEST_F(OwnLengths, EachPromptIsAnsweredAsIfItWereAlone)
{
    const std::string first = "The capital of France is\n";
    const std::string second = "Water boils at\n";
    const ProgramResult both = run("both", first + second, ":length=own", 24);
    ASSERT_EQ(both.exitCode, 0) << both.output << both.errors;
    ASSERT_EQ(run("first", first, "", 24).exitCode, 0);
    ASSERT_EQ(run("second", second, "", 14).exitCode, 0);
    const auto own = outputs("both");
    const auto ofFirst = outputs("first");
    const auto ofSecond = outputs("second");
    ASSERT_THAT(own, SizeIs(2));
    for (const auto& [precision, hashes] : own) {
        SCOPED_TRACE(precision);
        EXPECT_THAT(hashes, ElementsAre(ofFirst.at(precision).at(0), ofSecond.at(precision).at(0)));
    }
    // The prompt that is kept is the one that was read.
    const RunData data = readRunFolder(m_folder / "both").value();
    for (const Measurement& row : data.measurements) {
        const auto prompt =
            readStoredTokens(data.folder, outputPlace(row.cellId), TokenFile::Prompt, 1);
        ASSERT_TRUE(prompt.ok()) << prompt.error().message;
        EXPECT_THAT(prompt.value(), SizeIs(14));
    }
}

TEST_F(OwnLengths, WhatCannotBeIsSaidBeforeTheRun)
{
    const std::string prompts = "The capital of France is\nWater boils at\n";
    const ProgramResult longer = run("longer", prompts, ":length=own", 20);
    EXPECT_NE(longer.exitCode, 0) << longer.output;
    EXPECT_THAT(longer.errors, HasSubstr("prompt 1"));
    const ProgramResult compiled =
        run("compiled", prompts, ":length=own", 24, {"--set", "compile=none,fused", "--dry-run"});
    EXPECT_EQ(compiled.exitCode, 0) << compiled.errors;
    EXPECT_THAT(compiled.output, HasSubstr("length=own"));
    const ProgramResult calibrated =
        run("calibrated", prompts, ":length=own", 24,
            {"--set", "precision=bf16,int8sq:set=inputs:samples=2", "--dry-run"});
    EXPECT_THAT(calibrated.output, HasSubstr("length=own"));
}

}  // namespace
