#include "widgets/plan/preset_list.h"

#include <algorithm>
#include <system_error>
#include <tuple>

namespace qs::widgets {

namespace fs = std::filesystem;

namespace {

PresetEntry readEntry(const fs::path& path)
{
    PresetEntry entry;
    entry.path = path;
    entry.group = QString::fromStdString(path.parent_path().filename().string())
                      .replace(QLatin1Char('_'), QLatin1Char(' '));
    const core::Result<core::Preset> preset = core::readPreset(path);
    if (preset.ok()) {
        entry.name = QString::fromStdString(preset.value().name);
        entry.description = QString::fromStdString(preset.value().description);
    } else {
        entry.problem = QString::fromStdString(preset.error().message);
    }
    if (entry.name.isEmpty())
        entry.name = QString::fromStdString(path.stem().string());
    return entry;
}

}  // namespace

std::vector<PresetEntry> listPresets(const fs::path& folder)
{
    std::vector<PresetEntry> entries;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        const fs::path& path = at->path();
        const bool isPreset =
            path.extension() == ".json" && !path.filename().string().ends_with(".schema.json");
        std::error_code ignored;
        if (isPreset && at->is_regular_file(ignored))
            entries.push_back(readEntry(path));
    }
    const auto key = [](const PresetEntry& entry) {
        return std::make_tuple(entry.group != QStringLiteral("quick start"), entry.group,
                               entry.name, entry.path.string());
    };
    std::sort(entries.begin(), entries.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return entries;
}

}  // namespace qs::widgets
