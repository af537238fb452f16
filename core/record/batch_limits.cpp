#include "core/record/analysis.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace qs::core {

namespace {

// All of a configuration but the batch.
using FamilyKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                             std::string, std::string, std::int64_t, std::int64_t>;

FamilyKey familyOf(const CellConfig& config)
{
    return {config.model,     config.device, precisionText(config), config.layers, config.compile,
            config.attention, config.inputs, config.imageSize,      config.seed};
}

// Which members tell the families of this analysis apart, besides those that are always named.
struct Distinctions {
    std::set<std::string> models;
    std::set<std::string> devices;
    std::set<std::string> layers;
    std::set<std::string> attentions;
    std::set<std::string> inputs;
    std::set<std::int64_t> seeds;

    void add(const CellConfig& config)
    {
        models.insert(config.model);
        devices.insert(config.device);
        layers.insert(config.layers);
        attentions.insert(config.attention);
        inputs.insert(config.inputs);
        seeds.insert(config.seed);
    }

    [[nodiscard]] std::string name(const CellConfig& config) const
    {
        const std::string dot = " · ";
        std::string text = precisionText(config) + dot + config.compile + dot +
                           std::to_string(config.imageSize) + " px";
        if (models.size() > 1)
            text += dot + config.model;
        if (devices.size() > 1)
            text += dot + config.device;
        if (layers.size() > 1)
            text += dot + "layers " + config.layers;
        if (attentions.size() > 1)
            text += dot + "attention " + config.attention;
        if (inputs.size() > 1)
            text += dot + "inputs " + config.inputs;
        if (seeds.size() > 1)
            text += dot + "seed " + std::to_string(config.seed);
        return text;
    }
};

BatchLimits limitsOf(std::vector<const CellSummary*> cells)
{
    std::stable_sort(cells.begin(), cells.end(), [](const auto* a, const auto* b) {
        return a->cell->config.batch < b->cell->config.batch;
    });
    BatchLimits limits;
    std::optional<std::int64_t> largestOk;
    for (const CellSummary* summary : cells) {
        const std::int64_t batch = summary->cell->config.batch;
        limits.cellIds.push_back(summary->cellId);
        if (summary->status == CellStatus::Ok) {
            // What fits although a smaller batch did not makes that one an accident.
            largestOk = batch;
            limits.largestFitting.reset();
        } else if (summary->status == CellStatus::Oom) {
            limits.largestFitting = largestOk;
        }
        if (summary->throughput > limits.bestThroughput) {
            limits.bestThroughput = summary->throughput;
            limits.bestThroughputBatch = batch;
        }
    }
    return limits;
}

}  // namespace

std::vector<BatchLimits> batchLimits(const Analysis& analysis)
{
    Distinctions distinctions;
    std::vector<std::vector<const CellSummary*>> families;
    std::map<FamilyKey, std::size_t> places;
    for (const CellSummary& summary : analysis.cells) {
        // A rerun has the configuration of its reference and would count its batch twice.
        if (summary.cell->rerun > 0)
            continue;
        distinctions.add(summary.cell->config);
        const auto [place, isNew] =
            places.try_emplace(familyOf(summary.cell->config), families.size());
        if (isNew)
            families.emplace_back();
        families[place->second].push_back(&summary);
    }
    std::vector<BatchLimits> all;
    for (const auto& family : families) {
        all.push_back(limitsOf(family));
        all.back().family = distinctions.name(family.front()->cell->config);
    }
    return all;
}

}  // namespace qs::core
