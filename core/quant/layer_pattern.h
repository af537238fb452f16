#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace qs::core {

// Layers by name: "decoder_blocks.{0-3,7}.ffn.fc1". Braces hold words and ranges of whole numbers,
// at most one pair in a part of the path; "*" is any part. A pattern meets the layer of that path
// and all layers below it, so that "decoder_blocks.3" is a block.
class LayerPattern final
{
public:
    [[nodiscard]] static Result<LayerPattern> parse(std::string_view text);

    // As it was given.
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool meets(std::string_view module) const;
    // The module of the pattern's own depth that it meets and that this one is, or lies in: a part
    // of the text that is given; empty: none.
    [[nodiscard]] std::string_view moduleMet(std::string_view module) const;

private:
    using Range = std::pair<std::int64_t, std::int64_t>;
    using Choice = std::variant<std::string, Range>;
    // One part of a path: what stands before the braces, in them, and behind them.
    struct Part {
        bool any = false;
        std::string before;
        std::vector<Choice> choices;  // empty: `before` is all of it
        std::string after;
    };
    [[nodiscard]] static Result<Part> parsePart(std::string_view text);
    [[nodiscard]] static bool meets(const Part& part, std::string_view name);

    std::string m_text;
    std::vector<Part> m_parts;
};

// Patterns with commas between them, those in braces aside.
[[nodiscard]] Result<std::vector<LayerPattern>> parseLayerPatterns(std::string_view text);
// A short text of patterns that meet these layers and no others of their depth.
[[nodiscard]] std::string layerPatternsText(const std::vector<std::string>& modules);

}  // namespace qs::core
