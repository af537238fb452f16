#pragma once

#include "app/gui/dropped_item.h"
#include "app/gui/window/draft_flow.h"
#include "app/gui/window/run_opening.h"

#include <filesystem>
#include <vector>

namespace qs::app {

// Opens whatever was dropped on the window or named: a preset, a run folder, a model, pictures, or
// a figure with the preset of its run in it.
class ItemOpener final : public QObject
{
    Q_OBJECT

public:
    // Everything given must outlive the object. Images that come together are gathered below the
    // folder `gathered`.
    ItemOpener(DraftFlow& draft, RunOpening& runs, widgets::PlanPanel& plan, Messages& messages,
               QWidget& window, std::filesystem::path gathered);

    void open(const std::filesystem::path& path);
    // What was brought together: each for itself, but several images are one source.
    void openAll(const std::vector<std::filesystem::path>& paths);
    // Pictures are being looked into.
    [[nodiscard]] bool isReading() const { return m_reading > 0; }

protected:
    // What is dropped on the window.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // A PNG that this program exported holds a preset; any other picture is an input.
    void openPicture(const std::filesystem::path& path);
    void openPictures(const std::vector<std::filesystem::path>& pictures);
    void takeEmbedded(const std::filesystem::path& path, const EmbeddedPreset& found);

    DraftFlow& m_draft;
    RunOpening& m_runs;
    widgets::PlanPanel& m_plan;
    Messages& m_messages;
    QWidget& m_window;
    std::filesystem::path m_gathered;
    int m_reading = 0;
};

}  // namespace qs::app
