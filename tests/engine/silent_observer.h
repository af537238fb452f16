#pragma once

#include "core/engine/cell_runner.h"

namespace qs::tests {

// Listens to nothing and stops nothing.
class SilentObserver final : public engine::CellObserver
{
public:
    void phaseStarted(core::Phase) override {}
    bool progressed(double) override { return true; }
    bool goesOn() override { return true; }
};

}  // namespace qs::tests
