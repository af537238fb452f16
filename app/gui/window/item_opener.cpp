#include "app/gui/window/item_opener.h"

#include "app/gui/gathered_images.h"
#include "app/gui/path_text.h"
#include "widgets/background/in_background.h"
#include "widgets/plan/plan_panel.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

#include <system_error>
#include <utility>

namespace qs::app {

ItemOpener::ItemOpener(DraftFlow& draft, RunOpening& runs, widgets::PlanPanel& plan,
                       Messages& messages, QWidget& window, std::filesystem::path gathered)
    : m_draft(draft),
      m_runs(runs),
      m_plan(plan),
      m_messages(messages),
      m_window(window),
      m_gathered(std::move(gathered))
{
    window.setAcceptDrops(true);
    window.installEventFilter(this);
}

bool ItemOpener::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event);
    const QList<QUrl> urls = drop->mimeData()->urls();
    const bool dropped = event->type() == QEvent::Drop;
    if (dropped || (!urls.isEmpty() && urls.front().isLocalFile()))
        drop->acceptProposedAction();
    std::vector<std::filesystem::path> paths;
    for (const QUrl& url : dropped ? urls : QList<QUrl>()) {
        if (url.isLocalFile())
            paths.push_back(pathOf(url.toLocalFile()));
    }
    openAll(paths);
    return true;
}

void ItemOpener::openAll(const std::vector<std::filesystem::path>& paths)
{
    std::vector<std::filesystem::path> pictures;
    for (const std::filesystem::path& path : paths) {
        std::error_code ignored;
        if (classifyItem(path) == DroppedItem::Pictures &&
            !std::filesystem::is_directory(path, ignored))
            pictures.push_back(path);
        else
            open(path);
    }
    if (pictures.size() == 1)
        openPicture(pictures.front());
    else if (!pictures.empty())
        openPictures(pictures);
}

void ItemOpener::openPictures(const std::vector<std::filesystem::path>& pictures)
{
    const core::Result<std::filesystem::path> folder = gatherImages(pictures, m_gathered);
    if (folder.ok())
        m_plan.setPictureSource(textOf(folder.value()));
    else
        m_messages.showProblem(tr("Cannot use these images"),
                               QString::fromStdString(folder.error().message));
}

void ItemOpener::open(const std::filesystem::path& path)
{
    switch (classifyItem(path)) {
    case DroppedItem::Preset:
        m_draft.open(path);
        return;
    case DroppedItem::RunFolder:
        m_runs.open(path);
        return;
    case DroppedItem::Model:
        m_plan.setModel(textOf(path));
        return;
    case DroppedItem::Pictures:
        openPicture(path);
        return;
    case DroppedItem::Unknown:
        break;
    }
    m_messages.showProblem(tr("Cannot open this item"),
                           tr("%1 is neither a preset (.json), a run folder, a "
                              "model (.safetensors, .pt2 or a folder with some) nor "
                              "images (PNG, JPEG or a folder with some).")
                               .arg(textOf(path)));
}

void ItemOpener::openPicture(const std::filesystem::path& path)
{
    if (!mayHoldPreset(path)) {
        m_plan.setPictureSource(textOf(path));
        return;
    }
    ++m_reading;
    widgets::inBackground(
        this, [path] { return std::make_optional(embeddedPreset(path)); },
        [this, path](const std::optional<EmbeddedPreset>& found) {
            --m_reading;
            takeEmbedded(path, found.value_or(
                                   core::Error{core::ErrorCode::OutOfMemory,
                                               path.string() + ": not enough memory to read it"}));
        });
}

void ItemOpener::takeEmbedded(const std::filesystem::path& path, const EmbeddedPreset& found)
{
    if (!found.ok()) {
        m_messages.showProblem(tr("Cannot use the preset in this image"),
                               QString::fromStdString(found.error().message));
    } else if (!found.value()) {
        m_plan.setPictureSource(textOf(path));
    } else {
        m_draft.take(*found.value());
        m_messages.notify(tr("Loaded the preset of %1").arg(textOf(path)));
    }
}

}  // namespace qs::app

#include "moc_item_opener.cpp"
