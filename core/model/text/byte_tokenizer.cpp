#include "core/model/text/byte_tokenizer.h"

#include "core/base/json.h"
#include "core/model/text/utf8.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr unsigned kBytes = 256;

// Bytes that a tokenizer.json writes as the letter of that number; the others are written as those
// from 256 on, in their order.
bool isWrittenAsItself(unsigned byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

}  // namespace

std::string byteTokenizer()
{
    Json vocabulary = Json::object();
    char32_t next = kBytes;
    for (unsigned byte = 0; byte < kBytes; ++byte) {
        std::string letter;
        appendUtf8(letter, isWrittenAsItself(byte) ? static_cast<char32_t>(byte) : next++);
        vocabulary[letter] = byte;
    }
    return jsonText(Json{
        {"model", {{"type", "BPE"}, {"vocab", std::move(vocabulary)}, {"merges", Json::array()}}},
        {"pre_tokenizer",
         {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}},
        {"decoder", {{"type", "ByteLevel"}}}});
}

}  // namespace qs::core
