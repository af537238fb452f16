#include "app/gui/window/run_menu.h"

#include "app/gui/path_text.h"
#include "app/gui/runs/recent_runs.h"
#include "app/gui/runs/run_summary.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QDateTime>
#include <QEvent>
#include <QLocale>
#include <QMenu>
#include <QToolBar>

#include <algorithm>

namespace qs::app {

namespace {

// The button is as wide as the other ones of the bar leave room for, within these.
constexpr int kFewestLetters = 32;
constexpr int kMostLetters = 80;

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

QToolButton* RunMenu::makeButton(QToolBar& bar)
{
    m_bar = &bar;
    m_button = new widgets::MenuButton(&bar);
    m_button->setObjectName(QStringLiteral("runMenuButton"));
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    QFont bold = m_button->font();
    bold.setBold(true);
    m_button->setFont(bold);
    m_button->setText(tr("No run"));
    m_padding =
        m_button->sizeHint().width() - m_button->fontMetrics().horizontalAdvance(m_button->text());
    auto* menu = new QMenu(m_button);
    menu->setObjectName(QStringLiteral("runMenu"));
    menu->setToolTipsVisible(true);
    m_button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill(*menu); });
    connect(&m_name, &RunName::changed, m_button, [this] { showTitle(); });
    bar.installEventFilter(this);
    fit();
    return m_button;
}

bool RunMenu::eventFilter(QObject* /*watched*/, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fit();
    return false;
}

// As wide for a short name as for a long one, and with room for buttons that are hidden now:
// nothing beside it moves when a run comes or goes on.
void RunMenu::fit()
{
    int others = 0;
    for (QAction* action : m_bar->actions()) {
        const QWidget* widget = m_bar->widgetForAction(action);
        if (widget != nullptr && widget != m_button)
            others += widget->sizeHint().width();
    }
    const int letter = m_button->fontMetrics().averageCharWidth();
    m_room = std::clamp(m_bar->width() - others - m_padding, letter * kFewestLetters,
                        letter * kMostLetters);
    m_button->setFixedWidth(m_padding + m_room);
    showTitle();
}

void RunMenu::showTitle()
{
    const QString text = title();
    m_button->setText(text.isEmpty() ? tr("No run")
                                     : menuText(m_button->fontMetrics().elidedText(
                                           text, Qt::ElideMiddle, m_room)));
    m_button->setToolTip(
        widgets::plainTip(text.isEmpty() ? tr("Choose a run to look at")
                                         : tr("Run in view: %1. Choose another one").arg(text)));
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
    for (const auto& [folder, name] : recentRuns(m_settings)) {
        const std::filesystem::path path = pathOf(folder);
        if (m_controller.isRunning() && isSamePlace(path, m_controller.folder()))
            continue;
        QAction* action = menu.addAction(menuText(name), this,
                                         [this, folder = folder] { Q_EMIT openRequested(folder); });
        action->setToolTip(widgets::plainTip(folder));
        action->setCheckable(true);
        action->setChecked(isSamePlace(path, m_store.data().folder));
    }
}

}  // namespace qs::app

#include "moc_run_menu.cpp"
