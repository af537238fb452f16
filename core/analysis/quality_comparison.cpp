#include "core/analysis/quality_comparison.h"

#include "core/analysis/quality_figures.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace qs::core {

namespace {

using Distances = std::map<int, double>;  // by picture

bool isReference(const PlannedCell& cell)
{
    return cell.referenceId == cell.id;
}

// Where the figures of a cell come from; empty if it has none.
std::string environmentOf(const Analysis& analysis, const PlannedCell& cell)
{
    const CellSummary* summary = analysis.find(cell.id);
    return summary == nullptr ? std::string() : summary->environmentId;
}

// Why there is no verdict whatever the pictures are; nothing if there may be one.
std::optional<NoVerdict> whyNone(const PlannedCell* a, const PlannedCell* b)
{
    if (a == nullptr || b == nullptr || a->referenceId.empty() || b->referenceId.empty())
        return NoVerdict::OtherRun;
    if (a->id == b->id)
        return NoVerdict::SameCell;
    if (a->referenceId != b->referenceId)
        return NoVerdict::OtherReference;
    if (!a->trained || !b->trained)
        return NoVerdict::Untrained;
    return std::nullopt;
}

Distances distancesOf(const QualityIndex& qualities, const PlannedCell& cell,
                      const std::string& environment)
{
    Distances distances;
    if (const auto figures = qualities.figures(cell, cell.referenceId, environment)) {
        for (std::size_t i = 0; i < figures->distances.size(); ++i)
            distances.emplace(figures->samples[i], figures->distances[i]);
    }
    return distances;
}

// The pictures of both, in the same order; the reference has every picture that the other has.
std::pair<std::vector<double>, std::vector<double>> paired(const QualityIndex& qualities,
                                                           const PlannedCell& a,
                                                           const PlannedCell& b,
                                                           const std::string& environment)
{
    Distances ofA = distancesOf(qualities, a, environment);
    Distances ofB = distancesOf(qualities, b, environment);
    for (const auto& [own, other, cell] :
         {std::tuple(&ofA, &ofB, &a), std::tuple(&ofB, &ofA, &b)}) {
        if (!isReference(*cell))
            continue;
        own->clear();
        for (const auto& [picture, distance] : *other)
            own->emplace(picture, 0.0);
    }
    std::pair<std::vector<double>, std::vector<double>> both;
    for (const auto& [picture, distance] : ofA) {
        if (const auto other = ofB.find(picture); other != ofB.end()) {
            both.first.push_back(distance);
            both.second.push_back(other->second);
        }
    }
    return both;
}

Estimate meanDifference(const std::vector<double>& ofA, const std::vector<double>& ofB)
{
    Moments closer;
    for (std::size_t i = 0; i < ofA.size(); ++i)
        closer.add(ofB[i] - ofA[i]);
    return {.value = closer.mean(),
            .interval = meanInterval(closer, static_cast<double>(closer.count())),
            .count = closer.count()};
}

}  // namespace

QualityComparison judgeAgainst(const RunData& data, const Analysis& analysis, const std::string& a,
                               const std::string& b)
{
    QualityComparison comparison;
    const PlannedCell* cellA = data.plan.find(a);
    const PlannedCell* cellB = data.plan.find(b);
    comparison.reason = whyNone(cellA, cellB);
    if (comparison.reason)
        return comparison;
    const std::string environment = environmentOf(analysis, *cellA);
    if (environment != environmentOf(analysis, *cellB)) {
        comparison.reason = NoVerdict::OtherEnvironment;
        return comparison;
    }
    const auto [ofA, ofB] = paired(QualityIndex(data.qualities), *cellA, *cellB, environment);
    comparison.pictures = ofA.size();
    if (ofA.empty()) {
        comparison.reason = NoVerdict::NoCommonImages;
        return comparison;
    }
    comparison.closer = meanDifference(ofA, ofB);
    const CellSummary* summary = analysis.find(cellA->id);
    const NoiseFloor* floor = summary == nullptr ? nullptr : analysis.floorOf(*summary);
    if (floor == nullptr || floor->setBy.empty()) {
        comparison.reason = NoVerdict::NoFloor;
        return comparison;
    }
    if (!floor->complete()) {
        comparison.reason = NoVerdict::FloorIncomplete;
        comparison.floorRuns = floor->seen;
        comparison.floorRunsPlanned = floor->planned;
        return comparison;
    }
    comparison.margin = floor->distance;
    comparison.verdict = judgeQuality(ofA, ofB, floor->distance);
    if (comparison.verdict == QualityVerdict::TooFewPictures)
        comparison.reason = NoVerdict::TooFewImages;
    return comparison;
}

}  // namespace qs::core
