#include "core/report/texts_section.h"

#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/model/text/tokenizer.h"
#include "core/record/output_places.h"
#include "core/record/run_folder.h"
#include "core/record/token_array.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kPad = 0;

// A reference and two cells, of a trained model that is fed with text.
class Texts : public testing::Test
{
protected:
    Texts()
        : m_data(tests::runOf({{.id = "base"},
                               {.id = "same", .precision = "int8wo"},
                               {.id = "other", .precision = "int4wo-128"}},
                              1))
    {
        m_data.folder = m_folder.path();
        for (PlannedCell& cell : m_data.plan.cells) {
            cell.referenceId = "base";
            cell.trained = true;
            cell.output = OutputKind::Logits;
            tests::addRow(m_data, cell.id, 0, {0.1});
        }
    }
    void feedText()
    {
        ModelFeeding& feeding = m_data.plan.preset.feeding;
        feeding.inputs = {{"tokens", TextFeed{"prompts.txt", "tokenizer.json", kPad}}};
        std::filesystem::create_directories(m_folder / "inputs");
        tests::writeFile(m_folder / feedTokenizerName(feeding, "tokens"),
                         tests::readFile(tests::dataFile("golden/tokenizers/gpt2.tokenizer.json")));
        m_tokenizer = Tokenizer::read(m_folder / feedTokenizerName(feeding, "tokens")).value();
    }
    std::vector<float> ids(const char* text) const
    {
        const auto tokens = m_tokenizer->encode(text).value();
        return {tokens.begin(), tokens.end()};
    }
    void write(const char* cell, TokenFile file, int sample, std::vector<float> tokens) const
    {
        const FilePlace place = tokenArray(m_folder.path(), outputPlace(cell), file, sample);
        std::filesystem::create_directories(place.path().parent_path());
        const auto count = static_cast<std::int64_t>(tokens.size());
        ASSERT_TRUE(writeNpy(place, {{count}, std::move(tokens)}).ok());
    }
    [[nodiscard]] PlainTable table() const
    {
        return textsSection(m_data, analyse(m_data, "bf16-eager")).table;
    }

    tests::TestFolder m_folder;
    RunData m_data;
    std::optional<Tokenizer> m_tokenizer;
};

TEST_F(Texts, StandBesideThatOfTheReferenceWithTheFirstDifference)
{
    feedText();
    std::vector<float> prompt = ids("The quick brown fox");
    prompt.insert(prompt.begin(), 3, static_cast<float>(kPad));
    for (const char* cell : {"base", "same", "other"})
        write(cell, TokenFile::Prompt, 0, prompt);
    write("base", TokenFile::Generated, 0, ids(" jumps over\nthe lazy dog"));
    write("same", TokenFile::Generated, 0, ids(" jumps over\nthe lazy dog"));
    write("other", TokenFile::Generated, 0, ids(" jumps over\na hill"));
    const PlainTable texts = table();
    ASSERT_EQ(texts.lines.size(), 3U);
    EXPECT_EQ(texts.lines[0][1], "The quick brown fox") << "what fills it up is no part of it";
    EXPECT_EQ(texts.lines[0][3], " jumps over⏎the lazy dog");
    EXPECT_EQ(texts.lines[1][3], texts.lines[0][3]);
    EXPECT_THAT(texts.lines[1][4], Not(testing::MatchesRegex("[0-9]+")));
    EXPECT_EQ(texts.lines[2][3], " jumps over⏎ ≠ a hill");
    EXPECT_EQ(texts.lines[2][4], std::to_string(ids(" jumps over\n").size() + 1));
    const Analysis analysis = analyse(m_data, "bf16-eager");
    EXPECT_THAT(reportHtml(m_data, analysis), HasSubstr("id=\"texts\""));
    EXPECT_THAT(summaryMarkdown(m_data, analysis), HasSubstr("≠ a hill"));
}

TEST_F(Texts, AreIdsWithoutATokenizer)
{
    write("base", TokenFile::Generated, 0, {10, 11, 12});
    write("other", TokenFile::Generated, 0, {10, 11, 40});
    const PlainTable texts = table();
    ASSERT_EQ(texts.lines.size(), 2U) << "of a cell that kept none there is no line";
    EXPECT_THAT(texts.lines[1][3], EndsWith("10 11 ≠ 40"));
}

TEST_F(Texts, OfGeneratedWeightsMeanNothing)
{
    write("base", TokenFile::Generated, 0, {10, 11, 12});
    write("other", TokenFile::Generated, 0, {10, 11, 40});
    for (PlannedCell& cell : m_data.plan.cells)
        cell.trained = false;
    EXPECT_TRUE(table().lines.empty());
    const Analysis analysis = analyse(m_data, "bf16-eager");
    EXPECT_THAT(reportHtml(m_data, analysis), Not(HasSubstr("id=\"texts\"")));
}

TEST_F(Texts, AreThoseOfTheFirstPrompts)
{
    for (int sample = 0; sample < 8; ++sample) {
        write("base", TokenFile::Generated, sample, {10, 11});
        write("other", TokenFile::Generated, sample, {10, 12});
    }
    const PlainTable texts = table();
    ASSERT_EQ(texts.lines.size(), 10U);
    EXPECT_EQ(texts.lines.back().front(), "5");
}

}  // namespace
}  // namespace qs::core
