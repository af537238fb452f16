#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core::exported {

using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

// Note [Size expressions]
// A size that depends on others is written by torch.export as sympy's srepr does:
//   Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))
// Python's loader evaluates that text as a program. Here it is read as what it is, a tree of whole
// numbers, symbols and a dozen functions of them: nothing else, no deeper than 64 and no longer
// than 4096 nodes.
class SizeExpression final
{
public:
    // A size that is not known.
    SizeExpression() = default;
    explicit SizeExpression(std::int64_t number) { m_nodes.push_back({Function::Number, number}); }
    [[nodiscard]] static Result<SizeExpression> parse(std::string_view text);
    // factor · symbol + rest
    [[nodiscard]] static SizeExpression linear(const std::string& symbol, std::int64_t factor,
                                               std::int64_t rest);
    [[nodiscard]] SizeExpression times(const SizeExpression& other) const;

    // Overflow, a division by 0 and a symbol without a value are errors.
    [[nodiscard]] Result<std::int64_t> evaluate(const SymbolValues& symbols) const;
    // The name if it is a symbol and nothing else; empty else.
    [[nodiscard]] std::string symbol() const;
    void addSymbols(std::set<std::string>& symbols) const;
    // As parse() reads it; empty for a size that is not known.
    [[nodiscard]] std::string text() const;

private:
    friend class SizeExpressionParser;
    enum class Function { Number, Symbol, Add, Mul, Pow, FloorDiv, Mod, Max, Min, CeilDiv };
    struct Node {
        Function function = Function::Number;
        std::int64_t number = 0;
        std::string symbol = {};
        std::vector<std::size_t> operands = {};  // that stand before it
    };

    [[nodiscard]] Result<std::int64_t> valueOf(const Node& node,
                                               const std::vector<std::int64_t>& values,
                                               const SymbolValues& symbols) const;

    // Operands before what is made of them; the last one is the whole.
    std::vector<Node> m_nodes;
};

// As Python divides: rounded downwards. Nothing for a division by 0 or an overflow.
[[nodiscard]] Result<std::int64_t> floorDivide(std::int64_t a, std::int64_t b);
[[nodiscard]] Result<std::int64_t> floorModulo(std::int64_t a, std::int64_t b);

}  // namespace qs::core::exported
