#include "core/report/words/comparison_text.h"

#include "core/base/text_parts.h"
#include "core/report/words/environment_field_text.h"
#include "core/report/words/verdict_text.h"
#include "core/sweep/axis_spec.h"

#include <algorithm>
#include <array>
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

std::string listed(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : "; ") + part;
    return text;
}

std::vector<std::string> axisChanges(const RunComparison& comparison)
{
    std::vector<std::string> parts;
    for (const ChangedAxis& axis : comparison.changed) {
        const AxisSpec& spec = *findAxisSpec(axis.name);
        parts.push_back(fromTo(spec.noun, wordOf(spec, axis.before), wordOf(spec, axis.after)));
    }
    return parts;
}

// What affects neither results nor speed is in the table, not in a sentence.
std::vector<const EnvironmentField*> differences(const RunComparison& comparison)
{
    std::vector<const EnvironmentField*> fields;
    for (const EnvironmentField& field : comparison.environment) {
        if (field.differs && field.values.size() >= 2 &&
            effectOf(field.fact) != EnvironmentEffect::Nothing)
            fields.push_back(&field);
    }
    return fields;
}

std::string changeOf(const EnvironmentField& field)
{
    const std::vector<std::string> values = fieldValues(field);
    return fromTo(fieldName(field), values.front(), values.back());
}

// What a reader asks for first comes first. The rest mostly follows from these.
std::size_t prominence(EnvironmentFact fact)
{
    using Fact = EnvironmentFact;
    constexpr std::array kOrder{Fact::DeviceName, Fact::Driver,  Fact::PyTorch,  Fact::Cuda,
                                Fact::Clocks,     Fact::Program, Fact::Processor};
    return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), fact) - kOrder.begin());
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
    std::string verdict = verdictText(*cell.speed);
    if (cell.otherDevice && !verdict.empty())
        verdict += " on another device";
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
    std::vector<std::string> parts = axisChanges(comparison);
    for (const EnvironmentField* field : differences(comparison))
        parts.push_back(changeOf(*field));
    return listed(parts);
}

std::string changeSummary(const RunComparison& comparison)
{
    std::vector<const EnvironmentField*> fields = differences(comparison);
    std::stable_sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) {
        return prominence(a->fact) < prominence(b->fact);
    });
    constexpr std::size_t kMost = 2;
    std::vector<std::string> parts = axisChanges(comparison);
    std::size_t unnamed = 0;
    for (const EnvironmentField* field : fields) {
        if (parts.size() < kMost)
            parts.push_back(changeOf(*field));
        else
            ++unnamed;
    }
    if (unnamed > 0)
        parts.push_back("and " + std::to_string(unnamed) + " more");
    return listed(parts);
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
           "faster. It is formed of medians over repeats, while the columns beside it have "
           "geometric means. Repeats of two runs are not paired and drift between them does not "
           "cancel: faster and slower need 5 % more than within a run, and same is never claimed. "
           "p-values are Holm-corrected over all cells of a comparison. Outputs are compared image "
           "by image where both runs have the same images and trained weights.";
}

}  // namespace qs::core
