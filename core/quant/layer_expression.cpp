#include "core/quant/layer_expression.h"

#include <map>
#include <mutex>
#include <regex>
#include <unordered_map>
#include <utility>

namespace qs::core {

namespace {

// Keeps the automaton of an expression from a hostile preset small.
constexpr std::size_t kLongestExpression = 256;
// libstdc++ backtracks by default: "(.|.)*X" on one layer path would run for days. Its polynomial
// matcher never does; it refuses back-references, which layer paths do not need.
constexpr auto kExpressionFlags = std::regex_constants::ECMAScript | std::regex_constants::icase |
                                  std::regex_constants::__polynomial;
// Beyond these all is forgotten, and made anew.
constexpr std::size_t kMostExpressions = 64;
constexpr std::size_t kMostAnswers = 20'000;

}  // namespace

struct LayerExpression::Automaton {
    std::regex expression;
    std::mutex mutex;
    std::unordered_map<std::string, bool> answers = {};  // under the mutex
};

LayerExpression::LayerExpression(std::unique_ptr<Automaton> automaton)
    : m_automaton(std::move(automaton))
{
}

LayerExpression::~LayerExpression() = default;

Result<std::shared_ptr<const LayerExpression>> LayerExpression::of(const std::string& text)
{
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const LayerExpression>> known;  // under the mutex
    if (text.empty() || text.size() > kLongestExpression)
        return Error{ErrorCode::InvalidArgument, "the expression must have 1 to 256 characters"};
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(text); found != known.end())
        return found->second;
    try {
        auto automaton = std::make_unique<Automaton>(std::regex(text, kExpressionFlags));
        if (known.size() == kMostExpressions)
            known.clear();
        return known[text] = std::shared_ptr<const LayerExpression>(
                   new LayerExpression(std::move(automaton)));
    } catch (const std::regex_error& error) {
        return Error{ErrorCode::InvalidArgument,
                     std::string("not a valid expression: ") + error.what()};
    }
}

bool LayerExpression::meets(const std::string& module) const
{
    const std::lock_guard lock(m_automaton->mutex);
    auto& answers = m_automaton->answers;
    if (const auto found = answers.find(module); found != answers.end())
        return found->second;
    if (answers.size() == kMostAnswers)
        answers.clear();
    return answers[module] = std::regex_search(module, m_automaton->expression);
}

}  // namespace qs::core
