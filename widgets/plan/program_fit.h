#pragma once

#include "core/sweep/preset.h"
#include "widgets/model/model_inspector.h"

#include <optional>
#include <string>

namespace qs::widgets {

// Makes a draft fit for a compiled program when one is opened, and for other models when one of
// those comes: once for each model. Whoever chooses something else afterwards sees why it cannot
// be.
class ProgramFit final
{
public:
    // Nothing if the draft can stay as it is. Of a model that is usable.
    [[nodiscard]] std::optional<core::Preset> fitted(const core::Preset& draft,
                                                     const core::ModelInspection& model);

private:
    std::string m_last;  // the model that was looked at
};

}  // namespace qs::widgets
