#include "core/base/zip_archive.h"
#include "core/base/zip_writer.h"
#include "tests/support/raw_zip.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::RawZip;
using tests::rawZip;
using tests::RawZipEntry;
using tests::TestFolder;
using tests::writeFile;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 24U;

Result<ZipArchive> opened(const TestFolder& folder, const std::string& bytes)
{
    writeFile(folder / "a.zip", bytes);
    return ZipArchive::open(folder / "a.zip");
}

TEST(ZipWriter, WhatIsWrittenIsReadAgainAndBeginsAtMultiplesOf64)
{
    const TestFolder folder;
    const std::string large(100'000, 'x');
    {
        ZipWriter writer = ZipWriter::create(folder / "a.zip").value();
        ASSERT_TRUE(writer.add("model/a", "alpha").ok());
        ASSERT_TRUE(writer.add("model/empty", "").ok());
        ASSERT_TRUE(writer
                        .add("model/pieces", large.size(),
                             [&](const TextSink& sink) -> Status {
                                 QS_RETURN_IF_ERROR(sink(large.substr(0, 7)));
                                 return sink(large.substr(7));
                             })
                        .ok());
        ASSERT_TRUE(writer.commit().ok());
    }
    const ZipArchive archive = ZipArchive::open(folder / "a.zip").value();
    ASSERT_EQ(archive.entries().size(), 3U);
    for (const ZipEntry& entry : archive.entries()) {
        EXPECT_EQ(entry.offset % 64, 0U) << entry.name;
        EXPECT_FALSE(entry.deflated);
    }
    EXPECT_EQ(archive.read(*archive.find("model/a"), kLimit).value(), "alpha");
    EXPECT_EQ(archive.read(*archive.find("model/empty"), kLimit).value(), "");
    EXPECT_EQ(archive.read(*archive.find("model/pieces"), kLimit).value(), large);
    EXPECT_EQ(archive.find("a"), nullptr);
    EXPECT_FALSE(archive.read(*archive.find("model/pieces"), 99'999).ok());
}

TEST(ZipWriter, ManyEntriesNeedTheFieldsOf64Bits)
{
    const TestFolder folder;
    ZipWriter writer = ZipWriter::create(folder / "a.zip").value();
    for (int i = 0; i < 65'540; ++i)
        ASSERT_TRUE(writer.add(std::to_string(i), "").ok());
    ASSERT_TRUE(writer.commit().ok());
    EXPECT_EQ(ZipArchive::open(folder / "a.zip").value().entries().size(), 65'540U);
}

TEST(ZipWriter, ContentsOfAnotherSizeThanAnnouncedAreAnError)
{
    const TestFolder folder;
    ZipWriter writer = ZipWriter::create(folder / "a.zip").value();
    const auto two = [](const TextSink& sink) { return sink("ab"); };
    EXPECT_FALSE(writer.add("a", 3, two).ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "a.zip"));
}

TEST(ZipArchive, ReadsWhatOthersWrite)
{
    const TestFolder folder;
    const std::string text(10'000, 'y');
    RawZip zip{{{.name = "folder/"},
                {.name = "folder/packed", .content = text, .deflated = true},
                {.name = "large", .content = "abc", .large = true}}};
    zip.comment = "made by hand PK\x05\x06";
    const auto archive = opened(folder, rawZip(zip));
    ASSERT_TRUE(archive.ok()) << archive.error().message;
    EXPECT_EQ(archive.value().entries().size(), 2U) << "a folder is no file";
    const ZipEntry* packed = archive.value().find("folder/packed");
    ASSERT_NE(packed, nullptr);
    EXPECT_TRUE(packed->deflated);
    EXPECT_EQ(archive.value().read(*packed, kLimit).value(), text);
    EXPECT_EQ(archive.value().read(*archive.value().find("large"), kLimit).value(), "abc");
}

TEST(ZipArchive, SmallEntriesOfOneLetterAreNoBomb)
{
    const TestFolder folder;
    const auto archive = opened(
        folder, rawZip({{{.name = "a", .content = std::string(900'000, 'a'), .deflated = true}}}));
    ASSERT_TRUE(archive.ok()) << archive.error().message;
    EXPECT_EQ(archive.value().read(archive.value().entries()[0], kLimit).value().size(), 900'000U);
}

// Whose directory lies in front of another archive.
TEST(ZipArchive, TwoArchivesInOneFileAreRefused)
{
    const TestFolder folder;
    const std::string one = rawZip({{{.name = "a", .content = "abc"}}});
    ASSERT_TRUE(opened(folder, one).ok());
    for (const std::string& bytes : {one + one, one + std::string(30, '\0') + one.substr(40)}) {
        const auto archive = opened(folder, bytes);
        ASSERT_FALSE(archive.ok());
        EXPECT_EQ(archive.error().code, ErrorCode::Format);
    }
}

struct Hostile {
    const char* name;
    RawZip zip;
    const char* word;
};

class HostileZip : public testing::TestWithParam<Hostile>
{
};

TEST_P(HostileZip, IsRefusedByItsDirectory)
{
    const TestFolder folder;
    const auto archive = opened(folder, rawZip(GetParam().zip));
    ASSERT_FALSE(archive.ok());
    EXPECT_EQ(archive.error().code, ErrorCode::Format);
    EXPECT_THAT(archive.error().message, HasSubstr(GetParam().word));
    EXPECT_THAT(archive.error().message, HasSubstr("a.zip"));
}

const RawZipEntry kPlain{.name = "plain", .content = "abc"};

std::vector<Hostile> hostileZips()
{
    std::vector<Hostile> all;
    for (const char* name : {"../a", "a/../b", "/etc/passwd", "a//b", "a\\b", "C:/a", "a/..", ".",
                             "", "a\nb", "./a", "\xff\xfe"})
        all.push_back({"name", {{{.name = name}}}, "lead out"});
    all.push_back({"longName", {{{.name = std::string(5000, 'n')}}}, "lead out"});
    all.push_back({"twice", {{kPlain, kPlain}}, "twice"});
    all.push_back({"foldedTwice", {{kPlain, {.name = "PLAIN"}}}, "twice"});
    all.push_back({"encrypted", {{{.name = "a", .flags = 1}}}, "encrypted"});
    all.push_back({"method", {{{.name = "a", .method = 12}}}, "deflate"});
    all.push_back({"link", {{{.name = "a", .content = "b", .attributes = 0120777}}}, "link"});
    all.push_back({"device", {{{.name = "a", .attributes = 0020666}}}, "link"});
    all.push_back({"bomb",
                   {{{.name = "a", .content = std::string(4'000'000, 'a'), .deflated = true}}},
                   "200 times"});
    all.push_back({"claim",
                   {{{.name = "a", .content = "a", .deflated = true, .bytes = 0xfffffffe}}},
                   "200 times"});
    all.push_back({"twoSizes", {{{.name = "a", .content = "abc", .bytes = 2}}}, "two sizes"});
    all.push_back({"tooLong",
                   {{{.name = "a", .content = "abc", .bytes = 900, .storedBytes = 900}}},
                   "reaches into"});
    all.push_back({"huge",
                   {{{.name = "a",
                      .content = "abc",
                      .bytes = 0xfffffffffffffff0U,
                      .storedBytes = 0xfffffffffffffff0U,
                      .large = true}}},
                   "reaches into"});
    all.push_back({"otherName", {{{.name = "a", .headerName = "b"}}}, "something else"});
    all.push_back(
        {"overlap",
         {{kPlain, {.name = "again", .content = "abc", .headerOffset = 0, .headerName = "plain"}}},
         "something else"});
    all.push_back({"noHeader", {{kPlain, {.name = "a", .headerOffset = 3}}}, "no header"});
    all.push_back({"beyond", {{kPlain, {.name = "a", .headerOffset = 0x7fffffff}}}, "beyond"});
    all.push_back({"count", {{kPlain}, "", 9}, "entries"});
    all.push_back({"fewer", {{kPlain, {.name = "a"}}, "", 1}, "more in its directory"});
    all.push_back({"directory", {{kPlain}, "", {}, 0x7fffffff}, "does not fit"});
    all.push_back({"directoryBytes", {{kPlain}, "", {}, {}, 0x7fffffff}, "does not fit"});
    all.push_back({"shifted", {{kPlain}, "", {}, 1}, "in front"});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Zip, HostileZip, testing::ValuesIn(hostileZips()));

TEST(ZipArchive, EntriesThatShareTheirBytesAreRefused)
{
    // Two lines of the directory for one header: a bomb without a ratio.
    const TestFolder folder;
    RawZip zip{{{.name = "a/x", .content = "content"}, {.name = "b/x", .content = "content"}}};
    zip.entries[1].headerOffset = 0;
    std::string bytes = rawZip(zip);
    // Both lines now say "a/x"; the names differ in what follows the header's name.
    const auto second = bytes.rfind("b/x");
    bytes.replace(second, 3, "a/x");
    EXPECT_THAT(opened(folder, bytes).error().message, HasSubstr("twice"));
}

// Overlap of a header with the content of the entry before it: the second archive lies inside.
TEST(ZipArchive, AnEntryInsideAnotherIsRefused)
{
    const TestFolder folder;
    const std::string inner = rawZip({{{.name = "in", .content = "abc"}}});
    RawZip zip{{{.name = "out", .content = inner.substr(0, 30 + 2 + 3)},
                {.name = "in", .content = "abc", .headerOffset = 30 + 3}}};
    EXPECT_THAT(opened(folder, rawZip(zip)).error().message, HasSubstr("overlap"));
}

TEST(ZipArchive, TornFilesAreRefusedWhereverTheyEnd)
{
    const TestFolder folder;
    const std::string whole = rawZip({{kPlain, {.name = "b", .content = "xyz", .deflated = true}}});
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        EXPECT_FALSE(opened(folder, whole.substr(0, bytes)).ok()) << bytes;
}

TEST(ZipArchive, DamagedContentsAreRefusedWhenTheyAreRead)
{
    const TestFolder folder;
    const std::string text(5000, 'z');
    for (const bool deflated : {false, true}) {
        const auto wrong =
            opened(folder,
                   rawZip({{{.name = "a", .content = text, .deflated = deflated, .checksum = 7}}}));
        ASSERT_TRUE(wrong.ok());
        EXPECT_THAT(wrong.value().read(wrong.value().entries()[0], kLimit).error().message,
                    HasSubstr("checksum"));
    }
    const auto longer =
        opened(folder, rawZip({{{.name = "a", .content = text, .deflated = true, .bytes = 6000}}}));
    ASSERT_TRUE(longer.ok());
    EXPECT_FALSE(longer.value().read(longer.value().entries()[0], kLimit).ok());
    const auto shorter =
        opened(folder, rawZip({{{.name = "a", .content = text, .deflated = true, .bytes = 4000}}}));
    ASSERT_TRUE(shorter.ok());
    EXPECT_FALSE(shorter.value().read(shorter.value().entries()[0], kLimit).ok());
}

}  // namespace
}  // namespace qs::core
