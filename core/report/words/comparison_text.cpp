#include "core/report/words/comparison_text.h"

#include "core/base/text_parts.h"
#include "core/report/words/environment_field_text.h"
#include "core/report/words/verdict_text.h"
#include "core/sweep/axis_spec.h"

#include <utility>
#include <vector>

namespace qs::core {

namespace {

std::string fromTo(const std::string& what, const std::string& before, const std::string& after)
{
    const auto named = [](const std::string& text) {
        return text.empty() ? std::string("unknown") : text;
    };
    return what + " " + named(before) + " → " + named(after);
}

}  // namespace

std::string statusChangeText(StatusChange change)
{
    switch (change) {
    case StatusChange::BothOk:
        return "ok";
    case StatusChange::Broken:
        return "broken";
    case StatusChange::Mended:
        return "mended";
    case StatusChange::NeitherOk:
        return "failed in both";
    }
    return {};
}

std::string speedChangeText(const MatchedCell& cell)
{
    if (!cell.speed)
        return {};
    const std::string verdict = verdictText(*cell.speed);
    const std::string outlook = outlookText(*cell.speed);
    return verdict + (verdict.empty() || outlook.empty() ? "" : ": ") + outlook;
}

std::string outputChangeText(const MatchedCell& cell)
{
    std::string text;
    if (cell.identical)
        text = *cell.identical ? "identical" : "differ";
    if (cell.quality && !(cell.identical && *cell.identical))
        text += (text.empty() ? "" : ", ") + std::string(toString(cell.quality->verdict));
    if (cell.otherWeights)
        text += (text.empty() ? "" : ", ") + std::string("other weights");
    return text;
}

std::string changeText(const RunComparison& comparison)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    for (const ChangedAxis& axis : comparison.changed) {
        const AxisSpec& spec = *findAxisSpec(axis.name);
        add(fromTo(spec.noun, wordOf(spec, axis.before), wordOf(spec, axis.after)));
    }
    for (const EnvironmentField& field : comparison.environment) {
        // What affects neither results nor speed is in the table, not in a sentence.
        if (!field.differs || field.values.size() < 2 ||
            effectOf(field.fact) == EnvironmentEffect::Nothing)
            continue;
        const std::vector<std::string> values = fieldValues(field);
        add(fromTo(fieldName(field), values.front(), values.back()));
    }
    return text;
}

std::string comparisonAnswer(const RunComparison& comparison)
{
    if (comparison.cells.empty())
        return "no cell is in both runs";
    const ComparisonCounts counts = countChanges(comparison);
    std::string text = counted(comparison.cells.size(), "cell") + " in both runs";
    const std::vector<std::pair<int, const char*>> parts{{counts.faster, "faster"},
                                                         {counts.slower, "slower"},
                                                         {counts.undecided, "undecided"},
                                                         {counts.better, "with better outputs"},
                                                         {counts.worse, "with worse outputs"},
                                                         {counts.moreMemory, "with more memory"},
                                                         {counts.broken, "broken"}};
    std::string list;
    for (const auto& [count, what] : parts) {
        if (count > 0)
            list += (list.empty() ? ": " : ", ") + std::to_string(count) + " " + what;
    }
    const std::string change = changeText(comparison);
    return text + list +
           (change.empty() ? "; nothing that is known differs between the runs"
                           : "; changed: " + change);
}

std::string comparisonExplanation()
{
    return "Speed-up is the time before divided by the time after: above 1, the later run is "
           "faster. Repeats of two runs are not paired and drift between them does not cancel: "
           "faster and slower need 5 % more than within a run, and same is never claimed. p-values "
           "are Holm-corrected over all cells of a comparison. Outputs are compared image by image "
           "where both runs have the same images and trained weights.";
}

}  // namespace qs::core
