// Quantized checkpoints in layouts of others, core/model/quantized: what is read of headers and of
// the configuration beside them, and what damaged and contradictory ones are told.

#include "core/model/catalogue.h"
#include "tests/support/quantized_files.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <ostream>

namespace qs::core {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using Files = tests::QuantizedFiles;
using tests::packedFiles;
using tests::plainFiles;

constexpr const char* kModule = tests::kQuantizedModule;
const std::string kWeight = tests::kQuantizedWeight;

std::vector<std::uint64_t> matrixOf(const Files& files)
{
    return files.weights.tensors.at(kWeight).shape;
}

json torchAoTensor(std::uint64_t in)
{
    return {{"_type", "Int8Tensor"},
            {"_data",
             {{"act_quant_kwargs", nullptr},
              {"block_size", {1, in}},
              {"dtype", {{"_type", "torch.dtype"}, {"_data", "bfloat16"}}}}},
            {"_tensor_data_names", {"qdata", "scale"}}};
}

// Weight-only int8, as torchao writes it.
Files torchAoFiles()
{
    Files files = plainFiles();
    const auto shape = matrixOf(files);
    files.weights.tensors.erase(kWeight);
    files.weights.metadata["tensor_names"] = json::array({kWeight}).dump();
    files.weights.metadata[kWeight] = torchAoTensor(shape[1]).dump();
    files.weights.add(std::string(kModule) + "._weight_qdata", StoredType::I8, shape);
    files.weights.add(std::string(kModule) + "._weight_scale", StoredType::BF16, {shape[0], 1});
    return files;
}

json& packing(Files& files)
{
    return files.config["quantization_config"]["config_groups"]["group_0"]["weights"];
}

class QuantizedLayouts : public ::testing::Test
{
protected:
    Result<OpenedModel> open(const Files& files)
    {
        files.write(m_folder.path());
        const std::string reference = m_folder.path().string();
        const ModelInspection inspection = inspectModel(reference, {}, 42);
        Result<OpenedModel> opened = openModel(reference, {}, 42);
        EXPECT_EQ(inspection.usable(), opened.ok());
        return opened;
    }

    tests::TestFolder m_folder;
};

// They have names by which the family of the model knows its own checkpoints.
TEST_F(QuantizedLayouts, AreNotTakenForPlainOnesOfTheirFamily)
{
    for (const char* name : {"composite_encodings.pos_embed", "conv1.weight"}) {
        Files files = tests::ownLayoutFiles();
        files.weights.add(name, StoredType::F32, {1, 1});
        files.weights.add("layer1.0.conv1.weight", StoredType::F32, {1, 1});
        files.write(m_folder.path());
        EXPECT_EQ(familyOf(m_folder.path().string(), {}), "quantized") << name;
    }
}

TEST_F(QuantizedLayouts, PackedWeightsAreOfTheSchemeThatTheConfigurationSays)
{
    Files files = packedFiles();
    const auto opened = open(files);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Model& model = opened.value().model;
    const std::string key = "decoder/decoder_blocks.0.attn.qkv_proj.weight";
    EXPECT_EQ(model.quantized.size(), 1U);
    EXPECT_EQ(model.quantized.at(key), "gptq-int4-32:order=group");
    EXPECT_TRUE(opened.value().report.unexpected.empty());
    EXPECT_TRUE(model.trained());
    const auto& places = std::get<StoredWeights>(model.weights).places;
    EXPECT_EQ(places.at(key + ":codes").form, StoredForm::Packed);
    EXPECT_EQ(places.at(key + ":group").name, kWeight + "_g_idx");

    // The configuration is a part of what the model is.
    files.weights.tensors.erase(kWeight + "_g_idx");
    packing(files)["actorder"] = "static";
    const auto second = open(files);
    ASSERT_TRUE(second.ok()) << second.error().message;
    EXPECT_EQ(second.value().model.quantized.at(key), "gptq-int4-32");
    packing(files).erase("actorder");
    const auto third = open(files);
    ASSERT_TRUE(third.ok()) << third.error().message;
    EXPECT_EQ(third.value().model.quantized.at(key), "gptq-int4-32:order=none");
    EXPECT_NE(second.value().model.contentId, third.value().model.contentId);
}

TEST_F(QuantizedLayouts, TorchAoTensorsAreOfTheSchemeThatTheirDescriptionSays)
{
    Files files = torchAoFiles();
    constexpr std::uint64_t columns = 32;
    const auto opened = open(files);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ(opened.value().model.quantized.begin()->second, "int8wo");
    EXPECT_TRUE(opened.value().report.unexpected.empty());

    json about = torchAoTensor(32);
    about["_data"]["act_quant_kwargs"] = {
        {"_type", "QuantizeTensorToInt8Kwargs"},
        {"_data",
         {{"granularity", {{"_type", "PerRow"}, {"_data", {{"dim", -1}}}}},
          {"mapping_type", {{"_type", "MappingType"}, {"_data", "SYMMETRIC"}}}}}};
    about["_data"]["dtype"]["_data"] = "float16";
    files.weights.metadata[kWeight] = about.dump();
    const auto dynamic = open(files);
    ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
    EXPECT_EQ(dynamic.value().model.quantized.begin()->second, "int8dq:rest=fp16");

    about["_tensor_data_names"] = {"act_pre_scale", "qdata", "scale"};
    files.weights.metadata[kWeight] = about.dump();
    const std::string factors = std::string(kModule) + "._weight_act_pre_scale";
    files.weights.add(factors, StoredType::F16, {columns});
    const auto smooth = open(files);
    ASSERT_TRUE(smooth.ok()) << smooth.error().message;
    EXPECT_EQ(smooth.value().model.quantized.begin()->second, "int8sq:rest=fp16");
    EXPECT_TRUE(smooth.value().report.unexpected.empty());
    files.weights.add(factors, StoredType::F16, {columns + 1});
    EXPECT_FALSE(open(files).ok()) << "a factor too many";
}

struct Damage {
    const char* name;
    std::function<Files()> files;
    std::function<void(Files&)> act;
    std::string told;  // tensor, or place in the configuration
    ErrorCode code = ErrorCode::Format;

