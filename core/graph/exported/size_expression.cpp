#include "core/graph/exported/size_expression.h"

#include "core/base/enum_names.h"
#include "core/base/excerpt.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace qs::core::exported {

namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMostNodes = 4096;
constexpr std::size_t kMostBytes = std::size_t{1} << 16U;

Error overflow()
{
    return {ErrorCode::Format, "a size does not fit into 64 bits"};
}

Result<std::int64_t> power(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0)
        return Error{ErrorCode::Unsupported, "a size with a negative exponent"};
    std::int64_t value = 1;
    // Beyond 63 doublings only 0, 1 and -1 fit.
    if (exponent > 63 && (base > 1 || base < -1))
        return overflow();
    for (std::int64_t i = 0; i < std::min<std::int64_t>(exponent, 64 + exponent % 2); ++i) {
        if (__builtin_mul_overflow(value, base, &value))
            return overflow();
    }
    return value;
}

}  // namespace

Result<std::int64_t> floorDivide(std::int64_t a, std::int64_t b)
{
    if (b == 0)
        return Error{ErrorCode::Format, "a size is divided by 0"};
    if (b == -1 && a == std::numeric_limits<std::int64_t>::min())
        return overflow();
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

Result<std::int64_t> floorModulo(std::int64_t a, std::int64_t b)
{
    QS_TRY(const std::int64_t quotient, floorDivide(a, b));
    return a - quotient * b;
}

// Reads the text from the left to the right, once.
class SizeExpressionParser final
{
public:
    using Function = SizeExpression::Function;
    using Node = SizeExpression::Node;

    explicit SizeExpressionParser(std::string_view text) : m_all(text), m_rest(text) {}

    // The first name of a function is the one that it is written by.
    static constexpr auto functionNames()
    {
        return enumNames<Function>({{Function::Add, "Add"},
                                    {Function::Mul, "Mul"},
                                    {Function::Pow, "Pow"},
                                    {Function::FloorDiv, "FloorDiv"},
                                    {Function::FloorDiv, "CleanDiv"},
                                    {Function::Mod, "Mod"},
                                    {Function::Mod, "PythonMod"},
                                    {Function::Max, "Max"},
                                    {Function::Min, "Min"},
                                    {Function::CeilDiv, "CeilDiv"},
                                    {Function::Pow, "PowByNatural"}});
    }

    Result<SizeExpression> parse()
    {
        QS_TRY(const std::size_t root, expression(0));
        if (!m_rest.empty() || root + 1 != m_nodes.size())
            return refuse();
        SizeExpression whole;
        whole.m_nodes = std::move(m_nodes);
        return whole;
    }

private:
    [[nodiscard]] Error refuse() const
    {
        return {ErrorCode::Unsupported,
                "\"" + excerpt(m_all) + "\" is no size that can be computed here"};
    }

    bool take(std::string_view token)
    {
        if (!m_rest.starts_with(token))
            return false;
        m_rest.remove_prefix(token.size());
        return true;
    }

    std::string_view word()
    {
        const auto end = std::find_if_not(m_rest.begin(), m_rest.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_';
        });
        const std::string_view found =
            m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
        m_rest.remove_prefix(found.size());
        return found;
    }

    Result<std::size_t> add(Node node)
    {
        if (m_nodes.size() >= kMostNodes)
            return refuse();
        m_nodes.push_back(std::move(node));
        return m_nodes.size() - 1;
    }

    Result<std::size_t> expression(std::size_t depth)
    {
        if (depth > kDeepest)
            return refuse();
        const std::string_view name = word();
        if (!take("("))
            return refuse();
        if (name == "Integer")
            return number();
        if (name == "Symbol")
            return symbol();
        const auto function = functionNames().find(name);
        if (!function)
            return refuse();
        Node node{*function};
        do {
            QS_TRY(const std::size_t operand, expression(depth + 1));
            node.operands.push_back(operand);
        } while (take(", "));
        const bool pair = *function != Function::Add && *function != Function::Mul &&
                          *function != Function::Max && *function != Function::Min;
        if (!take(")") || (pair && node.operands.size() != 2))
            return refuse();
        return add(std::move(node));
    }

    Result<std::size_t> number()
    {
        Node node;
        const auto [end, error] =
            std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), node.number);
        if (error != std::errc())
            return refuse();
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        return take(")") ? add(std::move(node)) : refuse();
    }

    // Behind the name stands what sympy may assume of it.
    Result<std::size_t> symbol()
    {
        if (!take("'"))
            return refuse();
        Node node{Function::Symbol};
        node.symbol = word();
        if (node.symbol.empty() || !take("'"))
            return refuse();
        while (take(", ")) {
            if (word().empty() || !take("=") || word().empty())
                return refuse();
        }
        return take(")") ? add(std::move(node)) : refuse();
    }

    std::string_view m_all;
    std::string_view m_rest;
    std::vector<Node> m_nodes;
};

