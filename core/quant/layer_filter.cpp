#include "core/quant/layer_filter.h"

#include "core/base/text_parts.h"
#include "core/quant/layer_expression.h"
#include "core/quant/layer_pattern.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace qs::core {

struct LayerFilter::Names {
    std::string text;  // as it was given
    std::shared_ptr<const LayerExpression> expression;
    std::vector<LayerPattern> patterns;

    [[nodiscard]] bool meet(const std::string& module) const
    {
        if (expression)
            return expression->meets(module);
        return std::any_of(patterns.begin(), patterns.end(),
                           [&](const LayerPattern& each) { return each.meets(module); });
    }
};

namespace {

constexpr std::size_t kMostExclusions = 64;

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

Error filterError(std::string_view text, const std::string& why)
{
    return {ErrorCode::InvalidArgument, "layer filter \"" + std::string(text) + "\": " + why};
}

}  // namespace

const std::vector<NamedLayerSet>& namedLayerSets()
{
    static const std::vector<NamedLayerSet> sets{
        {"olmoearth", "The layers that OlmoEarth quantizes by default, by their names",
         "\\bq(_proj)?\\b|\\bk(_proj)?\\b|\\bv(_proj)?\\b|\\bout(_proj)?\\b|\\bqkv\\b|"
         "\\bmlp\\.(fc1|fc2)\\b|\\b(attn\\.)?(q|k|v|out)_proj\\b|\\b(att_in|att_out)\\b|"
         "\\bw_(1|2|3)\\b|\\b(q|k|v)_norm\\b"}};
    return sets;
}

// Nothing if the text names no layers: neither an expression nor patterns nor a set.
Result<std::shared_ptr<const LayerFilter::Names>> LayerFilter::parseNames(std::string_view text)
{
    constexpr std::string_view kPatterns = "only:";
    constexpr std::string_view kExpression = "regex:";
    Names names{std::string(text), {}, {}};
    if (text.starts_with(kPatterns)) {
        QS_TRY(names.patterns, parseLayerPatterns(text.substr(kPatterns.size())));
        return std::make_shared<const Names>(std::move(names));
    }
    const auto& sets = namedLayerSets();
    const auto set = std::find_if(sets.begin(), sets.end(),
                                  [&](const NamedLayerSet& each) { return each.name == text; });
    if (!text.starts_with(kExpression) && set == sets.end())
        return std::shared_ptr<const Names>();
    auto expression = LayerExpression::of(
        std::string(set == sets.end() ? text.substr(kExpression.size()) : set->expression));
    if (!expression.ok())
        return filterError(text, expression.error().message);
    names.expression = std::move(expression).value();
    return std::make_shared<const Names>(std::move(names));
}

Status LayerFilter::addModifier(std::string_view text, std::string_view word)
{
    if (const auto first = countAfter(word, "-first")) {
        m_first = *first;
        return {};
    }
    if (const auto last = countAfter(word, "-last")) {
        m_last = *last;
        return {};
    }
    std::shared_ptr<const Names> names;
    if (word.starts_with('-')) {
        QS_TRY(names, parseNames(word.substr(1)));
    }
    if (!names || m_excluded.size() == kMostExclusions)
        return filterError(text, "unknown modifier \"" + std::string(word) +
                                     "\"; use -firstN, -lastN, -regex:EXPR or -only:LAYERS");
    m_excluded.push_back(std::move(names));
    return {};
}

Result<LayerFilter> LayerFilter::parse(std::string_view text)
{
    const auto parts = words(text);
    const std::string known = "use all, mlp, attention, every, olmoearth, regex:EXPR or "
                              "only:LAYERS";
    if (parts.empty())
        return filterError(text, "is empty; " + known);
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
    else {
        filter.m_scope = Scope::Named;
        QS_TRY(filter.m_names, parseNames(scope));
        if (!filter.m_names)
            return filterError(text, "unknown scope \"" + std::string(scope) + "\"; " + known);
    }
    for (std::size_t i = 1; i < parts.size(); ++i)
        QS_RETURN_IF_ERROR(filter.addModifier(text, parts[i]));
    return filter;
}

Result<std::vector<LayerFilter>> parseLayerFilters(std::string_view text)
{
    std::vector<LayerFilter> filters;
    for (const std::string& each : splitAt(text, '/')) {
        QS_TRY(LayerFilter filter, LayerFilter::parse(each));
        filters.push_back(std::move(filter));
    }
    return filters;
}

std::optional<std::string> LayerFilter::reasonToSkip(const std::string& module,
                                                     const LayerPlace& place) const
{
    const bool inBlock = place.block >= 0;
    if (m_scope == Scope::Named && !m_names->meet(module))
        return "does not match " + m_names->text;
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
    for (const auto& excluded : m_excluded) {
        if (excluded->meet(module))
            return "left out by -" + excluded->text;
    }
    return std::nullopt;
}

}  // namespace qs::core
