#include "core/analysis/region_speeds.h"

namespace qs::core {

std::vector<RegionSpeed> regionSpeeds(const CompileCost& cost)
{
    std::vector<RegionSpeed> speeds;
    for (const StageCompile& stage : cost.stages) {
        if (!stage.time || stage.time->compiledSeconds <= 0.0)
            continue;
        RegionSpeed speed{
            .stage = stage.stage, .kind = stage.part, .calls = stage.calls, .time = *stage.time};
        speed.speedup = speed.time.eagerSeconds / speed.time.compiledSeconds;
        speed.bytesPerSecond = static_cast<double>(speed.time.bytes) / speed.time.compiledSeconds;
        if (cost.memoryRate)
            speed.ofMemoryRate = speed.bytesPerSecond / *cost.memoryRate;
        speeds.push_back(std::move(speed));
    }
    return speeds;
}

}  // namespace qs::core
