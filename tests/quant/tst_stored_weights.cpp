// Quantized checkpoints of our own layout: what is damaged is found in their headers.

#include "core/quant/stored_weights.h"

#include "core/model/catalogue.h"
#include "core/model/vitok/variant.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/edited_safetensors.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <ostream>
#include <string>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::EditedSafetensors;

constexpr const char* kArchitecture = "vitok:w32_d1_h2-w32_d1_h2/1x2x4";
const std::string kWeight = "decoder.decoder_blocks.0.attn.qkv_proj.weight";

void setScheme(EditedSafetensors& file, const std::string& scheme)
{
    file.metadata["schemes"] = nlohmann::json{{kWeight, scheme}}.dump();
}

// One weight in int8wo, all others as they are.
EditedSafetensors checkpoint()
{
    EditedSafetensors file;
    file.metadata = {{"format", "quantscope-quantized"},
                     {"version", "1"},
                     {"architecture", kArchitecture},
                     {"trained", "yes"}};
    setScheme(file, "int8wo");
    const auto variant = vitok::parseVariant(std::string(kArchitecture).substr(6));
    const auto family = vitok::makeFamily(variant.value());
    for (const StageInfo& stage : family->stages()) {
        for (const WeightSpec& spec : stage.weights)
            file.add(stage.name + "." + spec.name, StoredType::BF16,
                     {spec.shape.begin(), spec.shape.end()});
    }
    const auto shape = file.tensors.at(kWeight).shape;
    file.tensors.erase(kWeight);
    file.add(kWeight + ":codes", StoredType::I8, shape);
    file.add(kWeight + ":scale", StoredType::F32, {shape[0], 1});
    return file;
}

struct Damage {
    const char* name;
    std::function<void(EditedSafetensors&)> act;
    std::string told;  // beside the file and the weight

    friend void PrintTo(const Damage& each, std::ostream* stream) { *stream << each.name; }
};

Status checked(const EditedSafetensors& file, const tests::TestFolder& folder)
{
    file.write(folder / "model.safetensors");
    auto opened = openModel(folder.path().string(), {}, 42);
    EXPECT_TRUE(opened.ok()) << "this is not what the layout itself tells";
    return opened.ok() ? checkStoredWeights(opened.value().model) : Status(opened.error());
}

TEST(StoredWeightsChecks, SoundCheckpointsPass)
{
    const tests::TestFolder folder;
    EXPECT_TRUE(checked(checkpoint(), folder).ok());
    const auto generated = openModel(kArchitecture, {}, 42);
    EXPECT_TRUE(checkStoredWeights(generated.value().model).ok()) << "nothing is stored";
}

class DamagedStoredWeights : public testing::TestWithParam<Damage>
{
};

TEST_P(DamagedStoredWeights, AreToldByFileAndWeight)
{
    const tests::TestFolder folder;
    EditedSafetensors file = checkpoint();
    GetParam().act(file);
    const Status status = checked(file, folder);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::Format);
    EXPECT_THAT(status.error().message, HasSubstr((folder / "model.safetensors").string()));
    EXPECT_THAT(status.error().message, HasSubstr("decoder_blocks.0.attn.qkv_proj.weight"));
    EXPECT_THAT(status.error().message, HasSubstr(GetParam().told));
}

INSTANTIATE_TEST_SUITE_P(
    All, DamagedStoredWeights,
    testing::Values(
        Damage{"UnknownScheme", [](auto& file) { setScheme(file, "int8qq"); }, "int8qq"},
        Damage{"UnknownParameter", [](auto& file) { setScheme(file, "int8wo:by=luck"); }, "luck"},
        Damage{"NotStored", [](auto& file) { setScheme(file, "bf16"); }, "bf16"},
        Damage{"GroupThatDoesNotDivide", [](auto& file) { setScheme(file, "int4wo-128"); },
               "int4wo-128"},
        Damage{"OtherScheme", [](auto& file) { setScheme(file, "float8wo"); }, "float8wo"},
        Damage{"MissingPart", [](auto& file) { file.tensors.erase(kWeight + ":scale"); }, ":scale"},
        Damage{"OtherShape",
               [](auto& file) {
                   file.tensors.erase(kWeight + ":scale");
                   file.add(kWeight + ":scale", StoredType::F32, {1, 1});
               },
               ":scale"},
        Damage{"OtherType",
               [](auto& file) {
                   const auto shape = file.tensors.at(kWeight + ":codes").shape;
                   file.tensors.erase(kWeight + ":codes");
                   file.add(kWeight + ":codes", StoredType::U8, shape);
               },
               "U8"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace qs::core
