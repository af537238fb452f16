// Quantized checkpoints of our own layout: what is damaged is found in their headers.

#include "core/quant/stored_weights.h"

#include "core/model/catalogue.h"
#include "core/quant/checked_model.h"
#include "tests/support/quantized_files.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::QuantizedFiles;
using tests::setScheme;

const std::string kWeight = tests::kQuantizedWeight;

struct Damage {
    const char* name;
    std::function<void(QuantizedFiles&)> act;
    std::string told;  // beside the file and the weight

    friend void PrintTo(const Damage& each, std::ostream* stream) { *stream << each.name; }
};

Status checked(const QuantizedFiles& files, const tests::TestFolder& folder)
{
    files.write(folder.path());
    const std::string reference = folder.path().string();
    auto opened = openModel(reference, {}, 42);
    EXPECT_TRUE(opened.ok()) << "this is not what the layout itself tells";
    const Status status =
        opened.ok() ? checkStoredWeights(opened.value().model) : Status(opened.error());
    // Nobody opens a model or tells of one without it.
    const auto checked = openCheckedModel(reference, {}, 42);
    const ModelInspection inspection = inspectCheckedModel(reference, {}, 42);
    EXPECT_EQ(checked.ok(), status.ok());
    EXPECT_EQ(inspection.usable(), status.ok());
    if (!status.ok() && !checked.ok() && !inspection.usable()) {
        EXPECT_EQ(checked.error().message, status.error().message);
        EXPECT_EQ(inspection.status.error().message, status.error().message);
    }
    EXPECT_FALSE(inspection.report.recognised.empty()) << "what is damaged is recognised";
    return status;
}

TEST(StoredWeightsChecks, SoundCheckpointsPass)
{
    const tests::TestFolder folder;
    EXPECT_TRUE(checked(tests::ownLayoutFiles(), folder).ok());
    const auto generated = openModel(tests::kQuantizedArchitecture, {}, 42);
    EXPECT_TRUE(checkStoredWeights(generated.value().model).ok()) << "nothing is stored";
}

class DamagedStoredWeights : public testing::TestWithParam<Damage>
{
};

TEST_P(DamagedStoredWeights, AreToldByFileAndWeight)
{
    const tests::TestFolder folder;
    QuantizedFiles files = tests::ownLayoutFiles();
    GetParam().act(files);
    const Status status = checked(files, folder);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::Format);
    EXPECT_THAT(status.error().message, HasSubstr((folder / "model.safetensors").string()));
    EXPECT_THAT(status.error().message, HasSubstr("decoder_blocks.0.attn.qkv_proj.weight"));
    EXPECT_THAT(status.error().message, HasSubstr(GetParam().told));
}

INSTANTIATE_TEST_SUITE_P(
    All, DamagedStoredWeights,
    testing::Values(
        Damage{"UnknownScheme", [](auto& files) { setScheme(files, "int8qq"); }, "int8qq"},
        Damage{"UnknownParameter", [](auto& files) { setScheme(files, "int8wo:by=luck"); }, "luck"},
        Damage{"NotStored", [](auto& files) { setScheme(files, "bf16"); }, "bf16"},
        Damage{"GroupThatDoesNotDivide", [](auto& files) { setScheme(files, "int4wo-128"); },
               "int4wo-128"},
        Damage{"OtherScheme", [](auto& files) { setScheme(files, "float8wo"); }, "float8wo"},
        Damage{"MissingPart", [](auto& files) { files.weights.tensors.erase(kWeight + ":scale"); },
               ":scale"},
        Damage{"OtherShape",
               [](auto& files) {
                   files.weights.tensors.erase(kWeight + ":scale");
                   files.weights.add(kWeight + ":scale", StoredType::F32, {1, 1});
               },
               ":scale"},
        Damage{"OtherType",
               [](auto& files) {
                   const auto shape = files.weights.tensors.at(kWeight + ":codes").shape;
                   files.weights.tensors.erase(kWeight + ":codes");
                   files.weights.add(kWeight + ":codes", StoredType::U8, shape);
               },
               "U8"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace qs::core
