// The keyboard in a comparison.
#include "widgets/compare/compare_view.h"
#include "widgets/compare/values_view.h"

#include <QKeyEvent>
#include <QStackedWidget>

namespace qs::widgets {

namespace {

constexpr double kZoomStep = 1.25;

}  // namespace

bool CompareView::handleToolKey(int key)
{
    if (key == Qt::Key_N)
        showNextWorstTile();
    else if (key == Qt::Key_M)
        m_controls->toggleMode(CompareMode::Map);
    else if (key == Qt::Key_W)
        m_controls->toggleMode(CompareMode::Wipe);
    else if (key == Qt::Key_B)
        m_controls->toggleMode(CompareMode::Blink);
    else if (key == Qt::Key_Left || key == Qt::Key_Right)
        m_hold->turn(key == Qt::Key_Left);
    else if (key == Qt::Key_S)
        m_controls->setRegionWanted(!m_view.isDrawingRegion());
    else if (key >= Qt::Key_1 && key <= Qt::Key_9)
        m_cells.pin(key - Qt::Key_0, m_store.selectedCell());
    else if (key == Qt::Key_Space)
        setWantsRoom(!m_wantsRoom);
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        showAlone(m_panes.inHand());
    else if (key != Qt::Key_Escape)
        return m_tools->handleKey(key);
    // Escape goes back by one: from a region, a pane that is alone, all the room.
    else if (m_view.isDrawingRegion())
        m_controls->setRegionWanted(false);
    else if (m_panes.isAnyAlone())
        showAlone(nullptr);
    else
        setWantsRoom(false);
    return true;
}

void CompareView::keyPressEvent(QKeyEvent* event)
{
    // Those that mean something there have been taken.
    if (m_stack->currentWidget() == m_values)
        return QWidget::keyPressEvent(event);
    const auto zoomBy = [this](double factor) {
        m_view.zoomBy(factor, m_view.cursor().value_or(m_view.centre()), m_panes.viewport());
    };
    if (event->matches(QKeySequence::Copy))
        return m_tools->copyImage();
    const int key = event->key();
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (plain && handleToolKey(key))
        return;
    if (key == Qt::Key_0)
        m_view.fit();
    else if (key == Qt::Key_Z && plain)
        m_view.show(m_view.centre(), 1.0 / devicePixelRatioF());
    else if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoomBy(kZoomStep);
    else if (key == Qt::Key_Minus)
        zoomBy(1.0 / kZoomStep);
    else if (key == Qt::Key_PageUp)
        choosePicture(m_store.selectedPicture() - 1);
    else if (key == Qt::Key_PageDown)
        choosePicture(m_store.selectedPicture() + 1);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace qs::widgets
