// What a person can do in CompareView: tiles, regions, pinned cells, room, keys.
#include "core/image/tiles.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/compare/tile_strip_view.h"
#include "widgets/models/cell_text.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kTilePart = 0.6;  // of the pane, that a tile jumped to takes

QRect rectOf(const core::Tile& tile)
{
    return {tile.x, tile.y, tile.width, tile.height};
}

}  // namespace

void CompareView::showNextWorstTile()
{
    const ComparisonContent* compared = mapComparison(kA);
    // Where everything is equal, no place is the worst.
    if (compared == nullptr || compared->value == nullptr || compared->value->identical ||
        compared->value->worstTiles.empty())
        return;
    const std::vector<core::Tile>& tiles = compared->value->worstTiles;
    const core::Tile& tile = tiles[m_nextTile % tiles.size()];
    m_nextTile = (m_nextTile + 1) % tiles.size();
    goToTile(tile);
}

void CompareView::goToTile(const core::Tile& tile)
{
    m_tile = tile;
    m_tilePicture = m_set.current()->request.picture;
    showStrip();
    const QSize area = (m_alone != nullptr ? m_alone : m_cells[kA].picture)->viewport().size();
    const double scale = kTilePart * std::min(area.width(), area.height()) / core::kTileSide;
    m_view.setMark(rectOf(tile));
    m_view.show(QRectF(rectOf(tile)).center(), scale);
    if (m_view.isDrawingRegion()) {
        m_view.setRegion(rectOf(tile));
        scoreRegion();
    }
}

StripRequest CompareView::makeStripRequest() const
{
    const core::PlannedCell* shown = cellA();
    StripRequest request;
    if (shown == nullptr || !m_tile)
        return request;
    request.runFolder = m_store.data().folder;
    request.referenceId = m_requested.reference.unavailable.isEmpty() ? shown->referenceId : "";
    request.referenceFolder = m_requested.reference.folder;
    request.picture = m_tilePicture;
    request.tile = *m_tile;
    for (const core::PlannedCell& cell : m_store.data().plan.cells) {
        // Other models and sizes have other pictures at this place.
        if (cell.possible() && cell.config.model == shown->config.model &&
            cell.config.imageSize() == shown->config.imageSize()) {
            OutputSource source = sourceOf(cell.id);
            request.cells.push_back({.cellId = cell.id,
                                     .title = cellTitle(cell),
                                     .folder = std::move(source.folder),
                                     .unavailable = std::move(source.unavailable)});
        }
    }
    return request;
}

void CompareView::showStrip()
{
    const bool wanted = m_tile.has_value() && m_controls->isStripWanted() && cellA() != nullptr;
    if (wanted) {
        const StripRequest request = makeStripRequest();
        const bool begins = request != m_strip.current();
        m_strip.request(request);
        if (begins)
            showStripAtA();
        std::vector<std::pair<std::string, QString>> badges{
            {m_store.selectedCell().toStdString(), cellLabel(kA)}};
        if (const core::PlannedCell* other = cellB())
            badges.emplace_back(other->id, cellLabel(kB));
        for (int cell = kFirstPin; cell < kCells; ++cell) {
            if (hasCell(cell))
                badges.emplace_back(m_pinned[static_cast<std::size_t>(cell - kFirstPin)],
                                    cellLabel(cell));
        }
        m_strip.setBadges(badges);
        m_stripTitle->setText(
            tr("This tile (%1 × %2 px at x %3, y %4) in all %5 cells: click one to give it a pane")
                .arg(m_tile->width)
                .arg(m_tile->height)
                .arg(m_tile->x)
                .arg(m_tile->y)
                .arg(m_strip.rowCount()));
    }
    m_stripTitle->setVisible(wanted);
    m_stripView->setVisible(wanted);
}

// A run may have hundreds of cells: begin where the selected one is.
void CompareView::showStripAtA()
{
    for (int row = 0; row < m_strip.rowCount(); ++row) {
        if (m_strip.cellAt(row) != m_store.selectedCell())
            continue;
        m_stripView->setCurrentIndex(m_strip.index(row));
        m_stripView->scrollTo(m_strip.index(row), QAbstractItemView::PositionAtCenter);
    }
}

void CompareView::pinCell(int pin, const QString& cellId)
{
    const std::string id = cellId.toStdString();
    if (pin < 1 || pin > kPins || m_store.data().plan.find(id) == nullptr)
        return;
    std::string& pinned = m_pinned[static_cast<std::size_t>(pin - 1)];
    pinned = pinned == id ? std::string() : id;
    if (m_set.current() != nullptr)
        drawMaps();
    followAnalysis();
}

void CompareView::unpin(int pin)
{
    if (!pinnedCell(pin).isEmpty())
        pinCell(pin, pinnedCell(pin));
}

QString CompareView::pinnedCell(int pin) const
{
    return pin < 1 || pin > kPins
               ? QString()
               : QString::fromStdString(m_pinned[static_cast<std::size_t>(pin - 1)]);
}

