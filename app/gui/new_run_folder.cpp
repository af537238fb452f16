#include "app/gui/new_run_folder.h"

#include <QDateTime>

#include <system_error>

namespace qs::app {

namespace {

constexpr int kLongestName = 40;

// Letters and digits of any script, joined by hyphens: a name that every shell takes.
QString slugOf(const QString& name)
{
    QString slug;
    for (const QChar letter : name.toLower()) {
        if (letter.isLetterOrNumber())
            slug += letter;
        else if (!slug.isEmpty() && !slug.endsWith(QLatin1Char('-')))
            slug += QLatin1Char('-');
    }
    slug.truncate(kLongestName);
    while (slug.endsWith(QLatin1Char('-')))
        slug.chop(1);
    return slug.isEmpty() ? QStringLiteral("run") : slug;
}

}  // namespace

core::Result<std::filesystem::path> newRunFolder(const std::filesystem::path& runs,
                                                 const QString& presetName)
{
    std::error_code error;
    std::filesystem::create_directories(runs, error);
    if (error)
        return core::Error{core::ErrorCode::Io,
                           runs.string() +
                               ": cannot create the folder for runs: " + error.message()};
    const QString base =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-")) +
        slugOf(presetName);
    std::filesystem::path folder = runs / base.toStdString();
    // Two windows may start the same sweep within a second.
    for (int number = 2; std::filesystem::exists(folder, error); ++number)
        folder = runs / QStringLiteral("%1-%2").arg(base).arg(number).toStdString();
    return folder;
}

}  // namespace qs::app
