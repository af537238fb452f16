#include "core/quant/layer_filter.h"

#include <charconv>
#include <regex>
#include <vector>

namespace qs::core {

struct LayerFilter::Expression {
    std::string text;
    std::regex regex;
};

namespace {

// Keeps the automaton of an expression from a hostile preset small.
constexpr std::size_t kLongestExpression = 256;
// libstdc++ backtracks by default: "(.|.)*X" on one layer path would run for days. Its polynomial
// matcher never does; it refuses back-references, which layer paths do not need.
constexpr auto kExpressionFlags = std::regex_constants::ECMAScript | std::regex_constants::icase |
                                  std::regex_constants::__polynomial;

std::string outsideText(LayerRole role)
{
    switch (role) {
    case LayerRole::Embedding:
        return "embedding, outside the blocks";
    case LayerRole::Stem:
        return "stem, outside the blocks";
    case LayerRole::Attention:
    case LayerRole::Mlp:
    case LayerRole::Convolution:
    case LayerRole::Head:
        break;
    }
    return "head, outside the blocks";
}

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> found;
    while (true) {
        const auto begin = text.find_first_not_of(' ');
        if (begin == std::string_view::npos)
            return found;
        text.remove_prefix(begin);
        const auto end = std::min(text.find(' '), text.size());
        found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::optional<std::int64_t> countAfter(std::string_view word, std::string_view prefix)
{
    if (!word.starts_with(prefix))
        return std::nullopt;
    word.remove_prefix(prefix.size());
    std::int64_t count = 0;
    const auto [next, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc() || next != word.data() + word.size() || count < 0 || count > 10000)
        return std::nullopt;
    return count;
}

Error refuse(std::string_view text, const std::string& why)
{
    return {ErrorCode::InvalidArgument, "layer filter \"" + std::string(text) + "\": " + why};
}

}  // namespace

Result<LayerFilter> LayerFilter::parse(std::string_view text)
{
    const auto parts = words(text);
    if (parts.empty())
        return refuse(text, "is empty; use all, mlp, attention, every or regex:EXPR");
    LayerFilter filter;
    const std::string_view scope = parts.front();
    if (scope == "all")
        filter.m_scope = Scope::All;
    else if (scope == "every")
        filter.m_scope = Scope::Every;
    else if (scope == "mlp")
        filter.m_scope = Scope::Mlp;
    else if (scope == "attention")
        filter.m_scope = Scope::Attention;
    else if (scope.starts_with("regex:")) {
        filter.m_scope = Scope::Expression;
        const std::string expression(scope.substr(6));
        if (expression.empty() || expression.size() > kLongestExpression)
            return refuse(text, "the expression must have 1 to 256 characters");
        try {
            filter.m_expression = std::make_shared<const Expression>(
                Expression{expression, std::regex(expression, kExpressionFlags)});
        } catch (const std::regex_error& error) {
            return refuse(text, std::string("not a valid expression: ") + error.what());
        }
    } else {
        return refuse(text, "unknown scope \"" + std::string(scope) +
                                "\"; use all, mlp, attention, every or regex:EXPR");
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (const auto first = countAfter(parts[i], "-first"))
            filter.m_first = *first;
        else if (const auto last = countAfter(parts[i], "-last"))
            filter.m_last = *last;
        else
            return refuse(text, "unknown modifier \"" + std::string(parts[i]) +
                                    "\"; use -firstN or -lastN");
    }
    return filter;
}

std::optional<std::string> LayerFilter::reasonToSkip(const std::string& module,
                                                     const LayerPlace& place) const
{
    const bool inBlock = place.block >= 0;
    if (m_scope == Scope::Expression && !std::regex_search(module, m_expression->regex))
        return "does not match " + m_expression->text;
    const bool blocksOnly =
        m_scope == Scope::All || m_scope == Scope::Mlp || m_scope == Scope::Attention;
    if (blocksOnly && !inBlock)
        return outsideText(place.role);
    if (m_scope == Scope::Mlp && place.role != LayerRole::Mlp)
        return "not part of an MLP";
    if (m_scope == Scope::Attention && place.role != LayerRole::Attention)
        return "not part of attention";
    if (inBlock && place.block < m_first)
        return "in the first " + std::to_string(m_first) + " blocks";
    if (inBlock && place.block >= place.blockCount - m_last)
        return "in the last " + std::to_string(m_last) + " blocks";
    return std::nullopt;
}

}  // namespace qs::core