void CompareView::togglePinned(const QString& cellId)
{
    const auto found = std::find(m_pinned.begin(), m_pinned.end(), cellId.toStdString());
    const auto at = found != m_pinned.end()
                        ? found
                        : std::find(m_pinned.begin(), m_pinned.end(), std::string());
    if (at != m_pinned.end() && !cellId.isEmpty())
        pinCell(static_cast<int>(at - m_pinned.begin()) + 1, cellId);
}

void CompareView::setRegionMode(bool on)
{
    if (m_controls->isRegionWanted() != on) {
        // Comes back here by the button's signal.
        m_controls->setRegionWanted(on);
        return;
    }
    m_view.setDrawingRegion(on);
    // Without a mouse the tile that was jumped to is the region.
    m_view.setRegion(on ? m_view.mark() : std::nullopt);
    m_scorer.clear();
    scoreRegion();
    showCells();
}

void CompareView::scoreRegion()
{
    const auto region = m_view.region();
    if (!region || m_set.current() == nullptr) {
        m_scorer.clear();
        return;
    }
    std::vector<ScoredPair> pairs;
    for (int cell = 0; cell < kCells; ++cell) {
        const LoadedCell loaded = loadedCell(cell);
        if (loaded.source == nullptr)
            pairs.push_back({});
        else
            pairs.push_back({loaded.content->picture, m_set.current()->reference.picture,
                             loaded.toReference->value});
    }
    m_scorer.request(std::move(pairs),
                     {region->x(), region->y(), region->width(), region->height()});
}

void CompareView::setWantsRoom(bool wanted)
{
    if (wanted == m_wantsRoom)
        return;
    m_wantsRoom = wanted;
    Q_EMIT roomWanted(wanted);
}

void CompareView::showAlone(PicturePane* pane)
{
    m_alone = pane == m_alone ? nullptr : pane;
    showVisiblePanes();
}

PicturePane* CompareView::paneInHand() const
{
    PicturePane* pointed = nullptr;
    for (PicturePane* pane : findChildren<PicturePane*>()) {
        if (pane->hasFocus())
            return pane;
        if (pane->isVisible() && pane->underMouse())
            pointed = pane;
    }
    return pointed;
}

void CompareView::zoomStep(double factor)
{
    const QSizeF area = (m_alone != nullptr ? m_alone : m_cells[kA].picture)->viewport().size();
    m_view.zoomBy(factor, m_view.cursor().value_or(m_view.centre()), area);
}

void CompareView::holdReference(bool held)
{
    if (held == m_referenceHeld)
        return;
    m_referenceHeld = held;
    showCells();
}

// Escape goes back by one: from a region, a pane that is alone, all the room.
void CompareView::leaveOneMode()
{
    if (m_view.isDrawingRegion())
        setRegionMode(false);
    else if (m_alone != nullptr)
        showAlone(nullptr);
    else
        setWantsRoom(false);
}

bool CompareView::handleToolKey(int key)
{
    if (key == Qt::Key_N)
        showNextWorstTile();
    else if (key == Qt::Key_S)
        setRegionMode(!m_view.isDrawingRegion());
    else if (key >= Qt::Key_1 && key <= Qt::Key_9)
        pinCell(key - Qt::Key_0, m_store.selectedCell());
    else if (key == Qt::Key_Space)
        setWantsRoom(!m_wantsRoom);
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        showAlone(paneInHand());
    else if (key == Qt::Key_Escape)
        leaveOneMode();
    else
        return false;
    return true;
}

void CompareView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (PicturePane* a = m_cells[kA].picture; a->isVisible())
        a->setFocus(event->reason());
}

void CompareView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (key == Qt::Key_Shift)
        holdReference(true);
    else if (plain && handleToolKey(key))
        return;
    else if (key == Qt::Key_0)
        m_view.fit();
    else if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoomStep(kZoomStep);
    else if (key == Qt::Key_Minus)
        zoomStep(1.0 / kZoomStep);
    else if (key == Qt::Key_PageUp)
        choosePicture(m_store.selectedPicture() - 1);
    else if (key == Qt::Key_PageDown)
        choosePicture(m_store.selectedPicture() + 1);
    else
        QWidget::keyPressEvent(event);
}

void CompareView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Shift)
        holdReference(false);
    else
        QWidget::keyReleaseEvent(event);
}

bool CompareView::eventFilter(QObject* watched, QEvent* event)
{
    // Shift counts wherever the focus is, as long as the mouse points here; and it is let go when
    // the window loses the keyboard, because the release then goes elsewhere.
    if (event->type() == QEvent::KeyPress && underMouse() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Shift)
        holdReference(true);
    else if (event->type() == QEvent::KeyRelease &&
             static_cast<QKeyEvent*>(event)->key() == Qt::Key_Shift)
        holdReference(false);
    else if (event->type() == QEvent::ApplicationDeactivate)
        holdReference(false);
    return QWidget::eventFilter(watched, event);
}

void CompareView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && !isActiveWindow())
        holdReference(false);
    QWidget::changeEvent(event);
}

}  // namespace qs::widgets
