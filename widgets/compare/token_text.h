#pragma once

#include "widgets/compare/loaded_values.h"

#include <QString>
#include <QVariant>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace qs::widgets {

// What a token stands for, with its blanks visible: "␣quick", "⏎"; its number where it is but a
// part of a letter.
[[nodiscard]] QString tokenText(const core::Tokenizer& tokenizer, std::int64_t id);

// "KL divergence 0.012 nats, largest difference of a logit 0.44"
[[nodiscard]] QString distanceText(const PlaceDistance& distance);
// How far a token's scores are from those of the reference: nothing below what can be seen.
[[nodiscard]] QVariant distanceColour(const PlaceDistance& distance);

// A piece of text that is one token, or several that make one letter.
struct TextPiece {
    QString text = {};
    PlaceDistance distance = {};  // the largest
};

// A text in three parts: what is as in the reference, the first token that is not, and the rest.
struct DividedText {
    QString heading = {};  // "Reference", "A"
    QString title = {};    // of the cell; empty for the reference
    QString common = {};
    // What is as in the reference once more, where distances are known.
    std::vector<TextPiece> pieces = {};
    QString divergence = {};  // empty: there is none
    QString rest = {};
};
// The reference first. Long texts begin and end near the first divergence, with "…". Empty without
// a tokenizer, or where nothing was kept.
[[nodiscard]] std::vector<DividedText> dividedTexts(const LoadedValues& loaded);

}  // namespace qs::widgets
