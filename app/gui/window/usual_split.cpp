#include "app/gui/window/usual_split.h"

#include <QEvent>
#include <QSplitter>

#include <algorithm>

namespace qs::app {

namespace {

// What the essential columns of the table need, none of their words cut. Beside it two square
// images take half of a window of 1920 x 1080.
constexpr int kUsualLeft = 463;
constexpr double kMostOfAll = 0.45;
// Samples, and the figures of one against the reference, none of their words cut.
constexpr int kNarrowRight = 530;

}  // namespace

UsualSplit::UsualSplit(QSplitter& splitter) : QObject(&splitter), m_splitter(splitter)
{
    m_splitter.installEventFilter(this);
    connect(&m_splitter, &QSplitter::splitterMoved, this, &UsualSplit::setDragged);
}

void UsualSplit::apply()
{
    if (m_dragged || m_splitter.count() != 2 || m_splitter.widget(0)->isHidden() ||
        m_splitter.widget(1)->isHidden())
        return;
    const int width = m_splitter.width();
    const int usual = std::min(kUsualLeft, static_cast<int>(width * kMostOfAll));
    const int left = m_narrowRight ? std::max(usual, width - kNarrowRight) : usual;
    m_splitter.setSizes({left, width - left});
}

void UsualSplit::setNarrowRight(bool narrow)
{
    if (m_narrowRight == narrow)
        return;
    m_narrowRight = narrow;
    apply();
}

bool UsualSplit::eventFilter(QObject* /*watched*/, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        apply();
    return false;
}

}  // namespace qs::app

#include "moc_usual_split.cpp"
