#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Which layers a scheme applies to. Text form: a scope, then modifiers, separated by blanks.
//   "all"             every layer of the blocks (embeddings and heads stay in the working type)
//   "mlp" "attention"
//   "every"           embeddings and heads too
//   "olmoearth"       the expressions of a set that has a name, see namedLayerSets()
//   "regex:EXPR"      layers whose dotted path the ECMAScript expression matches somewhere,
//                     ignoring case
//   "only:PATTERNS"   layers by name, see core/quant/layer_pattern.h
//   "-first2" "-last1"  leaves out the first two, the last block of each stage
//   "-regex:EXPR" "-only:PATTERNS"  leave out what they meet; any number of them
// Expressions and patterns may contain neither blanks nor "/".
class LayerFilter final
{
public:
    [[nodiscard]] static Result<LayerFilter> parse(std::string_view text);

    // Why the layer is left out, in words; nothing if it is hit.
    [[nodiscard]] std::optional<std::string> reasonToSkip(const std::string& module,
                                                          const LayerPlace& place) const;

private:
    enum class Scope { All, Every, Mlp, Attention, Named };
    // Layers that an expression or patterns meet.
    struct Names;

    [[nodiscard]] static Result<std::shared_ptr<const Names>> parseNames(std::string_view text);
    [[nodiscard]] Status addModifier(std::string_view text, std::string_view word);

    Scope m_scope = Scope::All;
    std::shared_ptr<const Names> m_names;
    std::vector<std::shared_ptr<const Names>> m_excluded;
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;
};

// One filter for all stages, or one per stage: "all/mlp -last1".
[[nodiscard]] Result<std::vector<LayerFilter>> parseLayerFilters(std::string_view text);

// An expression that has a name, because a system is known for it.
struct NamedLayerSet {
    std::string_view name;
    std::string_view description;  // one sentence for lists and the command line
    std::string_view expression;
};
[[nodiscard]] const std::vector<NamedLayerSet>& namedLayerSets();

}  // namespace qs::core
