#include "core/measure/calibration_entry.h"

#include "core/base/sha256.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;

std::string lengthOf(std::size_t size)
{
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        length[i] = static_cast<char>((size >> (8 * i)) & 0xffU);
    return length;
}

// Written down by hand: what Note [Calibration entries] says, byte by byte.
struct Written {
    std::string content = sha256Hex("all that decides it");
    std::string record =
        R"({"content":"","from_cache":false,"layers":[],"samples":4,"seed":2,"seconds":1.5,)"
        R"("set":"own","stage":"encoder"})";
    std::string model = "demo";
    std::string precision = "int8sq";
    std::string tensors = std::string("\1\2\3\4\5\6\7\0", 8) + "ABCD";

    [[nodiscard]] std::string hash() const
    {
        std::string all;
        for (const std::string& text : {content, record, model, precision})
            all += std::to_string(text.size()) + ":" + text;
        // By name; the data of b stand first.
        all += "a" + tensors.substr(8, 4) + "b" + tensors.substr(0, 8);
        return sha256Hex(all);
    }
    [[nodiscard]] std::string bytes() const
    {
        const Json header{{"__metadata__",
                           {{"content", content},
                            {"record", record},
                            {"model", model},
                            {"precision", precision},
                            {"sha256", hash()}}},
                          {"a", {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {8, 12}}}},
                          {"b", {{"dtype", "F32"}, {"shape", {2}}, {"data_offsets", {0, 8}}}}};
        std::string text = header.dump();
        text.resize((text.size() + 7) / 8 * 8, ' ');
        return lengthOf(text.size()) + text + tensors;
    }
};

class CalibrationEntries : public ::testing::Test
{
protected:
    [[nodiscard]] Result<CalibrationEntry> read(const std::string& bytes,
                                                const std::string& name = Written().content +
                                                                          ".safetensors") const
    {
        tests::writeFile(m_folder / name, bytes);
        return readCalibrationEntry(m_folder / name);
    }

    tests::TestFolder m_folder;
};

TEST_F(CalibrationEntries, AreReadAndChecked)
{
    const auto entry = read(Written().bytes());
    ASSERT_TRUE(entry.ok()) << entry.error().message;
    EXPECT_EQ(entry.value().texts.model, "demo");
    EXPECT_EQ(entry.value().texts.precision, "int8sq");
    EXPECT_EQ(entry.value().record.set, "own");
    EXPECT_EQ(entry.value().record.samples, 4);
    EXPECT_EQ(entry.value().record.stage, "encoder");
    EXPECT_EQ(entry.value().tensors, 2U);
    EXPECT_EQ(entry.value().bytes, Written().bytes().size());
}

TEST_F(CalibrationEntries, AreRefusedByNameWhereverTheyAreDamaged)
{
    const std::string whole = Written().bytes();
    for (std::size_t place = 8; place < whole.size(); ++place) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ 1);
        if (damaged.find("\"__metadata__\"") == std::string::npos)
            continue;
        const auto entry = read(damaged);
        // A space more or less between members means the same.
        const bool padding = whole[place] == ' ';
        EXPECT_TRUE(!entry.ok() || padding) << place;
        if (!entry.ok()) {
            EXPECT_THAT(entry.error().message, HasSubstr(Written().content)) << place;
        }
    }
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(read(whole.substr(0, length)).ok()) << length;
    EXPECT_FALSE(read(whole + "x").ok());
    EXPECT_TRUE(read(whole).ok());
}

TEST_F(CalibrationEntries, AreRefusedUnderAnotherName)
{
    const auto entry = read(Written().bytes(), sha256Hex("another") + ".safetensors");
    ASSERT_FALSE(entry.ok());
    EXPECT_EQ(entry.error().code, ErrorCode::Format);
    EXPECT_THAT(entry.error().message, HasSubstr(Written().content));
}

TEST_F(CalibrationEntries, OfHostileNamesAreRefused)
{
    for (const char* content : {"", "../../evil", "..", "ABCDEF", "/etc/passwd"}) {
        Written written;
        written.content = content;
        EXPECT_FALSE(read(written.bytes(), "entry.safetensors").ok()) << content;
    }
    Written written;
    written.record = R"({"stage": 3})";
    EXPECT_FALSE(read(written.bytes()).ok());
    written.record = "]}";
    EXPECT_FALSE(read(written.bytes()).ok());
    written.record = "{},{}";
    EXPECT_FALSE(read(written.bytes()).ok());
}

TEST_F(CalibrationEntries, AreNoWeights)
{
    const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    const auto entry = read(lengthOf(header.size()) + header + "ABCD");
    ASSERT_FALSE(entry.ok());
    EXPECT_THAT(entry.error().message, HasSubstr("no calibration entry"));
}

}  // namespace
}  // namespace qs::core
