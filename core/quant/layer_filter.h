#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace qs::core {

// Which layers a scheme applies to. Text form: a scope, then modifiers, separated by blanks:
//   "all"            every layer of the blocks (embeddings and heads stay in the working
//   type) "mlp" "attention" "every"          embeddings and heads too "regex:EXPR"     layers whose
//   dotted path the ECMAScript expression matches somewhere, ignoring case
//   "-first2" "-last1"   leaves out the first two, the last block of each stage
// A regular expression is the rest of the text up to the modifiers and may contain no blank.
class LayerFilter final
{
public:
    [[nodiscard]] static Result<LayerFilter> parse(std::string_view text);

    // Why the layer is left out, in words; nothing if it is hit.
    [[nodiscard]] std::optional<std::string> reasonToSkip(const std::string& module,
                                                          const LayerPlace& place) const;

private:
    enum class Scope { All, Every, Mlp, Attention, Expression };
    struct Expression;

    Scope m_scope = Scope::All;
    std::shared_ptr<const Expression> m_expression;
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;
};

}  // namespace qs::core
