#include "core/measure/tested_memory.h"

namespace qs::core {

double selfTestEnd(const CellResult& result)
{
    const PhaseTime* test = result.phase(Phase::SelfTest);
    return test == nullptr ? 0.0 : test->start + test->seconds;
}

void applySelfTest(const SelfTest& test, CellResult& result)
{
    result.memory.selfTest = test;
    if (test.passed())
        return;
    result.memory.allocatedPeak.reset();
    result.memory.reservedPeak.reset();
    result.memory.reserved.reset();
    result.memory.firstSample.reset();
    result.memory.graphPool.reset();
    result.memory.processPeak.reset();
    result.memory.loadAllocatedPeak.reset();
    for (StageSamples& stage : result.stages)
        stage.peakBytes.reset();
}

}  // namespace qs::core
