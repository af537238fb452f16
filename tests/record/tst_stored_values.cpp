#include "core/record/stored_values.h"

#include "core/base/files.h"
#include "core/record/run_folder.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;

class StoredValues : public testing::Test
{
protected:
    StoredValues() { EXPECT_TRUE(createFolders(folder.path() / "cells" / "cell").ok()); }

    void writeTokens(std::vector<float> values, TokenFile file = TokenFile::Generated) const
    {
        const auto count = static_cast<std::int64_t>(values.size());
        EXPECT_TRUE(
            writeNpy(tokenArray(folder.path(), "cell", file, 0), {{count}, std::move(values)})
                .ok());
    }
    Result<std::vector<std::int64_t>> tokens(TokenFile file = TokenFile::Generated) const
    {
        return readStoredTokens(folder.path(), "cell", file, 0);
    }
    ErrorCode problem() const
    {
        const auto read = tokens();
        return read.ok() ? ErrorCode::Internal : read.error().code;
    }

    TestFolder folder;
};

TEST_F(StoredValues, AreReadAsTheyWereWritten)
{
    writeTokens({1.0F, 32000.0F, 16777215.0F});
    EXPECT_EQ(tokens().value(), (std::vector<std::int64_t>{1, 32000, 16777215}));
    EXPECT_EQ(tokens(TokenFile::Prompt).error().code, ErrorCode::NotFound);
    writeTokens({7.0F}, TokenFile::Prompt);
    EXPECT_EQ(tokens(TokenFile::Prompt).value(), std::vector<std::int64_t>{7});

    EXPECT_EQ(readStoredValues(folder.path(), "cell", 0).error().code, ErrorCode::NotFound);
    const FloatArray scores{{2, 2}, {0.5F, -1.0F, 2.0F, 0.0F}};
    ASSERT_TRUE(writeNpy(outputArray(folder.path(), "cell", 0), scores).ok());
    const FloatArray read = readStoredValues(folder.path(), "cell", 0).value();
    EXPECT_EQ(read.shape, scores.shape);
    EXPECT_EQ(read.values, scores.values);
}

TEST_F(StoredValues, RefuseWhatAreNoTokenIds)
{
    for (const float value : {-1.0F, 0.5F, 16777216.0F, 1e30F}) {
        writeTokens({3.0F, value});
        EXPECT_EQ(problem(), ErrorCode::Format) << value;
    }
    for (const float value :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        writeTokens({value});
        EXPECT_EQ(problem(), ErrorCode::Format) << value;
    }
    writeTokens({});
    EXPECT_EQ(problem(), ErrorCode::Format);
}

TEST_F(StoredValues, RefuseDamagedAndHostileFiles)
{
    const auto path = tokenArray(folder.path(), "cell", TokenFile::Generated, 0).path();
    writeTokens({1.0F, 2.0F, 3.0F});
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    EXPECT_FALSE(tokens().ok()) << "cut off";
    writeFile(path, "no array");
    EXPECT_FALSE(tokens().ok());
    writeTokens(std::vector<float>(static_cast<std::size_t>(kMostKeptTokens) + 1, 1.0F));
    EXPECT_FALSE(tokens().ok()) << "too long";

    // Nothing outside of the folder is reached through a link in it.
    const TestFolder elsewhere;
    ASSERT_TRUE(writeNpy(elsewhere / "secret.npy", {{1}, {5.0F}}).ok());
    std::filesystem::remove(path);
    std::filesystem::create_symlink(elsewhere / "secret.npy", path);
    EXPECT_FALSE(tokens().ok());
    EXPECT_FALSE(readStoredTokens(folder.path(), "../cell", TokenFile::Generated, 0).ok());

    const auto output = outputArray(folder.path(), "cell", 0);
    ASSERT_TRUE(writeNpy(output, {{0}, {}}).ok());
    EXPECT_EQ(readStoredValues(folder.path(), "cell", 0).error().code, ErrorCode::Format);
    ASSERT_TRUE(writeNpy(output, {{1}, {std::numeric_limits<float>::infinity()}}).ok());
    EXPECT_EQ(readStoredValues(folder.path(), "cell", 0).error().code, ErrorCode::Format);
}

}  // namespace
