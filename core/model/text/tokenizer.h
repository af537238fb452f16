#pragma once

#include "core/base/file_place.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

struct TokenizerParts;

// Text to token ids and back, as a tokenizer.json says: byte-level byte pair encoding, as GPT-2,
// Llama 3 and Qwen have it. Immutable, safe to share between threads; copies are cheap.
class Tokenizer final
{
public:
    // Format: no tokenizer.json. Unsupported: one of another kind; the message names the part.
    [[nodiscard]] static Result<Tokenizer> parse(std::string_view json, std::string_view source);
    [[nodiscard]] static Result<Tokenizer> read(const FilePlace& place);

    // With the tokens that the file puts around a text ("begin of text"). Errors: the text is no
    // UTF-8, longer than 16 MiB, or would have to be normalized in a way that is not known here.
    [[nodiscard]] Result<std::vector<std::int64_t>> encode(std::string_view text) const;

    // The bytes that a token stands for: a part of a letter, perhaps. Empty for unknown ids.
    [[nodiscard]] std::string bytesOf(std::int64_t id) const;
    // All of them; what is no UTF-8 in the whole becomes U+FFFD.
    [[nodiscard]] std::string decode(const std::vector<std::int64_t>& ids) const;
    [[nodiscard]] std::int64_t highestId() const;

private:
    explicit Tokenizer(std::shared_ptr<const TokenizerParts> parts) : m_parts(std::move(parts)) {}

    std::shared_ptr<const TokenizerParts> m_parts;
};

}  // namespace qs::core
