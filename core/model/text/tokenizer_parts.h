#pragma once

#include "core/model/text/byte_pairs.h"
#include "core/model/text/split_pattern.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace qs::core {

// A token that is found in the text itself, before words are cut.
struct AddedToken {
    std::int64_t id = 0;
    std::string content;
    bool singleWord = false;  // only between what is no letter of a word
    bool takesSpacesBefore = false;
    bool takesSpacesBehind = false;
};

// Cuts words where the pattern matches.
struct WordSplit {
    SplitPattern pattern;
    bool keepsMatches = true;
    bool keepsRest = true;  // what lies between the matches
};
struct SpaceBefore {
};  // puts a space before a text that begins with none
using CuttingStep = std::variant<WordSplit, SpaceBefore>;

struct TokenizerParts {
    BytePairs pairs;
    std::vector<AddedToken> added;
    std::map<std::int64_t, std::string> addedById;
    std::vector<CuttingStep> cutting;
    bool composes = false;             // normalizes to NFC
    std::vector<std::int64_t> before;  // each text
    std::vector<std::int64_t> behind;
};

}  // namespace qs::core
