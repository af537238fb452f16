#pragma once

#include "app/gui/settings.h"
#include "app/gui/window/messages.h"
#include "core/base/json.h"
#include "core/sweep/preset.h"

#include <filesystem>
#include <memory>

namespace qs::widgets {
class PlanPanel;
}

namespace qs::app {

// Where the draft comes from and goes to: preset files, the draft of the last time, the preset of a
// run or of a figure. Lives on the GUI thread.
class DraftFlow final : public QObject
{
    Q_OBJECT

public:
    // `presets`: those that are shipped. Everything given must outlive the object.
    DraftFlow(widgets::PlanPanel& plan, Settings& settings, Messages& messages, QWidget& window,
              std::filesystem::path presets);

    // A preset, or runs of OlmoEarth's throughput benchmark. Says so if it cannot be read; the
    // draft stays as it was then.
    void open(const std::filesystem::path& file);
    // The draft of the last time or, at a first start, a shipped one; that becomes another one when
    // a GPU is found before anybody has touched it.
    void openFirst(bool hasGpu);
    [[nodiscard]] bool isFirst() const { return m_first; }
    // A preset that is in no file.
    void take(const core::Preset& preset);
    void askAndOpen();
    void askAndSave();
    void browse();

    // Of its preset; empty without one.
    [[nodiscard]] const QString& name() const { return m_name; }

Q_SIGNALS:
    // Another draft, or an edited one.
    void changed();
    // Somebody wants this one: it came from a file, a figure or a run.
    void brought();
    // Files that were opened before.
    void recentChanged();

private:
    // What the draft is when nobody has edited it.
    struct Origin {
        std::filesystem::path source;        // as the draft says it
        std::shared_ptr<core::Json> preset;  // nothing: it is in no file
    };

    void show(const core::Preset& preset, const std::filesystem::path& file);
    // Runs of OlmoEarth's throughput benchmark, as a preset that is in no file.
    void openBenchmark(const core::Json& json, const std::filesystem::path& file);
    [[nodiscard]] bool restore();
    void save(const QString& file);
    // An exported one, which carries its preset.
    void openFigure(const std::filesystem::path& file);
    void edited();
    // The draft differs from what it was made from, or is in no file: plan and title say so.
    void markModified();
    // Shipped ones and the user's own.
    void listPresets();

    widgets::PlanPanel& m_plan;
    Settings& m_settings;
    Messages& m_messages;
    QWidget& m_window;
    std::filesystem::path m_presets;
    QString m_name;
    Origin m_origin;
    bool m_first = false;
};

}  // namespace qs::app
