#include "core/base/sha256.h"

#include "tests/support/test_folder.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

// FIPS 180-4 examples.
TEST(Sha256, MatchesThePublishedExamples)
{
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole)
{
    const std::string text(3'000'000, 'q');
    Sha256 hash;
    hash.update(std::string_view(text).substr(0, 1));
    hash.update(std::string_view(text).substr(1, 1'999'999));
    hash.update(std::string_view(text).substr(2'000'000));
    EXPECT_EQ(hash.hex(), sha256Hex(text));

    const tests::TestFolder folder;
    tests::writeFile(folder / "q", text);
    EXPECT_EQ(sha256File(folder / "q").value(), sha256Hex(text));
}

TEST(Sha256, AMissingFileIsNamed)
{
    const auto result = sha256File("/nowhere/at/all");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::NotFound);
    EXPECT_NE(result.error().message.find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace qs::core
