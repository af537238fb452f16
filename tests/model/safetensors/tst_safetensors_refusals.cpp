#include "tests/model/safetensors/safetensors_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using tests::lengthPrefix;
using tests::safetensorsBytes;
using tests::safetensorsRefusal;
using tests::TestFolder;

// One hostile file and the words that its refusal must hold.
struct Hostile {
    const char* what;
    std::string bytes;
    std::string complaint;
};

void PrintTo(const Hostile& hostile, std::ostream* out)
{
    *out << hostile.what;
}

class SafetensorsRefuses : public ::testing::TestWithParam<Hostile>
{
};

TEST_P(SafetensorsRefuses, WithItsOwnWords)
{
    const TestFolder folder;
    EXPECT_THAT(safetensorsRefusal(folder, GetParam().bytes),
                AllOf(HasSubstr("model.safetensors: not a valid safetensors file: "),
                      HasSubstr(GetParam().complaint)))
        << GetParam().what;
}

Hostile header(const char* what, const std::string& text, std::string complaint)
{
    return {what, safetensorsBytes(text, std::string(8, 'd')), std::move(complaint)};
}

// A tensor "w" with these members, over 8 bytes of data.
Hostile body(const char* what, const std::string& members, std::string complaint)
{
    return header(what, "{\"w\":{" + members + "}}", std::move(complaint));
}

// Two tensors of bytes with these offsets over `dataBytes` bytes.
Hostile pair(const char* what, const std::string& a, const std::string& b, std::size_t dataBytes,
             std::string complaint)
{
    const auto tensor = [](const char* name, const std::string& shapeAndOffsets) {
        return "\"" + std::string(name) + "\":{\"dtype\":\"U8\"," + shapeAndOffsets + "}";
    };
    return {what,
            safetensorsBytes("{" + tensor("a", a) + "," + tensor("b", b) + "}",
                             std::string(dataBytes, 'd')),
            std::move(complaint)};
}

std::string range(int shape, int begin, int end)
{
    return "\"shape\":[" + std::to_string(shape) + "],\"data_offsets\":[" + std::to_string(begin) +
           "," + std::to_string(end) + "]";
}

const std::string kGood = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
const std::string kGoodTensor = "\"w\":{" + kGood + "}";

INSTANTIATE_TEST_SUITE_P(
    HeaderLength, SafetensorsRefuses,
    ::testing::Values(
        Hostile{"no byte", "", "it has 0 bytes, less than the 8"},
        Hostile{"one byte", "x", "it has 1 bytes"},
        Hostile{"seven bytes", std::string(7, '\0'), "it has 7 bytes"},
        Hostile{"text", "{}", "it has 2 bytes"}, Hostile{"four bytes", "abcd", "it has 4 bytes"},
        Hostile{"100,000,001", lengthPrefix(100'000'001) + "{}",
                "more than the limit of 100000000"},
        Hostile{"2^63", lengthPrefix(1ULL << 63U) + "{}", "more than the limit"},
        Hostile{"2^64-1", lengthPrefix(~0ULL) + "{}", "claims 18446744073709551615 bytes"},
        Hostile{"2^64-8 would wrap", lengthPrefix(~0ULL - 7) + "{}", "more than the limit"},
        Hostile{"2^32", lengthPrefix(1ULL << 32U) + "{}", "more than the limit"},
        Hostile{"one too long", lengthPrefix(3) + "{}", "claims 3 bytes, but only 2 follow"},
        Hostile{"limit, but no data", lengthPrefix(100'000'000), "but only 0 follow"},
        Hostile{"length alone", lengthPrefix(1), "claims 1 bytes, but only 0"},
        Hostile{"big-endian", std::string("\0\0\0\0\0\0\0\x02{}", 10), "more than the limit"},
        Hostile{"cut", safetensorsBytes("{" + kGoodTensor + "}").substr(0, 30), "follow (byte 0)"},
        Hostile{"empty header", lengthPrefix(0), "does not begin with"},
        Hostile{"empty header and data", lengthPrefix(0) + "dddd", "does not begin with"}));

