#include "core/run/stored_texts.h"

#include "core/base/files.h"
#include "core/record/stored_values.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;

class StoredTextsOfCells : public testing::Test
{
protected:
    StoredTextsOfCells()
    {
        for (const char* cell : {"a", "reference"})
            EXPECT_TRUE(createFolders(folder.path() / "cells" / cell).ok());
        feeding.inputs["tokens"] = TextFeed{.path = "x", .tokenizer = "y", .pad = 9};
    }

    void write(const char* cell, TokenFile file, std::vector<float> tokens) const
    {
        const auto count = static_cast<std::int64_t>(tokens.size());
        EXPECT_TRUE(
            writeNpy(tokenArray(folder.path(), cell, file, 0), {{count}, std::move(tokens)}).ok());
    }

    TestFolder folder;
    ModelFeeding feeding;
};

TEST_F(StoredTextsOfCells, AreComparedWithAndWithoutTheirPrompt)
{
    const StoredTexts texts(folder.path(), feeding);
    EXPECT_FALSE(texts.agreement("a", "reference", 0).value()) << "nothing was written";
    write("a", TokenFile::Generated, {5, 6, 1, 1});
    write("reference", TokenFile::Generated, {5, 6, 2, 1});
    write("a", TokenFile::Prompt, {9, 9, 9, 3, 4, 9});
    EXPECT_EQ(texts.prompt("a", 0), (std::vector<std::int64_t>{3, 4, 9})) << "pads in front only";
    const auto agreement = texts.agreement("a", "reference", 0).value();
    ASSERT_TRUE(agreement);
    OutputQuality quality;
    quality.identical = true;
    texts.tell(*agreement, "a", 0, quality);
    EXPECT_FALSE(quality.identical);
    EXPECT_EQ(quality.find("first_different"), 3.0);
    EXPECT_DOUBLE_EQ(*quality.find("token_agreement"), 0.75);
    EXPECT_DOUBLE_EQ(*quality.find("token_agreement_with_prompt"), 6.0 / 7.0);

    FloatArray logits{{4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}};
    FloatArray reference = logits;
    keepComparable(*agreement, logits, reference);
    EXPECT_EQ(logits.shape, (std::vector<std::int64_t>{3, 2}));
    EXPECT_EQ(reference.values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
    FloatArray last{{2}, {0, 1}};
    keepComparable(*agreement, last, last);
    EXPECT_EQ(last.values.size(), 2U) << "of the last token alone";
}

TEST_F(StoredTextsOfCells, TheLossIsThatOfTheTokensThatFollow)
{
    const StoredTexts texts(folder.path(), feeding);
    write("a", TokenFile::Prompt, {9, 1, 0, 1});
    // Two tokens; the rows of 1 and 0 foretell 0 and 1, those of the pad and the end count not.
    const auto unlikely = static_cast<float>(std::log(3.0));
    const FloatArray logits{{4, 2}, {50, -50, unlikely, 0, 0, 0, -50, 50}};
    const double expected = (std::log(4.0 / 3.0) + std::log(2.0)) / 2.0;
    EXPECT_NEAR(texts.loss(logits, "a", 0).value().value(), expected, 1e-6);
    EXPECT_FALSE(texts.loss({{2, 2}, {0, 0, 0, 0}}, "a", 0).value()) << "not of all places";
    write("a", TokenFile::Prompt, {1, 2, 1, 0});
    EXPECT_FALSE(texts.loss(logits, "a", 0).ok()) << "2 is no token of the vocabulary";
}

}  // namespace
