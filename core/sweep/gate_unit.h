#pragma once

#include "core/base/result.h"
#include "core/sweep/metric.h"

#include <string>
#include <string_view>

// Numbers of gates with their units: "5 %", "12 ms", "1.5 GiB", "40 dB".
namespace qs::core {

// `text` is a number and its unit; `name` is what it is of, for complaints. Times and sizes need a
// unit. Finite.
[[nodiscard]] Result<double> gateValueFrom(std::string_view text, MetricUnit unit,
                                           std::string_view name);
// Reads back to the same value.
[[nodiscard]] std::string exactValueText(MetricUnit unit, double value);
// For people, in significant digits, beside a limit: in the unit of that, if it suits both.
[[nodiscard]] std::string roundedValueText(MetricUnit unit, double value, int digits, double limit);

}  // namespace qs::core
