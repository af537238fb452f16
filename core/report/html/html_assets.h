#pragma once

#include <string_view>

namespace qs::core {

// The style of a report: light and dark as the system has it, one accent, and print.
extern const std::string_view kReportStyle;
// Sorting of tables, the image viewer and the legend of plots. The document says everything without
// it, too.
extern const std::string_view kReportScript;

}  // namespace qs::core
