#include "core/sweep/baseline_frames.h"

#include "core/sweep/cell_member.h"
#include "core/sweep/cell_workload.h"
#include "core/sweep/speed_baseline_name.h"

#include <optional>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kUncompiled = "none";

// See core/quant/schemes/gptq_schemes.cpp; other schemes call something else by that name.
constexpr std::string_view kGptq = "gptq-";
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
    if (isQuantizing(config))
        return cellKey(uncompiled(std::move(config)));
    config.compile = kUncompiled;
    return cellKey(config);
}

bool isUncompiled(const CellConfig& config)
{
    return isQuantizing(config) ? goesStraight(config) : config.compile == kUncompiled;
}

// What a chosen cell has in common with those that it is the baseline of.
CellConfig startOf(const CellConfig& config)
{
    CellConfig start;
    start.inputs = config.inputs;
    start.env = config.env;
    start.batch = config.batch;
    start.sizes = config.sizes;
    return start;
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
    CellConfig work = startOf(config);
    work.model = config.model;
    work.device = config.device;
    work.workload = config.workload;
    return cellKey(work);
}

}  // namespace

bool canBeBaseline(const std::string& choice, const PlannedCell* chosen, const PlannedCell& cell)
{
    if (chosen != nullptr)
        return differsInShapeOnly(cell, *chosen);
    const CellConfig& config = cell.config;
    const auto holds = [&](const std::optional<std::string>& precision) {
        return precision && allStagesAre(config, *precision);
    };
    return cell.rerun == 0 &&
           (holds(bestPrecision(choice)) || holds(sameCompilePrecision(choice)) ||
            (config.compile == kUncompiled && holds(eagerPrecision(choice))) ||
            (choice == kSameEager && isUncompiled(config)));
}

std::string baselineFrame(const std::string& choice, const CellConfig& config)
{
    if (bestPrecision(choice))
        return workFrameOf(config);
    if (sameCompilePrecision(choice))
        return precisionFrameOf(config);
    if (choice == kSameEager)
        return uncompiledFrameOf(config);
    return isSpeedBaselineName(choice) ? eagerFrameOf(config) : cellKey(startOf(config));
}

CellConfig uncompiled(CellConfig config)
{
    config.compile = kUncompiled;
    for (std::string& scheme : config.precision) {
        const auto found = scheme.starts_with(kGptq) ? scheme.find(kBy) : scheme.npos;
        if (found != scheme.npos)
            scheme.erase(found, scheme.find(':', found + 1) - found);
    }
    return config;
}

bool goesStraight(const CellConfig& config)
{
    return precisionText(config).find(kStraight) != std::string::npos;
}

bool startsAlike(const CellConfig& config, const CellConfig& other)
{
    return config.inputs == other.inputs && config.env == other.env;
}

}  // namespace qs::core
