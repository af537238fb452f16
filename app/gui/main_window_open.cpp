#include "app/gui/dropped_item.h"
#include "app/gui/main_window.h"
#include "app/gui/path_text.h"
#include "core/sweep/preset.h"
#include "widgets/background/in_background.h"
#include "widgets/plan/plan_panel.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

#include <utility>

// Opening things: presets, run folders, models and pictures, by name or dropped on the window.
namespace qs::app {

namespace {

// Of a folder, also of one that is written with a slash at its end.
QString nameOf(const std::filesystem::path& folder)
{
    return textOf(folder.has_filename() ? folder.filename() : folder.parent_path().filename());
}

}  // namespace

void MainWindow::openPreset(const std::filesystem::path& path)
{
    const core::Result<core::Preset> preset = core::readPreset(path);
    if (!preset.ok()) {
        showProblem(tr("The preset cannot be opened"),
                    QString::fromStdString(preset.error().message));
        return;
    }
    m_firstPreset = false;
    m_presetName = QString::fromStdString(preset.value().name);
    m_plan->setPreset(preset.value(), path);
    m_settings.addRecentPreset(textOf(path));
    fillRecent();
    setWindowModified(false);
    updateTitle();
    updateActions();
}

void MainWindow::openFirstPreset()
{
    if (!m_firstPreset && restoreDraft())
        return;
    const char* name = m_engine.state().hasGpu() ? "demo_gpu.json" : "demo_cpu.json";
    const std::filesystem::path path = m_options.paths.presets / "quick_start" / name;
    const core::Result<core::Preset> preset = core::readPreset(path);
    // An installation without presets starts with an empty draft, not with an error.
    if (!preset.ok())
        return;
    m_presetName = QString::fromStdString(preset.value().name);
    m_plan->setPreset(preset.value(), path);
    m_firstPreset = true;
    updateTitle();
    updateActions();
}

void MainWindow::openRun(const std::filesystem::path& folder)
{
    if (m_controller.isRunning())
        return;
    m_loader.load(folder);
    m_notice = tr("Opening %1…").arg(nameOf(folder));
    updateStatus();
}

void MainWindow::openItem(const std::filesystem::path& path)
{
    switch (classifyItem(path)) {
    case DroppedItem::Preset:
        openPreset(path);
        return;
    case DroppedItem::RunFolder:
        openRun(path);
        return;
    case DroppedItem::Model:
        m_plan->setModel(textOf(path));
        return;
    case DroppedItem::Pictures:
        openPicture(path);
        return;
    case DroppedItem::Unknown:
        break;
    }
    showProblem(tr("This cannot be opened"), tr("%1 is neither a preset (.json), a run folder, a "
                                                "model (.safetensors or a folder with some) nor "
                                                "pictures (PNG, JPEG or a folder with some).")
                                                 .arg(textOf(path)));
}

void MainWindow::openPicture(const std::filesystem::path& path)
{
    if (!mayHoldPreset(path)) {
        m_plan->setPictureSource(textOf(path));
        return;
    }
    ++m_picturesRead;
    widgets::inBackground(
        this, [path] { return std::make_optional(embeddedPreset(path)); },
        [this, path](const std::optional<EmbeddedPreset>& found) {
            --m_picturesRead;
            takeEmbeddedPreset(path, found.value_or(core::Error{
                                         core::ErrorCode::OutOfMemory,
                                         path.string() + ": not enough memory to read it"}));
        });
}

void MainWindow::takeEmbeddedPreset(const std::filesystem::path& path, const EmbeddedPreset& found)
{
    if (!found.ok()) {
        showProblem(tr("The preset in this picture cannot be used"),
                    QString::fromStdString(found.error().message));
    } else if (!found.value()) {
        m_plan->setPictureSource(textOf(path));
    } else {
        m_firstPreset = false;
        m_presetName = QString::fromStdString(found.value()->name);
        m_plan->setPreset(*found.value());
        m_notice = tr("Restored the preset of %1").arg(textOf(path));
        setWindowModified(true);  // it is in no preset file
        updateTitle();
        updateActions();
        updateStatus();
    }
}

void MainWindow::runLoaded(const std::shared_ptr<LoadedRun>& run)
{
    if (m_controller.isRunning())
        return;
    m_notice = tr("Opened %1").arg(nameOf(run->data.folder));
    m_settings.addRecentRun(textOf(run->data.folder));
    m_store.setRun(std::move(run->data), std::move(run->analysis));
    fillRecent();
    updateTitle();
    updateActions();
    updateStatus();
    selectAnswerIfNothingIs();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            openItem(pathOf(url.toLocalFile()));
    }
    event->acceptProposedAction();
}

}  // namespace qs::app
