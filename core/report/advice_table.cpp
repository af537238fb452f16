#include "core/report/advice_table.h"

#include "core/analysis/recommendation.h"
#include "core/report/html/html_sections.h"
#include "core/report/words/answer_text.h"
#include "core/report/words/compile_text.h"

#include <algorithm>

namespace qs::core {

namespace {

const std::string kNoAdvice = "–";
// More lines are no advice.
constexpr std::size_t kMostAdvice = 200;

// "1,200 images", "at once", "never"
std::string paidAfter(const BreakEven& breakEven, const PlannedCell& cell)
{
    if (breakEven.result == BreakEvenResult::Wins && breakEven.passes && *breakEven.passes <= 0.0)
        return "at once";
    return breakEvenText(breakEven, static_cast<double>(cell.unitsPerPass),
                         std::string(name(cell.unit)) + "s");
}

// Of the cell of the largest speed-up: "cold: 1,200 images; warm: 300 images", once if they agree.
std::string paidText(const FamilyAdvice& advice)
{
    if (advice.best == nullptr || !advice.best->compileCost || !advice.best->compileCost->cold ||
        !advice.best->compileCost->warm)
        return kNoAdvice;
    const CompileCost& cost = *advice.best->compileCost;
    const std::string cold = paidAfter(*cost.cold, *advice.best->cell);
    const std::string warm = paidAfter(*cost.warm, *advice.best->cell);
    return cold == warm ? cold : "cold: " + cold + "; warm: " + warm;
}

// That of the largest speed-up, or the first one that there is; null for none.
const CellSummary* shownCell(const FamilyAdvice& advice)
{
    const CellSummary* shown = advice.best;
    for (const CellSummary* cell : advice.row->cells)
        shown = shown == nullptr ? cell : shown;
    return shown;
}

std::string placeOf(const CellSummary* shown, const Analysis& analysis)
{
    const auto first = analysis.cells.begin();
    const auto found = std::find_if(first, analysis.cells.end(),
                                    [&](const CellSummary& cell) { return &cell == shown; });
    const auto place = static_cast<std::size_t>(found - first);
    return found == analysis.cells.end() || place >= kMostCellRows ? std::string()
                                                                   : cellRowId(place);
}

}  // namespace

PlainTable adviceTable(const Analysis& analysis, const Pivot& pivot, AdviceCells cells)
{
    PlainTable table{{"Mode", "Advice", "Measured gain", "When to use", "Compiling has paid after"},
                     {}};
    if (cells == AdviceCells::Named)
        table.head.emplace_back("Cell");
    if (pivot.rows.size() > kMostAdvice)
        return table;
    const auto orNothing = [](std::string text) { return text.empty() ? kNoAdvice : text; };
    for (const FamilyAdvice& advice : adviceOf(analysis, pivot)) {
        table.lines.push_back({advice.row->label, adviceGradeText(advice, analysis),
                               orNothing(adviceGainText(advice)), orNothing(adviceText(advice)),
                               paidText(advice)});
        const CellSummary* shown = shownCell(advice);
        table.places.push_back(placeOf(shown, analysis));
        if (cells == AdviceCells::Named)
            table.lines.back().push_back(shown == nullptr ? kNoAdvice : shown->cellId);
    }
    return table;
}

}  // namespace qs::core
