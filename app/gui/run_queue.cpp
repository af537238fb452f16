#include "app/gui/run_queue.h"

#include "widgets/layout/menu_button.h"
#include "widgets/plan/plan_text.h"

#include <QLocale>

#include <utility>

namespace qs::app {

void RunQueue::add(core::Plan plan)
{
    m_plans.push_back(std::move(plan));
    Q_EMIT changed();
}

std::optional<core::Plan> RunQueue::takeNext()
{
    if (m_plans.empty())
        return std::nullopt;
    core::Plan next = std::move(m_plans.front());
    m_plans.erase(m_plans.begin());
    Q_EMIT changed();
    return next;
}

void RunQueue::remove(std::size_t index)
{
    if (index >= m_plans.size())
        return;
    m_plans.erase(m_plans.begin() + static_cast<std::ptrdiff_t>(index));
    Q_EMIT changed();
}

QToolButton* RunQueue::makeButton(QWidget* parent)
{
    auto* button = new widgets::MenuButton(parent);
    button->setObjectName(QStringLiteral("queueButton"));
    button->setAutoRaise(true);
    button->setToolTip(tr("Sweeps that start one after the other when this run has ended"));
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("queueMenu"));
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(*menu); });
    const auto update = [this, button] {
        button->setText(tr("Queue: %1").arg(QLocale().toString(qulonglong{m_plans.size()})));
        button->setVisible(!m_plans.empty());
    };
    connect(this, &RunQueue::changed, button, update);
    update();
    return button;
}

void RunQueue::fillMenu(QMenu& menu)
{
    menu.clear();
    menu.addAction(tr("Start the next sweep now"), this, &RunQueue::startRequested);
    menu.addSeparator();
    for (std::size_t i = 0; i < m_plans.size(); ++i) {
        const core::Plan& plan = m_plans[i];
        menu.addAction(tr("Remove “%1” (%2)")
                           .arg(QString::fromStdString(plan.preset.name),
                                widgets::cellsText(plan.possibleCells())),
                       this, [this, i] { remove(i); });
    }
}

}  // namespace qs::app

#include "moc_run_queue.cpp"
