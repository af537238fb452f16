#include "core/model/image_inputs.h"
#include "core/model/vitok/patchify.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace qs::core::vitok {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Every value different, so that a wrong place shows.
FloatArray counting(std::vector<std::int64_t> shape)
{
    FloatArray array{std::move(shape), {}};
    std::int64_t count = 1;
    for (const std::int64_t extent : array.shape)
        count *= extent;
    array.values.resize(static_cast<std::size_t>(count));
    std::iota(array.values.begin(), array.values.end(), 0.0F);
    return array;
}

TEST(Patchify, FollowsTheIndexFormula)
{
    constexpr std::int64_t kBatch = 2, kHeight = 8, kWidth = 12, kPatch = 4;
    const FloatArray pictures = counting({kBatch, 3, kHeight, kWidth});
    const FloatArray tokens = patchify(pictures, kPatch).value();
    ASSERT_THAT(tokens.shape, ElementsAre(2, 6, 48));
    for (std::int64_t b = 0; b < kBatch; ++b)
        for (std::int64_t c = 0; c < 3; ++c)
            for (std::int64_t y = 0; y < kHeight; ++y)
                for (std::int64_t x = 0; x < kWidth; ++x) {
                    const std::int64_t token = y / kPatch * (kWidth / kPatch) + x / kPatch;
                    const std::int64_t inside =
                        c * kPatch * kPatch + y % kPatch * kPatch + x % kPatch;
                    const auto at = static_cast<std::size_t>((b * 6 + token) * 48 + inside);
                    const auto pixel =
                        static_cast<std::size_t>(((b * 3 + c) * kHeight + y) * kWidth + x);
                    ASSERT_EQ(tokens.values[at], pictures.values[pixel])
                        << b << " " << c << " " << y << " " << x;
                }
}

TEST(Patchify, UnpatchifyIsItsInverse)
{
    for (const std::int64_t patch : {1, 2, 4, 8}) {
        const FloatArray pictures = counting({3, 3, 16, 8});
        const FloatArray tokens = patchify(pictures, patch).value();
        const FloatArray back = unpatchify(tokens, patch, 16 / patch, 8 / patch).value();
        EXPECT_EQ(back.shape, pictures.shape);
        EXPECT_EQ(back.values, pictures.values) << "patch " << patch;
    }
}

TEST(Patchify, RefusesWhatIsNoPicture)
{
    for (const auto& shape : std::vector<std::vector<std::int64_t>>{
             {3, 8, 8}, {1, 1, 8, 8}, {1, 4, 8, 8}, {1, 3, 8, 8, 1}, {}}) {
        const auto result = patchify(counting(shape), 4);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
        EXPECT_THAT(result.error().message, HasSubstr("[B, 3, H, W]"));
    }
}

TEST(Patchify, RefusesValuesThatContradictTheShape)
{
    FloatArray pictures = counting({1, 3, 8, 8});
    pictures.values.pop_back();
    EXPECT_FALSE(patchify(pictures, 4).ok());
    FloatArray tokens = counting({1, 4, 48});
    tokens.values.push_back(0.0F);
    EXPECT_FALSE(unpatchify(tokens, 4, 2, 2).ok());
}

TEST(Patchify, RefusesPartsOfPatches)
{
    const auto wide = patchify(counting({1, 3, 8, 10}), 4);
    ASSERT_FALSE(wide.ok());
    EXPECT_EQ(wide.error().message, "10x8 pixels are not a whole number of patches of 4");
    EXPECT_FALSE(patchify(counting({1, 3, 10, 8}), 4).ok());
    EXPECT_FALSE(patchify(counting({1, 3, 0, 8}), 4).ok());
    EXPECT_FALSE(patchify(counting({1, 3, 8, 8}), 0).ok());
    EXPECT_FALSE(patchify(counting({1, 3, 8, 8}), -4).ok());
}

