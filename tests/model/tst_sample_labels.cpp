// A file with the class of each sample.
#include "core/model/sample_labels.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SampleLabels : public testing::Test
{
protected:
    [[nodiscard]] Result<std::vector<SampleLabel>> read(const std::string& text) const
    {
        tests::writeFile(m_file, text);
        return readSampleLabels(m_file);
    }
    [[nodiscard]] std::vector<int> numbers(const std::string& text) const
    {
        const auto labels = read(text);
        EXPECT_TRUE(labels.ok()) << labels.error().message;
        std::vector<int> all;
        for (const SampleLabel& each : labels.value())
            all.push_back(each.label);
        return all;
    }
    [[nodiscard]] Status check(const std::string& text, const LabelledSamples& of) const
    {
        return checkSampleLabels(m_file, read(text).value(), of);
    }

    tests::TestFolder m_folder;
    std::string m_file = m_folder / "labels.txt";
};

TEST_F(SampleLabels, AreANumberALineWithEveryKindOfLineEnd)
{
    EXPECT_THAT(numbers("0\n2\n1\n"), ElementsAre(0, 2, 1));
    EXPECT_THAT(numbers("0\r\n2\r\n1\r\n"), ElementsAre(0, 2, 1));
    EXPECT_THAT(numbers(" 0\t\n\n2\n1"), ElementsAre(0, 2, 1));
    EXPECT_EQ(read("0\n\n2\n").value().back().line, 3U);
}

TEST_F(SampleLabels, DamagedFilesAreRefusedWithTheLine)
{
    for (const char* line :
         {"-1", "cat", "1.5", "1 2", "0x1", "+1", "99999999999999999999", "50000", "1,2", "\x01"}) {
        const auto labels = read(std::string("0\r\n") + line + "\r\n1\r\n");
        ASSERT_FALSE(labels.ok()) << line;
        EXPECT_EQ(labels.error().code, ErrorCode::Format);
        EXPECT_THAT(labels.error().message,
                    AllOf(HasSubstr(m_file + ", line 2: "), HasSubstr("\"")));
        EXPECT_LT(labels.error().message.size(), 1000U);
    }
    EXPECT_LT(read(std::string(100'000, '7')).error().message.size(), 1000U);
    for (const char* empty : {"", "\n\n", "\r\n"})
        EXPECT_THAT(read(empty).error().message, HasSubstr(m_file));
    EXPECT_EQ(readSampleLabels(m_folder / "nowhere.txt").error().code, ErrorCode::NotFound);
}

TEST_F(SampleLabels, ThereIsOneForEachSample)
{
    EXPECT_TRUE(check("0\n1\n", {.count = 2}).ok());
    for (const char* text : {"0\n", "0\n1\n0\n"})
        EXPECT_THAT(check(text, {.count = 2}).error().message, HasSubstr(m_file + ", line "));
    const LabelledSamples images{.count = 2, .atMost = true};
    EXPECT_TRUE(check("0\n", images).ok());
    EXPECT_FALSE(check("0\n1\n0\n", images).ok());
}

TEST_F(SampleLabels, TheOutputHasThemAll)
{
    EXPECT_TRUE(check("0\n9\n", {.count = 2, .classes = 10}).ok());
    const Status beyond = check("0\n\n10\n", {.count = 2, .classes = 10});
    ASSERT_FALSE(beyond.ok());
    EXPECT_THAT(beyond.error().message, AllOf(HasSubstr("line 3"), HasSubstr("0 to 9")));
}

}  // namespace
}  // namespace qs::core
