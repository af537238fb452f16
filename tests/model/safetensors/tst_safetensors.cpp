#include "core/base/sha256.h"
#include "tests/model/safetensors/safetensors_bytes.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::safetensorsBytes;
using tests::safetensorsRefusal;
using tests::TestFolder;

template <typename T>
std::span<const std::byte> bytesOf(const T& values)
{
    return std::as_bytes(std::span(values));
}

template <typename T>
std::vector<T> valuesOf(const SafetensorsFile& file, const TensorEntry& entry)
{
    std::vector<T> values(entry.bytes() / sizeof(T));
    EXPECT_TRUE(file.read(entry, std::as_writable_bytes(std::span(values))).ok());
    return values;
}

TEST(Safetensors, ReadsBackWhatItWrote)
{
    const TestFolder folder;
    const std::vector<float> weight{1, 2, 3, 4, 5, 6};
    const std::vector<std::uint8_t> packed{0x12, 0x34, 0x56};
    const std::vector<double> scalar{2.5};
    const std::vector<tests::TensorToWrite> tensors{
        {"packed", StoredType::F6_E2M3, {4}, bytesOf(packed)},
        {"größe \"x\"\\", StoredType::F32, {2, 3}, bytesOf(weight)},
        {"scalar", StoredType::F64, {}, bytesOf(scalar)},
        {"empty", StoredType::F32, {0, 3}, {}},
    };
    ASSERT_TRUE(
        tests::writeSafetensors(folder / "m", tensors, {{"format", "pt"}, {"a", "é\n"}}).ok());
    const SafetensorsFile file = openSafetensors(folder / "m").value();
    ASSERT_EQ(file.tensors().size(), 4U);
    EXPECT_EQ(file.tensors()[0].name, "scalar");
    EXPECT_EQ(file.tensors()[1].name, "empty");
    EXPECT_EQ(file.tensors()[3].name, "packed");
    EXPECT_EQ(file.metadata(), (SafetensorsMetadata{{"format", "pt"}, {"a", "é\n"}}));
    EXPECT_EQ(file.dataStart() % 8, 0U);
    EXPECT_EQ(file.fileBytes(), file.dataStart() + 8 + 24 + 3);
    const TensorEntry* entry = file.find("größe \"x\"\\");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(entry->elements(), 6U);
    EXPECT_EQ(valuesOf<float>(file, *entry), weight);
    EXPECT_EQ(valuesOf<std::uint8_t>(file, *file.find("packed")), packed);
    EXPECT_EQ(valuesOf<double>(file, *file.find("scalar")), scalar);
    EXPECT_EQ(file.find("scalar")->elements(), 1U);
    EXPECT_EQ(file.find("empty")->elements(), 0U);
    EXPECT_EQ(file.find("nothing"), nullptr);
}

TEST(Safetensors, NonFiniteValuesAndEmptyFilesAreLegal)
{
    const TestFolder folder;
    const std::vector<float> odd{std::nanf(""), std::numeric_limits<float>::infinity()};
    ASSERT_TRUE(tests::writeSafetensors(
                    folder / "m",
                    std::vector<tests::TensorToWrite>{{"odd", StoredType::F32, {2}, bytesOf(odd)}})
                    .ok());
    const SafetensorsFile file = openSafetensors(folder / "m").value();
    const auto back = valuesOf<float>(file, file.tensors()[0]);
    EXPECT_EQ(std::memcmp(back.data(), odd.data(), 8), 0);
    EXPECT_EQ(safetensorsRefusal(folder, safetensorsBytes("{}")), "accepted");
    EXPECT_EQ(safetensorsRefusal(folder, safetensorsBytes("{}     ")), "accepted");
    EXPECT_EQ(safetensorsRefusal(folder, safetensorsBytes("{ \"__metadata__\" :\n{ } }")),
              "accepted");
}

TEST(Safetensors, OrderOfTheHeaderNeedNotBeThatOfTheData)
{
    const TestFolder folder;
    const std::string bytes = safetensorsBytes(
        R"({"b":{"data_offsets":[1,2],"shape":[],"dtype":"U8"},"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})",
        "xy");
    ASSERT_EQ(safetensorsRefusal(folder, bytes), "accepted");
    const SafetensorsFile file = openSafetensors(folder / "model.safetensors").value();
    EXPECT_EQ(file.tensors()[0].name, "a");
    EXPECT_EQ(valuesOf<char>(file, *file.find("b")), std::vector<char>{'y'});
}

