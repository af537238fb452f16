#include "core/analysis/baseline_frames.h"

#include "core/sweep/cell_member.h"
#include "core/sweep/cell_workload.h"

#include <string_view>

namespace qs::core {

namespace {

constexpr const char* kUncompiled = "none";

// How GPTQ goes through columns, and how without thought of speed; see
// core/quant/schemes/gptq_schemes.cpp.
constexpr std::string_view kBy = ":by=";
constexpr std::string_view kStraight = ":by=straight";

}  // namespace

bool isEager(const CellConfig& config)
{
    return config.compile == kUncompiled;
}

std::string eagerFrameOf(CellConfig config)
{
    config.precision.clear();
    config.compile = kUncompiled;
    config.layers = CellConfig().layers;
    return cellKey(config);
}

std::string precisionFrameOf(CellConfig config)
{
    config.precision.clear();
    config.layers = CellConfig().layers;
    return cellKey(config);
}

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

bool startsAlike(const CellConfig& config, const CellConfig& other)
{
    return config.inputs == other.inputs && config.env == other.env;
}

}  // namespace qs::core
