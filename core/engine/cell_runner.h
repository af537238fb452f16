#pragma once

#include "core/base/result.h"
#include "core/engine/cell_observer.h"
#include "core/measure/cell_request.h"
#include "core/measure/cell_result.h"

#include <memory>
#include <string>
#include <vector>

namespace qs::engine {

// Runs cells, one after the other, on the thread that made it. Keeps the last model's weights: a
// cell that needs the same weights under the same recipe on the same device does not load them
// again.
class CellRunner final
{
public:
    CellRunner();
    ~CellRunner();
    CellRunner(const CellRunner&) = delete;
    CellRunner& operator=(const CellRunner&) = delete;

    // The error's code says what became of the cell (out of memory, cancelled, a lost device …).
    [[nodiscard]] core::Result<core::CellResult> run(const core::CellRequest& request,
                                                     CellObserver& observer);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace qs::engine
