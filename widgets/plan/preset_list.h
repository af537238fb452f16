#pragma once

#include "core/sweep/preset.h"

#include <QString>

#include <filesystem>
#include <vector>

namespace qs::widgets {

// A preset file as the chooser offers it.
struct PresetEntry {
    std::filesystem::path path;
    QString group;  // the folder it lies in: "quick start", "vitok"
    QString name;   // of the preset; the file name if it cannot be read
    QString description;
    QString problem;  // why it cannot be used; empty if it can
};

// The presets below a folder, quick starts first, then by group and name.
[[nodiscard]] std::vector<PresetEntry> listPresets(const std::filesystem::path& folder);

}  // namespace qs::widgets