TEST(Safetensors, HeadersLongerThanTheReadBufferAreReadWhole)
{
    const TestFolder folder;
    // Bytes in messages are those of the file: 8 more than in the header. White space on both sides
    // of the 64 KiB border, and a text across the next one.
    const std::string header = "{" + std::string(70'000, ' ') + "\"__metadata__\":{\"k\":\"" +
                               std::string(100'000, 'v') + "\"}" + std::string(70'000, ' ') + "}" +
                               std::string(70'000, ' ');
    ASSERT_EQ(safetensorsRefusal(folder, safetensorsBytes(header)), "accepted");
    const SafetensorsFile file = openSafetensors(folder / "model.safetensors").value();
    EXPECT_EQ(file.metadata().at("k"), std::string(100'000, 'v'));
    EXPECT_THAT(safetensorsRefusal(folder, safetensorsBytes(header + "x")),
                HasSubstr("(byte 310033)"));
}

TEST(Safetensors, ReadsPartsAndRefusesWhatLiesOutside)
{
    const TestFolder folder;
    const std::array<std::uint8_t, 8> data{0, 1, 2, 3, 4, 5, 6, 7};
    ASSERT_TRUE(tests::writeSafetensors(folder / "m",
                                        std::vector<tests::TensorToWrite>{
                                            {"a", StoredType::U8, {4}, bytesOf(data).first(4)},
                                            {"b", StoredType::U8, {4}, bytesOf(data).last(4)}})
                    .ok());
    const SafetensorsFile file = openSafetensors(folder / "m").value();
    std::array<std::byte, 2> two{};
    ASSERT_TRUE(file.readPart(*file.find("b"), 1, two).ok());
    EXPECT_EQ(std::to_integer<int>(two[0]), 5);
    EXPECT_TRUE(file.readPart(*file.find("b"), 4, {}).ok());
    EXPECT_THAT(file.readPart(*file.find("a"), 3, two).error().message,
                HasSubstr("lie outside tensor \"a\""));
    EXPECT_EQ(file.readPart(*file.find("a"), ~0ULL, two).error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(file.read(*file.find("a"), two).error().message,
                HasSubstr("has 4 bytes, the buffer 2"));
    TensorEntry forged = *file.find("a");
    forged.end = 8;
    std::array<std::byte, 8> eight{};
    EXPECT_THAT(file.read(forged, eight).error().message, HasSubstr("is not of"));
}

TEST(Safetensors, NoticesThatTheFileWasChanged)
{
    const TestFolder folder;
    const std::array<std::uint8_t, 4> data{1, 2, 3, 4};
    const std::vector<tests::TensorToWrite> tensors{{"a", StoredType::U8, {4}, bytesOf(data)}};
    ASSERT_TRUE(tests::writeSafetensors(folder / "m", tensors).ok());
    const SafetensorsFile file = openSafetensors(folder / "m").value();
    std::array<std::byte, 4> out{};
    ASSERT_TRUE(file.read(file.tensors()[0], out).ok());
    // Another file of that name does not matter: the opened one is read.
    ASSERT_TRUE(writeFileAtomically(folder / "m", "other").ok());
    EXPECT_TRUE(file.read(file.tensors()[0], out).ok());

    ASSERT_TRUE(tests::writeSafetensors(folder / "n", tensors).ok());
    const SafetensorsFile second = openSafetensors(folder / "n").value();
    const std::array<timespec, 2> times{timespec{1, 0}, timespec{1, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "n").c_str(), times.data(), 0), 0);
    EXPECT_THAT(second.read(second.tensors()[0], out).error().message, HasSubstr("was changed"));
    ASSERT_EQ(::truncate((folder / "n").c_str(), 70), 0);
    EXPECT_EQ(second.read(second.tensors()[0], out).error().code, ErrorCode::Io);
    EXPECT_FALSE(second.contentHash().ok());
}

TEST(Safetensors, TheContentHashIsThatOfTheWholeFile)
{
    const TestFolder folder;
    const std::vector<std::uint8_t> data(5'000'000, 7);
    ASSERT_TRUE(tests::writeSafetensors(folder / "m",
                                        std::vector<tests::TensorToWrite>{
                                            {"a", StoredType::U8, {5'000'000}, bytesOf(data)}})
                    .ok());
    const SafetensorsFile file = openSafetensors(folder / "m").value();
    std::vector<std::uint64_t> steps;
    const auto hash = file.contentHash([&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(total, file.fileBytes());
        steps.push_back(done);
        return true;
    });
    EXPECT_EQ(hash.value(), sha256File(folder / "m").value());
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps.back(), file.fileBytes());
    const auto cancelled = file.contentHash([](std::uint64_t, std::uint64_t) { return false; });
    EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

TEST(Safetensors, ARememberedHashIsThatOfTheFileAsItIsNow)
{
    const TestFolder folder;
    for (const std::uint8_t value : std::array<std::uint8_t, 3>{1, 2, 3}) {
        const std::vector<std::uint8_t> data(1000, value);
        ASSERT_TRUE(tests::writeSafetensors(folder / "m",
                                            std::vector<tests::TensorToWrite>{
                                                {"a", StoredType::U8, {1000}, bytesOf(data)}})
                        .ok());
        const SafetensorsFile file = openSafetensors(folder / "m").value();
        for (int again = 0; again < 2; ++again)
            EXPECT_EQ(file.rememberedContentHash().value(), sha256File(folder / "m").value());
        // In place: the same file, the same size.
        const int open = ::open((folder / "m").c_str(), O_WRONLY | O_CLOEXEC);
        ASSERT_EQ(::pwrite(open, "!", 1, static_cast<off_t>(file.fileBytes()) - 1), 1);
        ::close(open);
        const SafetensorsFile changed = openSafetensors(folder / "m").value();
        EXPECT_EQ(changed.rememberedContentHash().value(), sha256File(folder / "m").value());
    }
    const auto old = tests::dataFile("../resources/demo_model/encoder.safetensors");
    for (int again = 0; again < 2; ++again)
        EXPECT_EQ(openSafetensors(old).value().rememberedContentHash().value(),
                  sha256File(old).value());
}

TEST(Safetensors, OnlyRegularFilesAreOpened)
{
    const TestFolder folder;
    EXPECT_EQ(openSafetensors(folder / "none").error().code, ErrorCode::NotFound);
    EXPECT_EQ(openSafetensors(folder.path()).error().code, ErrorCode::InvalidArgument);
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(openSafetensors(folder / "pipe").error().message, HasSubstr("not a regular file"));
    EXPECT_FALSE(openSafetensors("/dev/zero").ok());
}

// Every damage of one byte and every cut: refused with words, or read as a consistent file.
void expectConsistent(const TestFolder& folder, const std::string& bytes)
{
    tests::writeFile(folder / "damaged", bytes);
    const auto file = openSafetensors(folder / "damaged");
    if (!file.ok()) {
        EXPECT_THAT(file.error().message, HasSubstr("damaged: not a valid safetensors file: "));
        return;
    }
    std::uint64_t filled = 0;
    for (const TensorEntry& entry : file.value().tensors()) {
        EXPECT_EQ(entry.begin, filled);
        EXPECT_EQ(entry.elements() * bitsOf(entry.dtype), entry.bytes() * 8);
        EXPECT_EQ(valuesOf<char>(file.value(), entry).size(), entry.bytes());
        filled = entry.end;
    }
    EXPECT_EQ(file.value().dataStart() + filled, bytes.size());
}

TEST(Safetensors, EveryFlippedBitOfTheHeaderIsRefusedOrConsistent)
{
    const TestFolder folder;
    const std::string good =
        tests::readFile(tests::dataFile("golden/safetensors/shapes.safetensors"));
    const std::size_t headerEnd =
        openSafetensors(tests::dataFile("golden/safetensors/shapes.safetensors"))
            .value()
            .dataStart();
    for (std::size_t at = 0; at < headerEnd; ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string damaged = good;
            damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1U << bit));
            expectConsistent(folder, damaged);
        }
    }
}

TEST(Safetensors, EveryTruncationIsRefused)
{
    const TestFolder folder;
    const std::string good =
        tests::readFile(tests::dataFile("golden/safetensors/types.safetensors"));
    for (std::size_t length = 0; length < good.size(); ++length)
        ASSERT_NE(safetensorsRefusal(folder, std::string_view(good).substr(0, length)), "accepted")
            << length;
}

// Peak of the resident memory of this process, in bytes; the kernel resets it on request.
std::int64_t peakMemory()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        std::int64_t kib = 0;
        if (word == "VmHWM:" && status >> kib)
            return kib * 1024;
    }
    return -1;
}

