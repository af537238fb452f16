#include "app/gui/help/dialog_help.h"

#include "app/gui/help/help_window.h"

#include <QApplication>
#include <QKeyEvent>

#include <utility>

namespace qs::app {

namespace {

constexpr std::pair<const char*, const char*> kPages[] = {
    {"actionPalette", "keys"},      {"cacheDialog", "measuring"}, {"checkPictureDialog", "compare"},
    {"compareRunsDialog", "runs"},  {"convertDialog", "models"},  {"figureDialog", "exports"},
    {"loadReportDialog", "models"}, {"presetBrowser", "sweep"},   {"runNoteDialog", "runs"},
};

// That of the dialog; else, as in the window, that of the part which it belongs to.
QString pageFor(const QWidget& dialog)
{
    for (const auto& [name, page] : kPages) {
        if (dialog.objectName() == QLatin1String(name))
            return QString::fromLatin1(page);
    }
    return HelpWindow::pageOf(&dialog);
}

}  // namespace

DialogHelp::DialogHelp(std::filesystem::path folder, QObject* parent)
    : QObject(parent), m_folder(std::move(folder))
{
    QCoreApplication::instance()->installEventFilter(this);
}

bool DialogHelp::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress || !watched->isWidgetType())
        return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    QWidget* dialog = QApplication::activeModalWidget();
    if (dialog == nullptr || key.key() != Qt::Key_F1 || key.modifiers() != Qt::NoModifier)
        return false;
    show(*dialog);
    return true;
}

// What is not its own child a modal dialog leaves without input.
void DialogHelp::show(QWidget& dialog) const
{
    auto* help = dialog.findChild<HelpWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (help == nullptr)
        help = new HelpWindow(m_folder, &dialog);
    help->showPage(pageFor(dialog));
    help->show();
    help->raise();
}

}  // namespace qs::app

#include "moc_dialog_help.cpp"