TEST(Patchify, UnpatchifyRefusesAnotherGrid)
{
    const FloatArray tokens = counting({1, 6, 48});
    EXPECT_TRUE(unpatchify(tokens, 4, 2, 3).ok());
    const auto result = unpatchify(tokens, 4, 2, 2);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, "tokens do not have the shape [B, 4, 48]");
    EXPECT_FALSE(unpatchify(tokens, 2, 2, 3).ok()) << "another patch";
    EXPECT_FALSE(unpatchify(counting({6, 48}), 4, 2, 3).ok());
}

TEST(VitokInputs, CarryTokensAndTheirPlaces)
{
    const auto family = makeFamily(parseVariant("w72_d1_h1/1x4x8").value());
    const FloatArray picture = readNpy(tests::dataFile("golden/vitok/head72/picture.npy")).value();
    ASSERT_THAT(picture.shape, ElementsAre(1, 3, 24, 40));
    const HostTensors inputs = family->prepare(picture).value();
    ASSERT_EQ(inputs.size(), 4U);
    EXPECT_THAT(inputs.at("patches").shape, ElementsAre(1, 60, 48));
    EXPECT_EQ(std::get<std::vector<float>>(inputs.at("patches").values),
              patchify(picture, 4).value().values);
    const auto& rows = std::get<std::vector<std::int64_t>>(inputs.at("row_idx").values);
    const auto& columns = std::get<std::vector<std::int64_t>>(inputs.at("col_idx").values);
    EXPECT_THAT(inputs.at("row_idx").shape, ElementsAre(1, 60));
    EXPECT_THAT(inputs.at("col_idx").shape, ElementsAre(1, 60));
    for (std::size_t token = 0; token < 60; ++token) {
        EXPECT_EQ(rows[token], static_cast<std::int64_t>(token) / 10) << token;
        EXPECT_EQ(columns[token], static_cast<std::int64_t>(token) % 10) << token;
    }
}

TEST(VitokInputs, TakeRowsFromTheMiddleAndFillUpTheBudget)
{
    const auto family = makeFamily(parseVariant("w48_d1_h3/1x4x16").value());
    const Sizes sizes{{"image_size", 8}, {"image_height", 3}, {"token_budget", 5}};
    const Graph encoder = family->buildStage(0, {2, sizes}, DType::Float32).value();
    const FloatArray pictures = counting({2, 3, 8, 8});
    const HostTensors inputs =
        inputsOfImages(*family, pictures, sizes, inputShapes({&encoder})).value();
    const auto& mask = std::get<std::vector<std::int64_t>>(inputs.at("patch_mask").values);
    EXPECT_THAT(mask, ElementsAre(1, 1, 0, 0, 0, 1, 1, 0, 0, 0));
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(inputs.at("col_idx").values),
                ElementsAre(0, 1, 0, 0, 0, 0, 1, 0, 0, 0));
    ASSERT_THAT(inputs.at("patches").shape, ElementsAre(2, 5, 48));
    const auto& patches = std::get<std::vector<float>>(inputs.at("patches").values);
    // Of eight rows three, from the third on: red, first row and column of the second image.
    EXPECT_EQ(patches[5 * 48], pictures.values[3 * 64 + 2 * 8]);
    EXPECT_EQ(patches[5 * 48 + 3 * 4], 0.0F) << "below the three rows lies mid grey";
    EXPECT_EQ(patches[5 * 48 + 2 * 48], 0.0F) << "the third token is none";

    const FloatArray tokens{{2, 5, 48}, patches};
    const FloatArray back = family->present(tokens, {2, sizes}).value();
    EXPECT_THAT(back.shape, ElementsAre(2, 3, 3, 8));
    EXPECT_EQ(back.values, middlePart(pictures, {.rows = 3}).values);
}

