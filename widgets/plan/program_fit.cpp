#include "widgets/plan/program_fit.h"

#include "core/sweep/program_preset.h"

#include <utility>

namespace qs::widgets {

std::optional<core::Preset> ProgramFit::fitted(const core::Preset& draft,
                                               const core::ModelInspection& model)
{
    const auto& program = model.family->stages().front().program;
    const std::string name = model.reference + (program ? program->sha256 : std::string());
    if (std::exchange(m_last, name) == name || core::isAsPackaged(draft) == program.has_value())
        return std::nullopt;
    return program ? core::asPackaged(draft, *model.family) : core::notAsPackaged(draft);
}

}  // namespace qs::widgets