    friend void PrintTo(const Damage& each, std::ostream* stream) { *stream << each.name; }
};

class DamagedLayouts : public QuantizedLayouts, public ::testing::WithParamInterface<Damage>
{
};

TEST_P(DamagedLayouts, AreRefusedByTheTensorThatIsWrong)
{
    Files files = GetParam().files();
    GetParam().act(files);
    const auto opened = open(files);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, GetParam().code) << opened.error().message;
    EXPECT_THAT(opened.error().message, HasSubstr(GetParam().told));
    EXPECT_THAT(opened.error().message, HasSubstr(m_folder.path().string()));
}

Damage packed(const char* name, std::function<void(Files&)> act, std::string told)
{
    return {name, packedFiles, std::move(act), std::move(told)};
}

Damage without(const char* name, const std::string& suffix)
{
    return packed(
        name, [suffix](Files& files) { files.weights.tensors.erase(kWeight + suffix); },
        kWeight + suffix);
}

Damage wrongType(const char* name, const std::string& suffix, StoredType type)
{
    return packed(
        name,
        [suffix, type](Files& files) {
            files.weights.add(kWeight + suffix, type,
                              files.weights.tensors.at(kWeight + suffix).shape);
        },
        kWeight + suffix);
}

Damage wrongShape(const char* name, const std::string& suffix, std::vector<std::uint64_t> shape)
{
    return packed(
        name,
        [suffix, shape](Files& files) {
            files.weights.add(kWeight + suffix, files.weights.tensors.at(kWeight + suffix).type,
                              shape);
        },
        kWeight + suffix);
}

Damage lie(const char* name, const char* key, const json& value, std::string told)
{
    return packed(
        name, [key, value](Files& files) { packing(files)[key] = value; }, std::move(told));
}

Damage described(const char* name, std::function<void(json&)> act)
{
    return {name, torchAoFiles,
            [act = std::move(act)](Files& files) {
                json about = json::parse(files.weights.metadata.at(kWeight));
                act(about);
                files.weights.metadata[kWeight] = about.dump();
            },
            kModule};
}

Damage stored(const char* name, const char* suffix, StoredType type,
              std::vector<std::uint64_t> shape)
{
    const std::string tensor = std::string(kModule) + suffix;
    return {name, torchAoFiles, [=](Files& files) { files.weights.add(tensor, type, shape); },
            kModule};
}

INSTANTIATE_TEST_SUITE_P(
    Packed, DamagedLayouts,
    ::testing::Values(
        without("no codes", "_packed"), without("no scale", "_scale"),
        without("no shape", "_shape"), without("no group index", "_g_idx"),
        wrongType("codes of bytes", "_packed", StoredType::U8),
        wrongType("whole scale", "_scale", StoredType::I32),
        wrongType("index of halves", "_g_idx", StoredType::F16),
        wrongType("shape of floats", "_shape", StoredType::F32),
        wrongShape("too few words", "_packed", {96, 3}),
        wrongShape("a scale for each row", "_scale", {96, 3}),
        wrongShape("short index", "_g_idx", {31}), wrongShape("three extents", "_shape", {3}),
        packed(
            "negative extent",
            [](Files& files) { files.weights.put(kWeight + "_shape", 0, std::int64_t{-1}); },
            kWeight + "_shape"),
        packed(
            "more rows than words",
            [](Files& files) { files.weights.put(kWeight + "_shape", 0, std::int64_t{1} << 31); },
            kWeight + "_packed"),
        packed(
            "of another layer",
            [](Files& files) {
                const std::string other = "decoder.nowhere.weight";
                for (const char* suffix : {"_packed", "_scale", "_shape", "_g_idx"}) {
                    auto node = files.weights.tensors.extract(kWeight + suffix);
                    node.key() = other + suffix;
                    files.weights.tensors.insert(std::move(node));
                }
                files.config["quantization_config"]["config_groups"]["group_0"]["targets"] = {
                    "decoder.nowhere"};
            },
            "decoder.nowhere.weight"),
        packed(
            "zero points",
            [](Files& files) {
                files.weights.add(kWeight + "_zero_point", StoredType::I32, {12, 1});
            },
            kWeight + "_zero_point")));