Result<SizeExpression> SizeExpression::parse(std::string_view text)
{
    if (text.size() > kMostBytes)
        return Error{ErrorCode::Unsupported,
                     "a size of " + std::to_string(text.size()) + " letters"};
    return SizeExpressionParser(text).parse();
}

SizeExpression SizeExpression::linear(const std::string& symbol, std::int64_t factor,
                                      std::int64_t rest)
{
    SizeExpression whole;
    std::vector<Node>& nodes = whole.m_nodes;
    nodes.push_back({.function = Function::Symbol, .symbol = symbol});
    if (factor != 1) {
        nodes.push_back({.function = Function::Number, .number = factor});
        nodes.push_back({.function = Function::Mul, .operands = {1, 0}});
    }
    if (rest != 0) {
        const std::size_t product = nodes.size() - 1;
        nodes.push_back({.function = Function::Number, .number = rest});
        nodes.push_back({.function = Function::Add, .operands = {product, product + 1}});
    }
    return whole;
}

SizeExpression SizeExpression::times(const SizeExpression& other) const
{
    const auto isOne = [](const SizeExpression& each) {
        const auto number = each.evaluate({});
        return number.ok() && number.value() == 1;
    };
    if (isOne(*this))
        return other;
    if (isOne(other))
        return *this;
    if (m_nodes.empty() || other.m_nodes.empty())
        return {};
    SizeExpression product = *this;
    const std::size_t before = m_nodes.size();
    for (Node node : other.m_nodes) {
        for (std::size_t& operand : node.operands)
            operand += before;
        product.m_nodes.push_back(std::move(node));
    }
    product.m_nodes.push_back(
        {.function = Function::Mul, .operands = {before - 1, product.m_nodes.size() - 1}});
    return product;
}

std::string SizeExpression::text() const
{
    std::vector<std::string> texts;
    for (const Node& node : m_nodes) {
        if (node.function == Function::Number) {
            texts.push_back("Integer(" + std::to_string(node.number) + ")");
        } else if (node.function == Function::Symbol) {
            texts.push_back("Symbol('" + node.symbol + "', positive=True, integer=True)");
        } else {
            std::string text(SizeExpressionParser::functionNames().of(node.function));
            const char* before = "(";
            for (const std::size_t operand : node.operands) {
                text += before + texts[operand];
                before = ", ";
            }
            texts.push_back(text + ")");
        }
    }
    return texts.empty() ? std::string() : texts.back();
}

Result<std::int64_t> SizeExpression::valueOf(const Node& node,
                                             const std::vector<std::int64_t>& values,
                                             const SymbolValues& symbols) const
{
    if (node.function == Function::Number)
        return node.number;
    if (node.function == Function::Symbol) {
        const auto found = symbols.find(node.symbol);
        if (found == symbols.end())
            return Error{ErrorCode::Unsupported,
                         "size " + node.symbol +
                             " depends on the data and not on the inputs' sizes"};
        return found->second;
    }
    std::int64_t value = values[node.operands.front()];
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        const std::int64_t operand = values[node.operands[i]];
        switch (node.function) {
        case Function::Add:
            if (__builtin_add_overflow(value, operand, &value))
                return overflow();
            break;
        case Function::Mul:
            if (__builtin_mul_overflow(value, operand, &value))
                return overflow();
            break;
        case Function::Pow: {
            QS_TRY(value, power(value, operand));
            break;
        }
        case Function::FloorDiv: {
            QS_TRY(value, floorDivide(value, operand));
            break;
        }
        case Function::Mod: {
            QS_TRY(value, floorModulo(value, operand));
            break;
        }
        case Function::CeilDiv: {
            if (__builtin_sub_overflow(std::int64_t{0}, value, &value))
                return overflow();
            QS_TRY(value, floorDivide(value, operand));
            if (__builtin_sub_overflow(std::int64_t{0}, value, &value))
                return overflow();
            break;
        }
        case Function::Max:
            value = std::max(value, operand);
            break;
        case Function::Min:
            value = std::min(value, operand);
            break;
        case Function::Number:
        case Function::Symbol:
            break;
        }
    }
    return value;
}

Result<std::int64_t> SizeExpression::evaluate(const SymbolValues& symbols) const
{
    std::vector<std::int64_t> values;
    values.reserve(m_nodes.size());
    for (const Node& node : m_nodes) {
        QS_TRY(const std::int64_t value, valueOf(node, values, symbols));
        values.push_back(value);
    }
    if (values.empty())
        return Error{ErrorCode::Unsupported, "a size is computed in a way that is not known here"};
    return values.back();
}

std::string SizeExpression::symbol() const
{
    return m_nodes.size() == 1 ? m_nodes.front().symbol : std::string();
}

void SizeExpression::addSymbols(std::set<std::string>& symbols) const
{
    for (const Node& node : m_nodes) {
        if (node.function == Function::Symbol)
            symbols.insert(node.symbol);
    }
}

}  // namespace qs::core::exported
