#include "app/gui/window/run_menu.h"

#include "app/gui/path_text.h"
#include "app/gui/runs/run_summary.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QDateTime>
#include <QLocale>
#include <QMenu>

namespace qs::app {

namespace {

constexpr int kMostRecent = 10;
constexpr int kMostLetters = 32;

// A name with an ampersand has no key of its own.
QString menuText(QString text)
{
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace

RunMenu::RunMenu(const widgets::RunStore& store, const RunName& name,
                 const RunController& controller, const RunQueue& queue, const Settings& settings,
                 QObject* parent)
    : QObject(parent),
      m_store(store),
      m_name(name),
      m_controller(controller),
      m_queue(queue),
      m_settings(settings)
{
}

QString RunMenu::title() const
{
    if (m_store.isEmpty())
        return {};
    const core::RunData& data = m_store.data();
    QStringList parts{m_name.text()};
    if (const QString device = devicesOf(data); !device.isEmpty())
        parts << device;
    if (!data.measurements.empty()) {
        const QDateTime when = QDateTime::fromString(
            QString::fromStdString(data.measurements.front().startedAt), Qt::ISODate);
        if (when.isValid())
            parts << QLocale().toString(when.date(), QLocale::ShortFormat);
    }
    return parts.join(QStringLiteral(" · "));
}

QToolButton* RunMenu::makeButton(QWidget* parent)
{
    auto* button = new widgets::MenuButton(parent);
    button->setObjectName(QStringLiteral("runMenuButton"));
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    QFont bold = button->font();
    bold.setBold(true);
    button->setFont(bold);
    // As wide for a short name as for a long one: the buttons beside it stay when a run comes.
    button->setText(tr("No run"));
    const int most = button->fontMetrics().averageCharWidth() * kMostLetters;
    button->setFixedWidth(button->sizeHint().width() + most -
                          button->fontMetrics().horizontalAdvance(button->text()));
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("runMenu"));
    menu->setToolTipsVisible(true);
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill(*menu); });
    const auto update = [this, button, most] {
        const QString text = title();
        button->setText(text.isEmpty() ? tr("No run")
                                       : menuText(button->fontMetrics().elidedText(
                                             text, Qt::ElideMiddle, most)));
        button->setToolTip(widgets::plainTip(
            text.isEmpty() ? tr("Choose a run to look at")
                           : tr("Run in view: %1. Choose another one").arg(text)));
    };
    connect(&m_name, &RunName::changed, button, update);
    update();
    return button;
}

void RunMenu::fill(QMenu& menu)
{
    menu.clear();
    addRunning(menu);
    addRecent(menu);
    menu.addSeparator();
    QAction* all = menu.addAction(tr("All runs and examples"), this, &RunMenu::allRunsWanted);
    all->setObjectName(QStringLiteral("allRuns"));
    menu.addAction(tr("Open run folder…"), this, &RunMenu::otherFolderWanted);
}

void RunMenu::addRunning(QMenu& menu)
{
    if (m_controller.isRunning()) {
        const core::RunProgress& progress = m_controller.progress();
        QAction* running = menu.addAction(
            tr("▶ %1 (%2 of %3)")
                .arg(menuText(runName(m_controller.folder(),
                                      QString::fromStdString(m_controller.plan().preset.name))))
                .arg(progress.done)
                .arg(progress.total),
            this, [this] { Q_EMIT openRequested(textOf(m_controller.folder())); });
        running->setObjectName(QStringLiteral("runningRun"));
        running->setCheckable(true);
        running->setChecked(m_controller.isInView());
    }
    for (const core::Plan& plan : m_queue.plans()) {
        QAction* waiting =
            menu.addAction(tr("Waiting: %1 (%2)")
                               .arg(menuText(QString::fromStdString(plan.preset.name)),
                                    widgets::cellsText(plan.possibleCells())));
        waiting->setObjectName(QStringLiteral("waitingRun"));
        waiting->setEnabled(false);
    }
    if (!menu.isEmpty())
        menu.addSeparator();
}

void RunMenu::addRecent(QMenu& menu)
{
    int count = 0;
    for (const QString& folder : m_settings.recentRuns()) {
        const std::filesystem::path path = pathOf(folder);
        const bool running = m_controller.isRunning() && isSamePlace(path, m_controller.folder());
        if (running || count == kMostRecent)
            continue;
        ++count;
        QAction* action = menu.addAction(menuText(runName(path, textOf(path.filename()))), this,
                                         [this, folder] { Q_EMIT openRequested(folder); });
        action->setToolTip(widgets::plainTip(folder));
        action->setCheckable(true);
        action->setChecked(isSamePlace(path, m_store.data().folder));
    }
}

}  // namespace qs::app

#include "moc_run_menu.cpp"
