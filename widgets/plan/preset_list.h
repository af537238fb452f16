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
    QString contents;  // "demo on cuda:0 · 4 precisions × 2 compile modes · 3 repeats"
    QString problem;   // why it cannot be used, with the JSON path; empty if it can
};

// One file, whatever is wrong with it.
[[nodiscard]] PresetEntry readPresetEntry(const std::filesystem::path& path);

// The presets below a folder, quick starts first, then by group and name.
[[nodiscard]] std::vector<PresetEntry> listPresets(const std::filesystem::path& folder);

// Where a preset of that name is kept among a person's own: "<folder>/my_sweep.json".
[[nodiscard]] std::filesystem::path presetFile(const std::filesystem::path& folder,
                                               const QString& name);
// Writes it there, over one of the same name.
[[nodiscard]] core::Result<std::filesystem::path> savePreset(const std::filesystem::path& folder,
                                                             const core::Preset& preset);
// Copies a preset file there. A broken one is refused with its complaints.
[[nodiscard]] core::Result<std::filesystem::path> importPreset(const std::filesystem::path& folder,
                                                               const std::filesystem::path& file);
// Refuses files outside the folder.
[[nodiscard]] core::Status deletePreset(const std::filesystem::path& folder,
                                        const std::filesystem::path& file);

}  // namespace qs::widgets
