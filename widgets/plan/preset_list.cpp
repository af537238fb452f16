#include "widgets/plan/preset_list.h"

#include "core/base/files.h"
#include "widgets/plan/plan_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>
#include <tuple>

namespace qs::widgets {

namespace fs = std::filesystem;

namespace {

QString presetText(const std::string& text)
{
    return QString::fromStdString(text);
}

// Letters and digits of the name; others become underscores.
std::string stemOf(const QString& name)
{
    constexpr qsizetype kLongest = 60;
    QString stem;
    for (const QChar letter : name.trimmed().left(kLongest).toLower())
        stem += letter.isLetterOrNumber() ? letter : QLatin1Char('_');
    return stem.isEmpty() ? "preset" : stem.toStdString();
}

}  // namespace

PresetEntry readPresetEntry(const fs::path& path)
{
    PresetEntry entry;
    entry.path = path;
    entry.group = QString::fromStdString(path.parent_path().filename().string())
                      .replace(QLatin1Char('_'), QLatin1Char(' '));
    const core::Result<core::Preset> preset = core::readPreset(path);
    if (preset.ok()) {
        entry.name = QString::fromStdString(preset.value().name);
        entry.description = QString::fromStdString(preset.value().description);
        entry.contents = presetContents(preset.value());
    } else {
        entry.problem = QString::fromStdString(preset.error().message);
    }
    if (entry.name.isEmpty())
        entry.name = QString::fromStdString(path.stem().string());
    return entry;
}

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
            entries.push_back(readPresetEntry(path));
    }
    const auto key = [](const PresetEntry& entry) {
        return std::make_tuple(entry.group != QStringLiteral("quick start"), entry.group,
                               entry.name, entry.path.string());
    };
    std::sort(entries.begin(), entries.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return entries;
}

fs::path presetFile(const fs::path& folder, const QString& name)
{
    return folder / (stemOf(name) + ".json");
}

core::Result<fs::path> savePreset(const fs::path& folder, const core::Preset& preset)
{
    QS_RETURN_IF_ERROR(core::createFolders(folder));
    const fs::path file = presetFile(folder, presetText(preset.name));
    QS_RETURN_IF_ERROR(
        core::writeFileAtomically(file, core::jsonText(core::toJson(preset), 2) + "\n"));
    return file;
}

core::Result<fs::path> importPreset(const fs::path& folder, const fs::path& file)
{
    QS_TRY(const core::Preset preset, core::readPreset(file));
    std::error_code ignored;
    const fs::path place = presetFile(folder, presetText(preset.name));
    if (fs::exists(place, ignored) && !fs::equivalent(place, file, ignored))
        return core::Error{core::ErrorCode::InvalidArgument,
                           "a preset named \"" + preset.name +
                               "\" already exists; delete it first, or choose another name"};
    return savePreset(folder, preset);
}

core::Status deletePreset(const fs::path& folder, const fs::path& file)
{
    std::error_code error;
    if (!fs::equivalent(file.parent_path(), folder, error))
        return core::Error{core::ErrorCode::InvalidArgument,
                           file.string() + " is not one of your presets"};
    if (!fs::remove(file, error))
        return core::Error{core::ErrorCode::Io,
                           file.string() + ": cannot be deleted: " + error.message()};
    return {};
}

}  // namespace qs::widgets