TEST(VitokInputs, OfTallImagesAreTheColumnsInTheMiddle)
{
    const auto family = makeFamily(parseVariant("w48_d1_h3/1x4x16").value());
    const Sizes sizes{{"image_size", 8}, {"image_height", 7}, {"image_width", 3}};
    const Graph encoder = family->buildStage(0, {2, sizes}, DType::Float32).value();
    const FloatArray pictures = counting({2, 3, 8, 8});
    const HostTensors inputs =
        inputsOfImages(*family, pictures, sizes, inputShapes({&encoder})).value();
    // Two tokens, one below the other.
    EXPECT_EQ(inputs.at("patches").shape, inputShapes({&encoder}).at("patches"));
    ASSERT_THAT(inputs.at("patches").shape, ElementsAre(2, 2, 48));
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(inputs.at("row_idx").values),
                ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(inputs.at("col_idx").values),
                ElementsAre(0, 0, 0, 0));
    const auto& patches = std::get<std::vector<float>>(inputs.at("patches").values);
    // Of eight columns three, from the third on.
    EXPECT_EQ(patches[0], pictures.values[2]);
    EXPECT_EQ(patches[2], pictures.values[4]);
    EXPECT_EQ(patches[3], 0.0F) << "right of the three columns lies mid grey";
    EXPECT_EQ(patches[48], pictures.values[4 * 8 + 2]) << "the second token";
    EXPECT_EQ(patches[48 + 3 * 4], 0.0F) << "below the seven rows lies mid grey";

    const FloatArray tokens{{2, 2, 48}, patches};
    const FloatArray back = family->present(tokens, {2, sizes}).value();
    EXPECT_THAT(back.shape, ElementsAre(2, 3, 7, 3));
    EXPECT_EQ(back.values, middlePart(pictures, {.rows = 7, .columns = 3}).values);
    EXPECT_EQ(back.values.front(), pictures.values[2]);
    EXPECT_EQ(back.values.back(), pictures.values[5 * 64 + 6 * 8 + 4]);
    EXPECT_EQ(middlePart(pictures, {}).values, pictures.values);
    EXPECT_EQ(middlePart(pictures, {.rows = 9, .columns = 8}).shape, pictures.shape);
}

TEST(VitokInputs, WithoutABudgetTheGraphsHaveNoMask)
{
    const auto family = makeFamily(parseVariant("w48_d1_h3/1x4x16").value());
    const auto inputsAt = [&](const Sizes& sizes) {
        const Graph graph = family->buildStage(0, {1, sizes}, DType::Float32).value();
        std::vector<std::string> names;
        for (const ValueId id : graph.inputs)
            names.push_back(graph.value(id).name);
        return names;
    };
    EXPECT_THAT(inputsAt({{"image_size", 8}}), ElementsAre("patches", "row_idx", "col_idx"));
    EXPECT_THAT(inputsAt({{"image_size", 8}, {"token_budget", 0}, {"attention_window", 2}}),
                ElementsAre("patches", "row_idx", "col_idx"));
    EXPECT_THAT(inputsAt({{"image_size", 8}, {"token_budget", 4}}),
                ElementsAre("patches", "row_idx", "col_idx", "patch_mask"));
}

TEST(VitokInputs, RepeatThePlacesForEachPicture)
{
    const auto family = makeFamily(parseVariant("w48_d1_h3/1x8x16").value());
    const HostTensors inputs = family->prepare(counting({2, 3, 8, 16})).value();
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(inputs.at("col_idx").values),
                ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(inputs.at("row_idx").values),
                ElementsAre(0, 0, 0, 0));
    EXPECT_FALSE(family->prepare(counting({2, 1, 8, 16})).ok());
}

TEST(VitokOutputs, BecomePictures)
{
    const auto family = makeFamily(parseVariant("w48_d1_h3/1x8x16").value());
    const FloatArray pictures = counting({2, 3, 16, 16});
    const FloatArray tokens = patchify(pictures, 8).value();
    EXPECT_EQ(family->present(tokens, tests::imageShape(2, 16)).value().values, pictures.values);
    EXPECT_FALSE(family->present(tokens, tests::imageShape(2, 24)).ok());
}

}  // namespace
}  // namespace qs::core::vitok
