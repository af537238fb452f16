#include "core/sweep/baseline_frames.h"

#include "core/sweep/cell_member.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/speed_baseline_name.h"

#include <string_view>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kUncompiled = "none";

// How GPTQ goes through columns, and how without thought of speed; see
// core/quant/schemes/gptq_schemes.cpp.
constexpr std::string_view kBy = ":by=";
constexpr std::string_view kStraight = ":by=straight";

// All of a cell but its precision, and the layers, which a baseline may not have.
std::string precisionFrameOf(CellConfig config)
{
    config.precision.clear();
    config.layers = CellConfig().layers;
    return cellKey(config);
}

// The same without its compile mode.
std::string eagerFrameOf(CellConfig config)
{
    config.compile = kUncompiled;
    return precisionFrameOf(std::move(config));
}

// All of a cell but how it is compiled, or, if it quantizes, how that is done.
std::string uncompiledFrameOf(CellConfig config)
{
    config.compile = kUncompiled;
    for (std::string& scheme : config.precision) {
        const auto found = isQuantizing(config) ? scheme.find(kBy) : scheme.npos;
        if (found != scheme.npos)
            scheme.erase(found, scheme.find(':', found + 1) - found);
    }
    return cellKey(config);
}

bool isUncompiled(const CellConfig& config)
{
    return isQuantizing(config) ? precisionText(config).find(kStraight) != std::string::npos
                                : config.compile == kUncompiled;
}

// What a chosen cell has in common with those that it is the baseline of.
std::string startFrameOf(const CellConfig& config)
{
    CellConfig start;
    start.inputs = config.inputs;
    start.env = config.env;
    start.batch = config.batch;
    start.sizes = config.sizes;
    return cellKey(start);
}

bool differsInShapeOnly(const PlannedCell& cell, const PlannedCell& other)
{
    CellConfig config = cell.config;
    config.batch = other.config.batch;
    config.sizes = other.config.sizes;
    return config == other.config && cell.rerun == other.rerun;
}

// What is measured, and with what.
std::string workFrameOf(const CellConfig& config)
{
    CellConfig work;
    work.model = config.model;
    work.device = config.device;
    work.workload = config.workload;
    work.inputs = config.inputs;
    work.env = config.env;
    work.batch = config.batch;
    work.sizes = config.sizes;
    return cellKey(work);
}

}  // namespace

std::optional<std::string> baselineFrame(const std::string& choice, const PlannedCell* chosen,
                                         const PlannedCell& cell)
{
    const CellConfig& config = cell.config;
    const auto holds = [&](const std::optional<std::string>& precision) {
        return precision && allStagesAre(config, *precision);
    };
    const bool fits = holds(bestPrecision(choice)) || holds(sameCompilePrecision(choice)) ||
                      (config.compile == kUncompiled && holds(eagerPrecision(choice))) ||
                      (choice == kSameEager && isUncompiled(config));
    if (chosen != nullptr ? differsInShapeOnly(cell, *chosen) : cell.rerun == 0 && fits)
        return comparedFrame(choice, config);
    return std::nullopt;
}

std::string comparedFrame(const std::string& choice, const CellConfig& config)
{
    if (bestPrecision(choice))
        return workFrameOf(config);
    if (sameCompilePrecision(choice))
        return precisionFrameOf(config);
    if (choice == kSameEager)
        return uncompiledFrameOf(config);
    return isSpeedBaselineName(choice) ? eagerFrameOf(config) : startFrameOf(config);
}

bool startsAlike(const CellConfig& config, const CellConfig& other)
{
    return config.inputs == other.inputs && config.env == other.env;
}

}  // namespace qs::core
