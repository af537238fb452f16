#include "app/gui/settings.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace qs::app {

namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kSplitter = QStringLiteral("window/splitter");
// Of the table as it is now: a state of fewer columns would be shifted.
const QString kColumns = QStringLiteral("window/columns3");
const QString kRunColumns = QStringLiteral("window/run_columns");
const QString kLastFolders = QStringLiteral("window/last_folders");
const QString kTheme = QStringLiteral("window/theme");
const QString kRecentPresets = QStringLiteral("recent/presets");
const QString kRecentRuns = QStringLiteral("recent/runs");
const QString kRecentRunNames = QStringLiteral("recent/runNames");
const QString kRecentModels = QStringLiteral("recent/models");
const QString kDraftSource = QStringLiteral("draft/source");
const QString kRunsFolder = QStringLiteral("runs/folder");
const QString kObjective = QStringLiteral("answer/objective");
const QString kQualityLimit = QStringLiteral("answer/quality_limit");
const QString kMinimumLikeness = QStringLiteral("answer/minimum_likeness");
const QString kMapKind = QStringLiteral("compare/map_kind");
const QString kMapRange = QStringLiteral("compare/map_range");  // 0 is automatic

QString userFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
           QStringLiteral("/settings.ini");
}

}  // namespace

Settings::Settings(const QString& iniFile)
    : m_store(iniFile.isEmpty() ? userFile() : iniFile, QSettings::IniFormat)
{
}

QByteArray Settings::geometry() const
{
    return m_store.value(kGeometry).toByteArray();
}

void Settings::setGeometry(const QByteArray& geometry)
{
    m_store.setValue(kGeometry, geometry);
}

QByteArray Settings::splitterState() const
{
    return m_store.value(kSplitter).toByteArray();
}

void Settings::setSplitterState(const QByteArray& state)
{
    m_store.setValue(kSplitter, state);
}

QByteArray Settings::columnState() const
{
    return m_store.value(kColumns).toByteArray();
}

void Settings::setColumnState(const QByteArray& state)
{
    m_store.setValue(kColumns, state);
}

QByteArray Settings::runColumnState() const
{
    return m_store.value(kRunColumns).toByteArray();
}

void Settings::setRunColumnState(const QByteArray& state)
{
    m_store.setValue(kRunColumns, state);
}

QVariantMap Settings::lastFolders() const
{
    return m_store.value(kLastFolders).toMap();
}

void Settings::setLastFolders(const QVariantMap& folders)
{
    m_store.setValue(kLastFolders, folders);
}

QStringList Settings::recentPresets() const
{
    return recent(kRecentPresets);
}

void Settings::addRecentPreset(const QString& path)
{
    addRecent(kRecentPresets, path);
}

QStringList Settings::recentRuns() const
{
    return recent(kRecentRuns);
}

void Settings::addRecentRun(const QString& path, const QString& name)
{
    addRecent(kRecentRuns, path);
    const QVariantMap before = m_store.value(kRecentRunNames).toMap();
    QVariantMap names;
    for (const QString& run : recentRuns())
        names.insert(run, before.value(run));
    names.insert(QFileInfo(path).absoluteFilePath(), name);
    m_store.setValue(kRecentRunNames, names);
}

QString Settings::recentRunName(const QString& path) const
{
    return m_store.value(kRecentRunNames).toMap().value(path).toString();
}

QStringList Settings::recentModels() const
{
    return recent(kRecentModels);
}

void Settings::addRecentModel(const QString& path)
{
    addRecent(kRecentModels, path);
}

std::filesystem::path Settings::draftFile() const
{
    return std::filesystem::path(m_store.fileName().toStdString()).parent_path() / "draft.json";
}

std::filesystem::path Settings::presetFolder() const
{
    return std::filesystem::path(m_store.fileName().toStdString()).parent_path() / "presets";
}

QString Settings::draftSource() const
{
    return m_store.value(kDraftSource).toString();
}

void Settings::setDraftSource(const QString& path)
{
    m_store.setValue(kDraftSource, path);
}

QStringList Settings::recent(const QString& key) const
{
    QStringList paths = m_store.value(key).toStringList();
    paths.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return paths.mid(0, kMostRecent);
}

void Settings::addRecent(const QString& key, const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = recent(key);
    paths.removeAll(absolute);
    paths.prepend(absolute);
    m_store.setValue(key, paths.mid(0, kMostRecent));
}

std::filesystem::path Settings::runsFolder() const
{
    const QString chosen = m_store.value(kRunsFolder).toString();
    if (!chosen.isEmpty())
        return chosen.toStdString();
    // Runs are documents of their user: to be found, copied and kept.
    return (QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) +
            QStringLiteral("/QuantScope"))
        .toStdString();
}

void Settings::setRunsFolder(const std::filesystem::path& folder)
{
    m_store.setValue(kRunsFolder, QString::fromStdString(folder.string()));
}

core::AnswerQuestion Settings::answerQuestion() const
{
    const core::AnswerQuestion usual{.limit = core::QualityLimit::MinimumLikeness};
    const auto choice = [&](const QString& key, int fallback, int last) {
        return std::clamp(m_store.value(key, fallback).toInt(), 0, last);
    };
    bool isNumber = false;
    const double ssim = m_store.value(kMinimumLikeness, usual.minimumLikeness).toDouble(&isNumber);
    return {.objective = static_cast<core::AnswerObjective>(
                choice(kObjective, int(usual.objective), int(core::AnswerObjective::Energy))),
            .limit = static_cast<core::QualityLimit>(
                choice(kQualityLimit, int(usual.limit), int(core::QualityLimit::MinimumLikeness))),
            .minimumLikeness =
                isNumber && ssim >= 0.0 && ssim <= 1.0 ? ssim : usual.minimumLikeness};
}

void Settings::setAnswerQuestion(const core::AnswerQuestion& question)
{
    m_store.setValue(kObjective, int(question.objective));
    m_store.setValue(kQualityLimit, int(question.limit));
    m_store.setValue(kMinimumLikeness, question.minimumLikeness);
}

widgets::MapWish Settings::mapWish() const
{
    const int last = static_cast<int>(widgets::kMapKinds.size()) - 1;
    widgets::MapWish wish{.kind = widgets::kMapKinds[static_cast<std::size_t>(
                              std::clamp(m_store.value(kMapKind, 0).toInt(), 0, last))]};
    const double range = m_store.value(kMapRange, 0.0).toDouble();
    if (std::find(widgets::kMapRanges.begin(), widgets::kMapRanges.end(), range) !=
        widgets::kMapRanges.end())
        wish.range = range;
    return wish;
}

void Settings::setMapWish(const widgets::MapWish& wish)
{
    m_store.setValue(kMapKind, static_cast<int>(wish.kind));
    m_store.setValue(kMapRange, wish.range.value_or(0.0));
}

Theme Settings::theme() const
{
    const int stored = m_store.value(kTheme, 0).toInt();
    return static_cast<Theme>(std::clamp(stored, 0, 2));
}

void Settings::setTheme(Theme theme)
{
    m_store.setValue(kTheme, static_cast<int>(theme));
}

}  // namespace qs::app
