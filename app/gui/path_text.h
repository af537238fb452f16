#pragma once

#include <QString>

#include <filesystem>

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

}  // namespace qs::app
