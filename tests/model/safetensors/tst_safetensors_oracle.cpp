// Our files against those of the reference implementation, in both directions.
#include "tests/model/safetensors/safetensors_bytes.h"
#include "tests/support/safetensors_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace qs::core {
namespace {

using tests::TestFolder;

std::filesystem::path golden(const std::string& name)
{
    return tests::dataFile("golden/safetensors/" + name + ".safetensors");
}

std::vector<std::byte> bytesOf(const SafetensorsFile& file, const TensorEntry& entry)
{
    std::vector<std::byte> bytes(entry.bytes());
    EXPECT_TRUE(file.read(entry, bytes).ok());
    return bytes;
}

TEST(SafetensorsOracle, TypesOfTheReferenceAreRead)
{
    const SafetensorsFile file = openSafetensors(golden("types")).value();
    EXPECT_EQ(file.metadata(), (SafetensorsMetadata{{"format", "pt"}}));
    ASSERT_EQ(file.tensors().size(), 12U);
    const std::vector<std::pair<std::string, StoredType>> types{
        {"f64", StoredType::F64},   {"f32", StoredType::F32},      {"f16", StoredType::F16},
        {"bf16", StoredType::BF16}, {"e4m3", StoredType::F8_E4M3}, {"e5m2", StoredType::F8_E5M2},
        {"i64", StoredType::I64},   {"i32", StoredType::I32},      {"i16", StoredType::I16},
        {"i8", StoredType::I8},     {"u8", StoredType::U8},        {"bool", StoredType::BOOL}};
    for (const auto& [name, type] : types) {
        const TensorEntry* entry = file.find("layer." + name);
        ASSERT_NE(entry, nullptr) << name;
        EXPECT_EQ(entry->dtype, type) << name;
        EXPECT_EQ(entry->shape, (std::vector<std::uint64_t>{2, 3})) << name;
    }
    // 1.5 is the fourth value of the ramp 0, 0.5, …: its bits in four types.
    const auto bits = [&](const char* name, std::size_t width) {
        const auto bytes = bytesOf(file, *file.find(std::string("layer.") + name));
        std::uint64_t value = 0;
        for (std::size_t i = width; i-- > 0;)
            value = (value << 8U) | std::to_integer<std::uint64_t>(bytes[3 * width + i]);
        return value;
    };
    EXPECT_EQ(bits("f32", 4), 0x3FC00000U);
    EXPECT_EQ(bits("f16", 2), 0x3E00U);
    EXPECT_EQ(bits("bf16", 2), 0x3FC0U);
    EXPECT_EQ(bits("e4m3", 1), 0x3CU);
    EXPECT_EQ(bits("i64", 8), 1U);
}

TEST(SafetensorsOracle, ShapesAndNonFiniteValuesOfTheReferenceAreRead)
{
    const SafetensorsFile shapes = openSafetensors(golden("shapes")).value();
    EXPECT_TRUE(shapes.find("scalar")->shape.empty());
    EXPECT_EQ(shapes.find("empty")->shape, (std::vector<std::uint64_t>{0, 3}));
    EXPECT_NE(shapes.find("größe\\\""), nullptr);
    const SafetensorsFile odd = openSafetensors(golden("nonfinite")).value();
    const auto bytes = bytesOf(odd, odd.tensors()[0]);
    EXPECT_EQ(std::to_integer<int>(bytes[7]), 0x7F);
    EXPECT_EQ(std::to_integer<int>(bytes[15]), 0x80);
    EXPECT_TRUE(openSafetensors(golden("empty")).value().tensors().empty());
}

TEST(SafetensorsOracle, WritingAGoldenFileAgainGivesTheSameBytes)
{
    for (const char* name : {"types", "shapes", "nonfinite", "empty"}) {
        const SafetensorsFile file = openSafetensors(golden(name)).value();
        std::vector<std::vector<std::byte>> contents;
        std::vector<tests::TensorToWrite> tensors;
        for (const TensorEntry& entry : file.tensors())
            contents.push_back(bytesOf(file, entry));
        // Handed over in reverse, so that the order of the file is the writer's doing.
        for (std::size_t i = contents.size(); i-- > 0;) {
            const TensorEntry& entry = file.tensors()[i];
            tensors.push_back({entry.name, entry.dtype, entry.shape, contents[i]});
        }
        EXPECT_EQ(tests::encodeSafetensors(tensors, file.metadata()), tests::readFile(golden(name)))
            << name;
    }
}

TEST(SafetensorsOracle, TheReferenceReadsWhatWeWrite)
{
    const char* chosen = std::getenv("QS_TEST_PYTHON");
    const std::string python = chosen != nullptr ? chosen : QS_DEFAULT_PYTHON;
    if (!std::filesystem::exists(python))
        GTEST_SKIP() << python << " is missing: run packaging/test.sh, or set QS_TEST_PYTHON";
    const TestFolder folder;
    const std::array<std::uint8_t, 8> data{0, 1, 2, 3, 4, 5, 6, 0xFF};
    const auto bytes = std::as_bytes(std::span(data));
    const std::vector<tests::TensorToWrite> tensors{{"b \"é\"", StoredType::I8, {2, 2, 2}, bytes},
                                                    {"a", StoredType::F32, {2}, bytes},
                                                    {"s", StoredType::F64, {}, bytes},
                                                    {"e", StoredType::I64, {3, 0}, {}},
                                                    {"f", StoredType::F8_E5M2, {8}, bytes},
                                                    {"h", StoredType::BF16, {4, 1}, bytes}};
    ASSERT_TRUE(tests::writeSafetensors(folder / "ours", tensors, {{"k", "v\n\"é\""}}).ok());
    const std::string command = "'" + python + "' '" +
                                tests::dataFile("model/safetensors/read_back.py").string() + "' '" +
                                (folder / "ours").string() + "'";
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
    ASSERT_NE(pipe, nullptr);
    std::string text;
    std::array<char, 4096> chunk{};
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe.get()))
        text.append(chunk.data(), count);
    const int status = ::pclose(pipe.release());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        GTEST_SKIP() << text;
    ASSERT_EQ(status, 0) << text;
    EXPECT_EQ(text, "a F32 [2] 00010203040506ff\n"
                    "b \"é\" I8 [2, 2, 2] 00010203040506ff\n"
                    "e I64 [3, 0] \n"
                    "f F8_E5M2 [8] 00010203040506ff\n"
                    "h BF16 [4, 1] 00010203040506ff\n"
                    "s F64 [] 00010203040506ff\n"
                    "[('k', 'v\\n\"é\"')]\n");
}

}  // namespace
}  // namespace qs::core
