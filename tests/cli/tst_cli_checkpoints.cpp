// What the command line says of quantized checkpoints that are damaged, and that it writes nothing.

#include "tests/cli/running_program.h"
#include "tests/support/quantized_files.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <ostream>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr int kUsage = 2;

struct Damage {
    const char* name;
    std::function<QuantizedFiles()> files;
    std::function<void(QuantizedFiles&)> act;
    const char* told;  // the part, or the scheme

    friend void PrintTo(const Damage& each, std::ostream* stream) { *stream << each.name; }
};

class DamagedCheckpoints : public testing::TestWithParam<Damage>
{
protected:
    DamagedCheckpoints()
    {
        QuantizedFiles files = GetParam().files();
        GetParam().act(files);
        fs::create_directory(m_model);
        files.write(m_model);
        writeTinyPreset(m_preset);
    }

    // Names the file and the tensor, says what to do, and leaves nothing behind.
    void expectRefused(const std::vector<std::string>& arguments) const
    {
        SCOPED_TRACE(arguments.front());
        const ProgramResult result = runCli(arguments);
        EXPECT_EQ(result.exitCode, kUsage) << result.output;
        EXPECT_THAT(result.errors,
                    AllOf(HasSubstr(m_model / "model.safetensors"),
                          HasSubstr("decoder_blocks.0.attn.qkv_proj.weight"),
                          HasSubstr(GetParam().told), HasSubstr("download the checkpoint again")));
        EXPECT_FALSE(fs::exists(m_out));
    }

    TestFolder m_folder;
    fs::path m_model = m_folder / "model";
    std::string m_preset = m_folder / "tiny.json";
    std::string m_out = m_folder / "out";
};

TEST_P(DamagedCheckpoints, AreRefusedBeforeAnythingIsWritten)
{
    const std::string model = m_model.string();
    expectRefused({"inspect", model});
    expectRefused({"quantize", model, "--precision", "int8dq", "--out", m_out});
    expectRefused({"run", m_preset, "--model", model, "--out", m_out});
    expectRefused({"run", m_preset, "--model", model, "--out", m_out, "--dry-run"});
}

void erase(QuantizedFiles& files, const char* suffix)
{
    files.weights.tensors.erase(kQuantizedWeight + suffix);
}

void retype(QuantizedFiles& files, const char* suffix, StoredType type)
{
    const auto shape = files.weights.tensors.at(kQuantizedWeight + suffix).shape;
    files.weights.add(kQuantizedWeight + suffix, type, shape);
}

INSTANTIATE_TEST_SUITE_P(
    Each, DamagedCheckpoints,
    testing::Values(
        Damage{"OwnUnknownScheme", ownLayoutFiles, [](auto& files) { setScheme(files, "int8qq"); },
               "int8qq"},
        Damage{"OwnGroupThatDoesNotDivide", ownLayoutFiles,
               [](auto& files) { setScheme(files, "int4wo-128"); }, "int4wo-128"},
        Damage{"OwnWithoutAScale", ownLayoutFiles, [](auto& files) { erase(files, ":scale"); },
               "qkv_proj.weight:scale"},
        Damage{"OwnCodesOfAnotherType", ownLayoutFiles,
               [](auto& files) { retype(files, ":codes", StoredType::U8); },
               "qkv_proj.weight:codes"},
        Damage{"PackedWithoutAScale", packedFiles, [](auto& files) { erase(files, "_scale"); },
               "qkv_proj.weight_scale"},
        Damage{"PackedCodesOfBytes", packedFiles,
               [](auto& files) { retype(files, "_packed", StoredType::U8); },
               "qkv_proj.weight_packed"},
        Damage{"PackedWithAShortIndex", packedFiles,
               [](auto& files) {
                   files.weights.add(kQuantizedWeight + "_g_idx", StoredType::I32, {31});
               },
               "qkv_proj.weight_g_idx"},
        Damage{"PackedInAnotherOrder", packedFiles,
               [](auto& files) {
                   files.config["quantization_config"]["config_groups"]["group_0"]["weights"].erase(
                       "actorder");
               },
               "qkv_proj.weight_g_idx"}),
    [](const auto& info) { return std::string(info.param.name); });

// The same files without the damage are told of, so that it is the damage that is refused.
TEST(SoundCheckpoints, AreInspected)
{
    for (const auto& make : {ownLayoutFiles, packedFiles}) {
        const TestFolder folder;
        make().write(folder.path());
        const ProgramResult result = runCli({"inspect", folder.path().string()});
        EXPECT_EQ(result.exitCode, 0) << result.errors;
    }
}

}  // namespace
