#include "app/gui/window/item_opener.h"

#include "app/gui/path_text.h"
#include "widgets/background/in_background.h"
#include "widgets/plan/plan_panel.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

namespace qs::app {

ItemOpener::ItemOpener(DraftFlow& draft, RunOpening& runs, widgets::PlanPanel& plan,
                       Messages& messages, QWidget& window)
    : m_draft(draft), m_runs(runs), m_plan(plan), m_messages(messages), m_window(window)
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
    for (const QUrl& url : dropped ? urls : QList<QUrl>()) {
        if (url.isLocalFile())
            open(pathOf(url.toLocalFile()));
    }
    return true;
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
                              "model (.safetensors or a folder with some) nor "
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
        m_window.setWindowModified(true);  // it is in no preset file
        m_messages.notify(tr("Loaded the preset of %1").arg(textOf(path)));
    }
}

}  // namespace qs::app
