#include "core/report/profiles/surgical_pairs.h"

#include "core/lower/compile_mode.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::string_view kFamilies[] = {"te-llama:", "rope:"};

// Of the models of the benchmark all that is compiled, RoPE by itself and whole models, too; of
// others what it is about, regions.
bool isSurgical(const PlannedCell& cell)
{
    const auto mode = parseCompileMode(cell.config.compile);
    if (!mode.ok())
        return false;
    const bool ofBenchmark =
        std::any_of(std::begin(kFamilies), std::end(kFamilies),
                    [&](std::string_view family) { return cell.modelName().starts_with(family); });
    const bool compiled = !mode.value()->packageMode.empty() || mode.value()->ownKernels;
    return mode.value()->regional || (ofBenchmark && compiled);
}

const CellSummary* uncompiled(const Analysis& analysis, const CellSummary& summary)
{
    CellConfig config = summary.cell->config;
    config.compile = "none";
    const auto found =
        std::find_if(analysis.cells.begin(), analysis.cells.end(), [&](const CellSummary& each) {
            return each.cell->rerun == 0 && each.cell->config == config;
        });
    return found == analysis.cells.end() ? nullptr : &*found;
}

Moments momentsIn(const HostTimes& times, const CellSummary* summary)
{
    const auto found = summary == nullptr ? times.end() : times.find(summary->cellId);
    return found == times.end() ? Moments() : found->second;
}

void addValues(const std::vector<float>& own, const std::vector<float>& other,
               OutputAgreement& agreement)
{
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double difference = std::abs(double{own[i]} - double{other[i]});
        agreement.close =
            agreement.close &&
            difference <= kPartTolerance + kPartTolerance * std::abs(double{other[i]});
        agreement.largestDifference = std::max(agreement.largestDifference, difference);
    }
}

std::optional<OutputAgreement> agreementOf(const RunData& data, const Analysis& analysis,
                                           const CellSummary& own, const CellSummary& other)
{
    OutputAgreement agreement;
    const int outputs = std::min(storedOutputs(analysis, own), storedOutputs(analysis, other));
    for (int i = 0; i < outputs; ++i) {
        const auto ofOwn = storedOutput(data, analysis, own, i);
        const auto ofOther = storedOutput(data, analysis, other, i);
        if (!ofOwn.ok() || !ofOther.ok() ||
            ofOwn.value().values.size() != ofOther.value().values.size())
            return std::nullopt;
        addValues(ofOwn.value().values, ofOther.value().values, agreement);
        ++agreement.outputs;
    }
    return agreement.outputs > 0 ? std::optional(agreement) : std::nullopt;
}

}  // namespace

std::optional<double> SurgicalPair::speedup() const
{
    if (surgicalTimes.count() == 0 || baselineTimes.count() == 0 ||
        surgical->environmentId != baseline->environmentId)
        return std::nullopt;
    return baselineTimes.mean() / surgicalTimes.mean();
}

Result<std::vector<SurgicalPair>> surgicalPairs(const RunData& data, const Analysis& analysis)
{
    QS_TRY(const HostTimes times, hostTimes(data, analysis));
    std::vector<SurgicalPair> pairs;
    for (const CellSummary* summary : profiledCells(analysis)) {
        if (!isSurgical(*summary->cell))
            continue;
        SurgicalPair pair{.surgical = summary, .baseline = uncompiled(analysis, *summary)};
        pair.surgicalTimes = momentsIn(times, pair.surgical);
        pair.baselineTimes = momentsIn(times, pair.baseline);
        if (pair.baseline != nullptr)
            pair.agreement = agreementOf(data, analysis, *summary, *pair.baseline);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

}  // namespace qs::core
