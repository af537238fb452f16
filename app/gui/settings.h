#pragma once

#include "core/analysis/answer.h"
#include "widgets/compare/map_scale.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include <filesystem>

namespace qs::app {

enum class Theme { System, Light, Dark };

// What the window remembers from one start to the next: preferences only. Nobody else spells a key.
class Settings final
{
public:
    // In the user's own place, or in the given file (tests).
    explicit Settings(const QString& iniFile = {});

    [[nodiscard]] QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    [[nodiscard]] QByteArray splitterState() const;
    void setSplitterState(const QByteArray& state);
    [[nodiscard]] QByteArray columnState() const;
    void setColumnState(const QByteArray& state);

    // Of the list of runs; empty until a column was dragged.
    [[nodiscard]] QByteArray runColumnState() const;
    void setRunColumnState(const QByteArray& state);
    // Where file dialogs were answered last, by their names.
    [[nodiscard]] QVariantMap lastFolders() const;
    void setLastFolders(const QVariantMap& folders);

    // Newest first, at most kMostRecent, without those that are gone.
    [[nodiscard]] QStringList recentPresets() const;
    void addRecentPreset(const QString& path);
    [[nodiscard]] QStringList recentRuns() const;
    // `name` is that of its sweep: reading the plans of all of them would take too long.
    void addRecentRun(const QString& path, const QString& name);
    [[nodiscard]] QString recentRunName(const QString& path) const;
    [[nodiscard]] QStringList recentModels() const;
    void addRecentModel(const QString& path);

    // Beside the settings: the draft that is being edited, and presets of the user's own.
    [[nodiscard]] std::filesystem::path draftFile() const;
    [[nodiscard]] std::filesystem::path presetFolder() const;
    // The preset that the draft was made from; empty if it is in no file.
    [[nodiscard]] QString draftSource() const;
    void setDraftSource(const QString& path);

    // Where new run folders are made.
    [[nodiscard]] std::filesystem::path runsFolder() const;
    void setRunsFolder(const std::filesystem::path& folder);
    // What the answer bar asks: at first images per second with a mean SSIM of 0.99.
    [[nodiscard]] core::AnswerQuestion answerQuestion() const;
    void setAnswerQuestion(const core::AnswerQuestion& question);
    // The kind of map and its scale, as they were chosen.
    [[nodiscard]] widgets::MapWish mapWish() const;
    void setMapWish(const widgets::MapWish& wish);
    [[nodiscard]] Theme theme() const;
    void setTheme(Theme theme);

    static constexpr int kMostRecent = 8;

private:
    [[nodiscard]] QStringList recent(const QString& key) const;
    void addRecent(const QString& key, const QString& path);

    QSettings m_store;
};

}  // namespace qs::app
