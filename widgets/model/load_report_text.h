#pragma once

#include "core/model/catalogue.h"
#include "core/model/model_ports.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace qs::widgets {

// "2 stages · 4.52 M parameters · F32 · 17.3 MiB", or the first line of what is wrong.
[[nodiscard]] QString reportHeadline(const core::ModelInspection& inspection);

// One thing that the load report has to say.
struct ReportSection {
    QString title;      // "3 tensors are missing"
    QString advice;     // what it means and what one can do about it; may be empty
    QStringList lines;  // each on its own
    bool problem = false;
};
// What was recognised first, then the problems, then what is only worth knowing. `ports`: null
// while they are not known.
[[nodiscard]] std::vector<ReportSection> reportSections(const core::ModelInspection& inspection,
                                                        const core::ModelPorts* ports = nullptr);
// All of it for the clipboard and for issue trackers.
[[nodiscard]] QString reportText(const core::ModelInspection& inspection,
                                 const core::ModelPorts* ports = nullptr);

[[nodiscard]] QString parametersText(std::int64_t count);

}  // namespace qs::widgets
