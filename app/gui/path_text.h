#pragma once

#include <QString>

#include <filesystem>
#include <system_error>

namespace qs::app {

// Paths between Qt, which holds texts, and core.
[[nodiscard]] inline std::filesystem::path pathOf(const QString& text)
{
    return text.toStdString();
}

[[nodiscard]] inline QString textOf(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

// Of a folder, also of one that is written with a slash at its end.
[[nodiscard]] inline QString folderName(const std::filesystem::path& folder)
{
    return textOf(folder.has_filename() ? folder.filename() : folder.parent_path().filename());
}

// Also where they are written differently; an empty path is at no place.
[[nodiscard]] inline bool isSamePlace(const std::filesystem::path& a,
                                      const std::filesystem::path& b)
{
    std::error_code missing;
    return !a.empty() && (a == b || std::filesystem::equivalent(a, b, missing));
}

}  // namespace qs::app
