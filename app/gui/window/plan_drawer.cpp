#include "app/gui/window/plan_drawer.h"

#include <QEvent>
#include <QSplitter>

#include <utility>

namespace qs::app {

namespace {

// Letters of the font that views need beside the plan to be of use.
constexpr int kLettersBeside = 50;

}  // namespace

PlanDrawer::PlanDrawer(QWidget& plan, QWidget& views, QSplitter& left)
    : m_plan(plan), m_views(views), m_left(left)
{
    m_left.installEventFilter(this);
}

void PlanDrawer::setOpen(bool open)
{
    if (std::exchange(m_open, open) == open)
        return;
    fit();
    Q_EMIT openChanged(open);
}

bool PlanDrawer::eventFilter(QObject* /*watched*/, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fit();
    return false;
}

void PlanDrawer::fit()
{
    const int beside = m_left.fontMetrics().averageCharWidth() * kLettersBeside;
    const int wanted = m_plan.sizeHint().width();
    m_plan.setVisible(m_open);
    m_views.setVisible(!m_open || m_left.width() >= wanted + beside);
    if (m_open && !m_views.isHidden())
        m_left.setSizes({wanted, m_left.width() - wanted});
}

}  // namespace qs::app

#include "moc_plan_drawer.cpp"
