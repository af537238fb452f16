#pragma once

#include "core/quant/scheme.h"

#include <QString>

namespace qs::widgets {

// In the order of its parameters.
[[nodiscard]] core::ParameterValues parametersOf(const core::Scheme& scheme);
// "0.25", "inputs": as in files.
[[nodiscard]] QString parameterText(const core::ParameterValue& value);

// What a variant changes of the scheme that it varies: "alpha 0.25 · set inputs"; nothing: empty.
[[nodiscard]] QString changesText(const core::Scheme& variant, const core::Scheme& of);
// The same behind its name: "int8sq · alpha 0.25", "int4wo-64 · tail 1".
[[nodiscard]] QString schemeLabel(const core::Scheme& variant, const core::Scheme& of);
// What a list says of a scheme: what it is, how files write it, why it cannot run.
[[nodiscard]] QString schemeTip(const core::Scheme& scheme, const QString& reason);
// "How much … Number from 0 to 1, default 0.5."
[[nodiscard]] QString parameterHelp(const core::Parameter& parameter);

}  // namespace qs::widgets
