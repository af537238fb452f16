#pragma once

#include "core/device/description.h"
#include "widgets/plan/engine_state.h"

namespace qs::tests {

// An engine that has answered: this processor is what it runs on.
[[nodiscard]] inline widgets::EngineState cpuEngine()
{
    widgets::EngineState engine;
    engine.kind = widgets::EngineState::Kind::Ready;
    engine.devices = {core::describeCpu()};
    return engine;
}

}  // namespace qs::tests