// Growth of the peak while the file is opened in a child, so that memory freed before does not hide
// it.
std::int64_t memoryToOpen(const std::filesystem::path& path)
{
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        std::ofstream("/proc/self/clear_refs") << "5";
        const std::int64_t before = peakMemory();
        const bool ok = openSafetensors(path).ok();
        const std::int64_t growth = peakMemory() - before;
        static_cast<void>(ok);
        ::_exit(::write(ends[1], &growth, sizeof growth) == sizeof growth ? 0 : 1);
    }
    ::close(ends[1]);
    std::int64_t growth = -1;
    EXPECT_EQ(::read(ends[0], &growth, sizeof growth), static_cast<ssize_t>(sizeof growth));
    ::close(ends[0]);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    return growth;
}

TEST(Safetensors, AHostileHeaderCostsBoundedMemory)
{
#ifdef QS_SANITIZED
    GTEST_SKIP() << "the allocator of the sanitizer keeps freed memory";
#endif
    const TestFolder folder;
    constexpr std::size_t kHeader = 24'000'000;
    std::string tensors = "{";
    for (int i = 0; tensors.size() < kHeader; ++i)
        tensors +=
            (i == 0 ? "\"" : ",\"") + std::to_string(i) +
            R"(":{"dtype":"U8","shape":[0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,0]})";
    std::string notes = R"({"__metadata__":{)";
    for (int i = 0; notes.size() < kHeader; ++i)
        notes += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":\"\"";
    const std::vector<std::string> headers{tensors + "}",
                                           notes + "}}",
                                           "{" + std::string(kHeader, ' ') + "}",
                                           "{\"" + std::string(kHeader, 'x') + "\":1}",
                                           "{\"w\":" + std::string(kHeader, '1') + "}",
                                           "{\"w\":" + std::string(kHeader, '[')};
    for (const std::string& header : headers) {
        tests::writeFile(folder / "hostile", safetensorsBytes(header));
        const std::int64_t growth = memoryToOpen(folder / "hostile");
        EXPECT_GE(growth, 0);
        EXPECT_LE(growth, (64 << 20U) + 2 * static_cast<std::int64_t>(header.size()))
            << header.substr(0, 20);
    }
}

}  // namespace
}  // namespace qs::core
