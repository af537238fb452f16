#include "core/report/advice_table.h"

#include "core/analysis/recommendation.h"
#include "core/report/words/answer_text.h"
#include "core/report/words/compile_text.h"

namespace qs::core {

namespace {

const std::string kNoAdvice = "–";
// More lines are no advice.
constexpr std::size_t kMostAdvice = 200;

// In units of work, cold and warm: "1,200 images cold, 300 warm".
std::string paidAfter(const FamilyAdvice& advice)
{
    if (advice.best == nullptr || !advice.best->compileCost)
        return kNoAdvice;
    const CompileCost& cost = *advice.best->compileCost;
    const auto units = static_cast<double>(advice.best->cell->unitsPerPass);
    std::string text;
    if (cost.cold)
        text = breakEvenText(*cost.cold, units) + " " + std::string(name(advice.best->cell->unit)) +
               "s cold";
    if (cost.warm)
        text += (text.empty() ? "" : ", ") + breakEvenText(*cost.warm, units) + " warm";
    return text.empty() ? kNoAdvice : text;
}

}  // namespace

PlainTable adviceTable(const Analysis& analysis, const Pivot& pivot)
{
    PlainTable table{{"Mode", "Advice", "Measured gain", "When to use", "Compiling has paid after"},
                     {}};
    if (pivot.rows.size() > kMostAdvice)
        return table;
    const auto orNothing = [](std::string text) { return text.empty() ? kNoAdvice : text; };
    for (const FamilyAdvice& advice : adviceOf(analysis, pivot))
        table.lines.push_back({advice.row->label, adviceGradeText(advice),
                               orNothing(adviceGainText(advice)), orNothing(adviceText(advice)),
                               paidAfter(advice)});
    return table;
}

}  // namespace qs::core
