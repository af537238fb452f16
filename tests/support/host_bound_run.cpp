#include "tests/support/host_bound_run.h"

#include "tests/support/sample_run.h"

namespace qs::tests {

core::RunData hostBoundRun(const std::function<bool(const core::CellConfig&)>& waits)
{
    core::RunData data = sampleRun();
    for (core::Measurement& row : data.measurements) {
        if (row.round != 0 || !row.ok())
            continue;
        const double pass = row.result.deviceSeconds.front();
        const double busy = waits(row.config) ? pass / 4.0 : pass;
        row.result.profile = core::profileOf({{"gemm", core::WorkKind::Product, 0.0, busy}}, 1);
    }
    return data;
}

}  // namespace qs::tests