INSTANTIATE_TEST_SUITE_P(
    LyingConfiguration, DamagedLayouts,
    ::testing::Values(
        lie("three bits", "num_bits", 3, "num_bits"), lie("eight bits", "num_bits", 8, "strategy"),
        lie("groups that do not divide", "group_size", 24, kWeight + "_shape"),
        lie("longer groups", "group_size", 64, kWeight + "_shape"),
        lie("shorter groups", "group_size", 16, kWeight + "_scale"),
        lie("no groups", "group_size", 0, "group_size"),
        lie("natural order", "actorder", nullptr, kWeight + "_g_idx"),
        lie("unknown order", "actorder", "random", "actorder"),
        lie("floats", "type", "float", "type"), lie("asymmetric", "symmetric", false, "symmetric"),
        lie("a number as text", "num_bits", "4", "num_bits"),
        packed(
            "ignored",
            [](Files& files) {
                files.config["quantization_config"]["ignore"] = json::array({kModule});
            },
            kModule),
        packed(
            "a layer without codes",
            [](Files& files) {
                files.config["quantization_config"]["config_groups"]["group_0"]["targets"]
                    .push_back("decoder.to_pixels");
            },
            "decoder.to_pixels.weight_packed"),
        packed(
            "a layer without a group",
            [](Files& files) {
                files.config["quantization_config"]["config_groups"]["group_0"]["targets"] =
                    json::array();
            },
            kModule),
        packed(
            "another format",
            [](Files& files) { files.config["quantization_config"]["format"] = "marlin-24"; },
            "format"),
        packed(
            "quantized inputs",
            [](Files& files) {
                files.config["quantization_config"]["config_groups"]["group_0"]
                            ["input_activations"] = {{"num_bits", 8}};
            },
            "input_activations"),
        packed(
            "unknown architecture",
            [](Files& files) { files.weights.metadata["architecture"] = "nobody:1"; }, "nobody:1"),
        Damage{"no architecture", packedFiles,
               [](Files& files) { files.weights.metadata.erase("architecture"); }, "architecture",
               ErrorCode::Unsupported}));

INSTANTIATE_TEST_SUITE_P(
    TorchAo, DamagedLayouts,
    ::testing::Values(
        stored("codes of bytes", "._weight_qdata", StoredType::U8, {96, 32}),
        stored("a vector of codes", "._weight_qdata", StoredType::I8, {3072}),
        stored("codes of other extents", "._weight_qdata", StoredType::I8, {32, 96}),
        stored("one scale", "._weight_scale", StoredType::BF16, {1, 1}),
        stored("whole scale", "._weight_scale", StoredType::I32, {96, 1}),
        described("another class", [](json& about) { about["_type"] = "NVFP4Tensor"; }),
        described("codes of floats", [](json& about) { about["_type"] = "Float8Tensor"; }),
        described("no description", [](json& about) { about = 3; }),
        described("blocks of 16",
                  [](json& about) {
                      about["_data"]["block_size"] = {1, 16};
                  }),
        described("one block for all",
                  [](json& about) {
                      about["_data"]["block_size"] = {96, 32};
                  }),
        described("of doubles", [](json& about) { about["_data"]["dtype"]["_data"] = "float64"; }),
        described("inputs by a rule of their own",
                  [](json& about) {
                      about["_data"]["act_quant_kwargs"] = {{"_type", "Other"}};
                  }),
        described("with zero points",
                  [](json& about) { about["_tensor_data_names"].push_back("zero_point"); }),
        described("inputs multiplied and not quantized",
                  [](json& about) { about["_tensor_data_names"].push_back("act_pre_scale"); }),
        described("part of a part",
                  [](json& about) { about["_tensor_data_names"].push_back(json::array()); }),
        Damage{"of another architecture", torchAoFiles,
               [](Files& files) {
                   files.weights.add(std::string(kModule) + "._weight_qdata", StoredType::I8,
                                     {48, 32});
                   files.weights.add(std::string(kModule) + "._weight_scale", StoredType::BF16,
                                     {48, 1});
               },
               kWeight + ": file [48, 32]"},
        Damage{"no scale", torchAoFiles,
               [](Files& files) {
                   files.weights.tensors.erase(std::string(kModule) + "._weight_scale");
               },
               "._weight_scale"},
        Damage{"names that are no list", torchAoFiles,
               [](Files& files) { files.weights.metadata["tensor_names"] = "{}"; }, "tensor_names"},
        Damage{
            "a name that is not there", torchAoFiles,
            [](Files& files) { files.weights.metadata["tensor_names"] = R"(["decoder.nowhere"])"; },
            "decoder.nowhere"}));

}  // namespace
}  // namespace qs::core