INSTANTIATE_TEST_SUITE_P(
    JsonText, SafetensorsRefuses,
    ::testing::Values(
        header("a space first", " {}", "does not begin with"),
        header("a byte order mark", "\xEF\xBB\xBF{}", "does not begin with"),
        header("a list", "[]", "does not begin with"),
        header("a number", "1", "does not begin with"),
        header("a text", "\"{}\"", "does not begin with"),
        header("UTF-16", std::string("{\0}\0", 4), "not valid JSON"),
        header("not closed", "{", "not valid JSON"),
        header("cut in a text", "{\"w", "not valid JSON"),
        header("comma at the end", "{" + kGoodTensor + ",}", "not valid JSON"),
        header("comment", "{/* */}", "not valid JSON"),
        header("single quotes", "{'w':1}", "not valid JSON"),
        header("NaN", "{\"w\":NaN}", "not valid JSON"),
        header("UTF-8: lone byte", "{\"\xFF\":1}", "ill-formed UTF-8"),
        header("UTF-8: overlong", "{\"\xC0\xAF\":1}", "ill-formed UTF-8"),
        header("UTF-8: surrogate", "{\"\xED\xA0\x80\":1}", "ill-formed UTF-8"),
        header("UTF-8: beyond 10FFFF", "{\"\xF4\x90\x80\x80\":1}", "ill-formed UTF-8"),
        header("UTF-8: cut", "{\"\xE2\x82\":1}", "ill-formed UTF-8"),
        header("UTF-8: between tokens", "{\xC3\xA9}", "not valid JSON"),
        header("escaped surrogate", "{\"\\ud800\":1}", "not valid JSON"),
        header("two objects", "{}{}", "followed by something other than spaces (byte 10)"),
        header("tail", "{} x", "something other than spaces (byte 11)"),
        header("zero bytes as padding", std::string("{}\0\0", 4), "something other than spaces"),
        header("newline as padding", "{}\n", "something other than spaces"),
        header("tab as padding", "{} \t", "something other than spaces"),
        header("a long number", "{\"w\":" + std::string(65, '1') + "}", "longer than 64 bytes"),
        header("depth bomb of lists", "{\"w\":" + std::string(100'000, '['), "found a list"),
        header("depth bomb in a shape", "{\"w\":{\"shape\":[[[[",
               "must hold whole numbers, found a list")));

INSTANTIATE_TEST_SUITE_P(
    Structure, SafetensorsRefuses,
    ::testing::Values(
        header("tensor is a number", "{\"w\":1}", "tensor \"w\": a tensor must be an object"),
        header("tensor is a list", "{\"w\":[]}", "found a list"),
        header("tensor is a text", "{\"w\":\"x\"}", "found a text"),
        header("tensor is null", "{\"w\":null}", "found null"),
        header("tensor is a flag", "{\"w\":true}", "found true or false"),
        body("nothing", "", "tensor \"w\": dtype is missing"),
        body("no dtype", R"("shape":[2],"data_offsets":[0,8])", "dtype is missing"),
        body("no shape", R"("dtype":"F32","data_offsets":[0,8])", "shape is missing"),
        body("no offsets", R"("dtype":"F32","shape":[2])", "data_offsets is missing"),
        body("unknown member", kGood + ",\"strides\":[1]", "unknown member \"strides\""),
        body("wrong case", R"("Dtype":"F32")", "unknown member \"Dtype\""),
        body("empty member", "\"\":1", "unknown member \"\""),
        body("nested tensor", "\"inner\":{" + kGood + "}", "unknown member \"inner\""),
        body("metadata inside", "\"__metadata__\":{}", "unknown member \"__metadata__\""),
        body("two dtypes", kGood + ",\"dtype\":\"F32\"", "tensor \"w\": dtype appears twice"),
        body("two shapes", kGood + ",\"shape\":[2]", "shape appears twice"),
        body("two offsets", kGood + ",\"data_offsets\":[0,8]", "data_offsets appears twice"),
        header("twin tensors", "{" + kGoodTensor + "," + kGoodTensor + "}",
               "tensor \"w\" appears twice in the header"),
        header("twins by escape", "{" + kGoodTensor + ",\"\\u0077\":{" + kGood + "}}",
               "tensor \"w\" appears twice"),
        header("twin metadata", R"({"__metadata__":{},"__metadata__":{}})",
               "__metadata__ appears twice"),
        header("twin metadata keys", R"({"__metadata__":{"a":"1","a":"2"}})",
               "the metadata \"a\" appears twice"),
        header("metadata is a text", R"({"__metadata__":"x"})",
               "__metadata__ must be an object of texts"),
        header("metadata is null", R"({"__metadata__":null})", "found null"),
        header("metadata is a list", R"({"__metadata__":[]})", "found a list"),
        header("metadata number", R"({"__metadata__":{"a":1}})",
               "the metadata \"a\" must be a text"),
        header("metadata real", R"({"__metadata__":{"a":1.5}})", "found a number"),
        header("metadata negative", R"({"__metadata__":{"a":-1}})", "found a number"),
        header("metadata null", R"({"__metadata__":{"a":null}})", "found null"),
        header("metadata object", R"({"__metadata__":{"a":{}}})", "found an object"),
        header("metadata list", R"({"__metadata__":{"a":["b"]}})", "found a list")));

INSTANTIATE_TEST_SUITE_P(
    Values, SafetensorsRefuses,
    ::testing::Values(
        body("dtype unknown", R"("dtype":"F33")", "unknown dtype \"F33\""),
        body("dtype lower case", R"("dtype":"f32")", "unknown dtype \"f32\""),
        body("dtype empty", R"("dtype":"")", "unknown dtype \"\""),
        body("dtype hostile", "\"dtype\":\"\\u001b[31m\"", "unknown dtype \"?[31m\""),
        body("dtype of torch", R"("dtype":"torch.float32")", "unknown dtype \"torch.float32\""),
        body("dtype number", R"("dtype":5)", "dtype must be a text, found a number"),
        body("dtype list", R"("dtype":["F32"])", "dtype must be a text, found a list"),
        body("shape number", R"("shape":5)", "shape must be a list of whole numbers"),
        body("shape text", R"("shape":"[2]")",
             "shape must be a list of whole numbers, found a text"),
        body("shape null", R"("shape":null)", "found null"),
        body("shape of texts", R"("shape":["2"])",
             "the shape must hold whole numbers, found a text"),
        body("shape of flags", R"("shape":[true])", "found true or false"),
        body("shape negative", R"("shape":[-1])", "the shape has the negative number -1"),
        body("shape minus zero", R"("shape":[-0])", "negative number"),
        body("shape real", R"("shape":[2.0])", "the shape has 2.0, not a whole number"),
        body("shape exponent", R"("shape":[1e3])", "the shape has 1e3, not a whole number"),
        body("shape 2^48", R"("shape":[281474976710656])", "more than the largest allowed number"),
        body("shape 2^64-1", R"("shape":[18446744073709551615])", "more than the largest allowed"),
        body("shape 2^64", R"("shape":[18446744073709551616])", "not a whole number"),
        body("rank 17", R"("shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1])",
             "more than 16 dimensions"),
        body("offsets number", R"("data_offsets":8)",
             "data_offsets must be a list of whole numbers"),
        body("offsets empty", R"("data_offsets":[])", "must have two numbers, found 0"),
        body("offsets one", R"("data_offsets":[0])", "must have two numbers, found 1"),
        body("offsets three", R"("data_offsets":[0,8,8])", "more than two numbers"),
        body("offsets negative", R"("data_offsets":[-8,0])",
             "data_offsets has the negative number -8"),
        body("offsets real", R"("data_offsets":[0,8.0])", "data_offsets has 8.0"),
        body("offsets 2^48", R"("data_offsets":[0,281474976710656])", "2^48-1"),
        body("offsets of lists", R"("data_offsets":[[0,8]])", "found a list"),
        body("offsets object", R"("data_offsets":{"begin":0})", "found an object"),
        header("name control", "{\"a\\nb\":1}", "cannot be printed at its byte 1"),
        header("name zero byte", "{\"\\u0000\":1}", "tensor \"?\": the name has a character"),
        header("name delete", "{\"\x7F\":1}", "cannot be printed"),
        header("name reversed", "{\"\u202Eexe\":1}", "cannot be printed at its byte 0"),
        header("name separator", "{\"a\\u2028\":1}", "cannot be printed"),
        header("name too long", "{\"" + std::string(4097, 'n') + "\":1}", "4097 bytes long")));

INSTANTIATE_TEST_SUITE_P(
    Layout, SafetensorsRefuses,
    ::testing::Values(
        pair("hole at the start", range(4, 4, 8), range(4, 8, 12), 12,
             "leaves a hole after byte 0"),
        pair("hole between", range(4, 0, 4), range(3, 5, 8), 8,
             "tensor \"b\": it begins at byte 5 of the data, which leaves a hole after byte 4"),
        pair("hole of one gigabyte", range(4, 0, 4), range(1, 1'000'000'000, 1'000'000'001), 8,
             "leaves a hole after byte 4"),
        pair("both far away", range(1, 100, 101), range(1, 101, 102), 8, "hole after byte 0"),
        pair("empty tensor in a hole", range(4, 0, 4), range(0, 6, 6), 6, "hole after byte 4"),
        pair(
            "same bytes", range(4, 0, 4), range(4, 0, 4), 4,
            "tensor \"b\": it begins at byte 0 of the data and overlaps the tensor that ends at 4"),
        pair("overlap of one", range(4, 0, 4), range(5, 3, 8), 8,
             "overlaps the tensor that ends at 4"),
        pair("one inside the other", range(8, 0, 8), range(2, 2, 4), 8, "overlaps"),
        pair("empty inside", range(8, 0, 8), range(0, 4, 4), 8, "overlaps"),
        pair("overlap in reverse order", range(5, 3, 8), range(4, 0, 4), 8,
             "tensor \"a\": it begins"),
        body("end before begin", R"("dtype":"U8","shape":[0],"data_offsets":[8,0])",
             "data_offsets end at 0, before they begin at 8"),
        body("end one before begin", R"("dtype":"U8","shape":[0],"data_offsets":[1,0])",
             "before they begin"),
        body("end before begin, far",
             R"("dtype":"U8","shape":[1],"data_offsets":[281474976710655,0])", "before they begin"),
        pair("end before begin, second", range(4, 0, 4), range(1, 5, 4), 8,
             "tensor \"b\": data_offsets end at 4"),
        pair("end before begin, wraps", range(4, 0, 4), range(0, 4, 0), 8, "data_offsets end at 0"),
        body("one byte missing in the range", R"("dtype":"F32","shape":[2],"data_offsets":[0,7])",
             "type and shape need 8 bytes, data_offsets give 7"),
        body("range too long", R"("dtype":"F16","shape":[2],"data_offsets":[0,8])",
             "need 4 bytes, data_offsets give 8"),
        body("empty range", R"("dtype":"F32","shape":[2],"data_offsets":[0,0])",
             "need 8 bytes, data_offsets give 0"),
        body("scalar with two values", R"("dtype":"F32","shape":[],"data_offsets":[0,8])",
             "need 4 bytes"),
        body("zero extent with data", R"("dtype":"F32","shape":[2,0],"data_offsets":[0,8])",
             "need 0 bytes"),
        body("elements overflow",
             R"("dtype":"U8","shape":[281474976710655,281474976710655],"data_offsets":[0,8])",
             "the number of elements overflows"),
        body("elements wrap to 0",
             R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])",
             "the number of elements overflows"),
        body("overflow before a zero",
             R"("dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,0])",
             "the number of elements overflows"),
        body("bits overflow",
             R"("dtype":"F64","shape":[281474976710655,4096],"data_offsets":[0,8])",
             "the size in bits overflows"),
        body("bits wrap to 0",
             R"("dtype":"F32","shape":[1073741824,1073741824],"data_offsets":[0,0])",
             "the size in bits overflows"),
        body("half a byte", R"("dtype":"F4","shape":[1],"data_offsets":[0,0])",
             "4 bits do not fill whole bytes"),
        body("half a byte, rounded up", R"("dtype":"F4","shape":[3],"data_offsets":[0,2])",
             "12 bits do not"),
        body("six bits", R"("dtype":"F6_E2M3","shape":[1],"data_offsets":[0,1])", "6 bits do not"),
        body("eighteen bits", R"("dtype":"F6_E3M2","shape":[3],"data_offsets":[0,2])",
             "18 bits do not"),
        body("half a byte, scalar", R"("dtype":"F4","shape":[],"data_offsets":[0,1])",
             "4 bits do not"),
        Hostile{"a byte too much", safetensorsBytes("{" + kGoodTensor + "}", "ddddddddX"),
                "1 bytes follow the last tensor (from byte 8 of the data)"},
        Hostile{"a second file behind",
                safetensorsBytes("{" + kGoodTensor + "}", "ddddddddPK\x03\x04"),
                "4 bytes follow the last tensor"},
        Hostile{"data without tensors", safetensorsBytes("{}", "x"), "1 bytes follow"},
        Hostile{"data behind metadata", safetensorsBytes(R"({"__metadata__":{}})", "xyz"),
                "3 bytes follow"},
        pair("data behind an empty tensor", range(4, 0, 4), range(0, 4, 4), 5, "1 bytes follow"),
        Hostile{"no data", safetensorsBytes("{" + kGoodTensor + "}"), "the data is cut off"},
        Hostile{"a byte too few", safetensorsBytes("{" + kGoodTensor + "}", "ddddddd"),
                "the last tensor ends at byte 8 of the data, the file at 7"},
        Hostile{"half the data", safetensorsBytes("{" + kGoodTensor + "}", "dddd"),
                "the data is cut off"},
        pair("second missing", range(4, 0, 4), range(4, 4, 8), 4, "the data is cut off"),
        body("2^48-1 bytes claimed",
             R"("dtype":"U8","shape":[281474976710655],"data_offsets":[0,281474976710655])",
             "the data is cut off")));

TEST(SafetensorsLimits, AreHeld)
{
    const TestFolder folder;
    const std::string two = safetensorsBytes(
        R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[],"data_offsets":[1,2]}})",
        "xy");
    EXPECT_EQ(safetensorsRefusal(folder, two, {.tensors = 2}), "accepted");
    EXPECT_THAT(safetensorsRefusal(folder, two, {.tensors = 1}), HasSubstr("more than 1 tensors"));
    const std::string notes = safetensorsBytes(R"({"__metadata__":{"a":"1","b":"2"}})");
    EXPECT_EQ(safetensorsRefusal(folder, notes, {.metadataEntries = 2}), "accepted");
    EXPECT_THAT(safetensorsRefusal(folder, notes, {.metadataEntries = 1}),
                HasSubstr("more than 1 metadata entries"));
    const std::string text = safetensorsBytes(R"({"__metadata__":{"a":"0123456789"}})");
    EXPECT_EQ(safetensorsRefusal(folder, text, {.textBytes = 12}), "accepted");
    EXPECT_THAT(safetensorsRefusal(folder, text, {.textBytes = 11}),
                HasSubstr("a string is longer than 11 bytes"));
}

}  // namespace
}  // namespace qs::core
