#include "core/engine/execute/axis_effects.h"

#include "core/engine/execute/attention_choice.h"
#include "core/sweep/axis_spec.h"

#include <map>
#include <utility>

namespace qs::engine {

namespace {

std::map<std::string, std::function<void(std::int64_t)>>& effects()
{
    static std::map<std::string, std::function<void(std::int64_t)>> registered;
    return registered;
}

}  // namespace

void registerAxisEffect(const std::string& axis, std::function<void(std::int64_t value)> effect)
{
    effects()[axis] = std::move(effect);
}

void applyAxes(const core::CellConfig& cell)
{
    chooseAttention(core::parseAttentionKernel(cell.attention).value());
    for (const auto& [name, effect] : effects()) {
        if (const core::AxisSpec* axis = core::findAxisSpec(name))
            effect(std::stoll(axis->text(cell)));
    }
}

}  // namespace qs::engine
