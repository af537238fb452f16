// Quick presets of the documents from end to end: one round of each, the files of its document's
// own script, and its report. Those that tst_research_preset.cpp measures are looked at there.

#include "core/base/json.h"
#include "tests/cli/cli_fixture.h"
#include "tests/cli/profile_reasons.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace qs::tests {
namespace {

// The others have it: two cores that other tests keep busy are slower with two threads.
constexpr const char* kOneThread = "env=OMP_NUM_THREADS=1";

struct QuickPreset {
    std::string preset;  // below presets/
    std::string profile;
    // Filters, where all of it would take too long, and what cannot be had everywhere.
    std::vector<std::string> options = {};
    std::string complete = {};  // a file of the profile whose record has no null
};

void PrintTo(const QuickPreset& each, std::ostream* stream)
{
    *stream << each.preset;
}

std::vector<QuickPreset> quickPresets()
{
    return {
        {.preset = "vitok/quick_encode_decode.json",
         .profile = "vitok-benchmark",
         .options = {"--set", "noise_floor=false", "--set", kOneThread, "--filter",
                     "precision=float8dq-tensor/bf16"}},
        {.preset = "vitok/quick_attention_mlp.json",
         .profile = "vitok-benchmark",
         .options = {"--set", "noise_floor=false", "--set", kOneThread, "--filter",
                     "precision=int8dq", "--filter", "layers=mlp"}},
        {.preset = "vitok/quick_batches.json",
         .profile = "vitok-benchmark",
         .options = {"--set", kOneThread, "--filter", "precision=int8dq", "--filter", "batch=1,2"}},
        // What is compiled needs a compiler, which is called in tests/oracle.
        {.preset = "surgical_compile/quick.json",
         .profile = "surgical-compile",
         .options = {"--filter", "compile=none,regions:silu_gate", "--filter", "precision=bf16"}},
        {.preset = "gptq_compile/numerical_check.json",
         .profile = "gptq-benchmark",
         .options = {"--set", "new_tokens=5", "--set", "measurement.warmup_samples=0", "--set",
                     "measurement.minimum_samples=1", "--set", "measurement.maximum_samples=1",
                     "--set",
                     "precision=bf16,gptq-int4-128:by=straight:samples=4,"
                     "gptq-int4-128:samples=4"},
         .complete = "artifacts/demo-text_gptq-int4-128_samples_4/numerical_check.json"},
    };
}

class QuickPresets : public testing::TestWithParam<QuickPreset>
{
protected:
    QuickPresets()
    {
        ::setenv("QUANTSCOPE_CACHE", (m_folder / "cache").c_str(), 1);
        ::setenv("QUANTSCOPE_PYTHON", "/bin/false", 1);
    }
    ~QuickPresets() override
    {
        ::unsetenv("QUANTSCOPE_CACHE");
        ::unsetenv("QUANTSCOPE_PYTHON");
    }

    TestFolder m_folder;
    std::string m_run = m_folder / "run";
    std::string m_files = m_folder / "files";
};

TEST_P(QuickPresets, FillsItsFilesAndItsPlots)
{
    const QuickPreset& each = GetParam();
    std::vector<std::string> arguments{"run",   dataFile("../presets/" + each.preset).string(),
                                       "--out", m_run,
                                       "--set", "rounds=1",
                                       "--set", "isolation=model"};
    arguments.insert(arguments.end(), each.options.begin(), each.options.end());
    const ProgramResult ran = runCli(arguments);
    ASSERT_EQ(ran.exitCode, 0) << ran.output << ran.errors;

    const ProgramResult exported =
        runCli({"report", m_run, "--profile", each.profile, "--out", m_files});
    ASSERT_EQ(exported.exitCode, 0) << exported.errors;
    EXPECT_FALSE(filesWithRecords(m_files).empty());
    expectReasons(m_files);
    if (!each.complete.empty()) {
        const core::Json record = core::readJsonFile(m_files + "/" + each.complete).value();
        for (const auto& [field, value] : record.items())
            EXPECT_FALSE(value.is_null()) << field;
    }
    expectPlots(m_run, m_folder / "page");
}

std::string nameOf(const testing::TestParamInfo<QuickPreset>& info)
{
    std::string name;
    for (const char letter : info.param.preset.substr(0, info.param.preset.rfind('.')))
        name += letter == '/' ? '_' : letter;
    return name;
}

INSTANTIATE_TEST_SUITE_P(Documents, QuickPresets, testing::ValuesIn(quickPresets()), nameOf);

TEST(QuickPresetList, HasAllThatAreShipped)
{
    // The others are those of tst_research_preset.cpp.
    std::set<std::string> listed{"gptq_compile/quick.json",         "gptq_compile/text_quick.json",
                                 "gptq_compile/quick_options.json", "olmoearth/quick.json",
                                 "resnet_precision/quick.json",     "vitok/quick_matrix.json",
                                 "vitok/quick_shapes.json"};
    for (const QuickPreset& each : quickPresets())
        listed.insert(each.preset);
    std::set<std::string> shipped{"gptq_compile/numerical_check.json"};
    const std::filesystem::path folder = dataFile("../presets");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string name = std::filesystem::relative(entry.path(), folder).string();
        if (entry.is_regular_file() && name.find("quick") != std::string::npos &&
            !name.starts_with("quick_start"))
            shipped.insert(name);
    }
    EXPECT_EQ(listed, shipped);
}

}  // namespace
}  // namespace qs::tests
