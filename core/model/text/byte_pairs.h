#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace qs::core {

// Byte-level byte pair encoding: the bytes of a word, of which the neighbours that were merged
// first in training are joined until none can be.
class BytePairs final
{
public:
    // `token` in the letters that byte-level tokenizers write bytes with; one with other letters
    // can only be found in texts as a whole.
    void addToken(std::string_view token, std::int64_t id);
    // The next one in the order of merging; both parts and the whole must be tokens.
    [[nodiscard]] Status addMerge(std::string_view left, std::string_view right);
    void setWholeWordsFirst(bool first) { m_wholeWordsFirst = first; }

    // Bytes without a token are left out, as tokenizers do.
    void encode(std::string_view word, std::vector<std::int64_t>& ids) const;
    [[nodiscard]] const std::string* bytesOf(std::int64_t id) const;
    [[nodiscard]] std::optional<std::int64_t> idOf(std::string_view bytes) const;
    [[nodiscard]] std::int64_t highestId() const { return m_highest; }

private:
    struct Merge {
        std::size_t rank = 0;
        std::int64_t id = 0;
    };
    struct PairHash {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& pair) const
        {
            constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
            return static_cast<std::size_t>((static_cast<std::uint64_t>(pair.first) * kOdd) ^
                                            (static_cast<std::uint64_t>(pair.second) * 31 * kOdd));
        }
    };

    std::unordered_map<std::string, std::int64_t> m_ids;  // by bytes
    std::unordered_map<std::int64_t, std::string> m_bytes;
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, Merge, PairHash> m_merges;
    std::int64_t m_highest = -1;
    bool m_wholeWordsFirst = false;
};

}  // namespace qs::core
