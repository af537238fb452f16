// Where one looks in a comparison: panes, places and images.
#include "widgets/compare/compare_view.h"

#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/saved_images.h"
#include "widgets/compare/tile_panel.h"

#include <QLabel>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr double kTilePart = 0.6;  // of the pane, that a tile jumped to takes

}  // namespace

void CompareView::showVisiblePanes()
{
    std::vector<const PicturePane*> wanted;
    const auto add = [&wanted](const PicturePane& pane, bool isWanted) {
        if (isWanted)
            wanted.push_back(&pane);
    };
    // A pane without a picture would only take the room of the others; why A has none is said in A.
    const LoadedPictures* loaded = m_set.current().get();
    const auto has = [&](const PaneContent LoadedPictures::*content) {
        return loaded == nullptr || (loaded->*content).picture != nullptr;
    };
    add(m_panes.input(), m_controls->isPaneWanted(PaneRole::Input) && has(&LoadedPictures::input));
    add(m_panes.reference(),
        m_controls->isPaneWanted(PaneRole::Reference) && has(&LoadedPictures::reference));
    const bool maps = m_controls->mode() == CompareMode::Map && !m_hold->isHeld();
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        const bool cell = place == ComparedCells::kA ||
                          (place == ComparedCells::kB ? m_controls->isPaneWanted(PaneRole::B)
                                                      : m_cells.has(place));
        const bool map = maps && m_maps.isWanted(place);
        add(m_panes.picture(place), cell && !map);
        add(m_panes.map(place), cell && map);
    }
    m_legend->setVisible(m_controls->mode() == CompareMode::Map);
    m_panes.showOnly(wanted);
}

void CompareView::showPlace()
{
    QStringList parts;
    if (m_set.isLoading())
        parts << tr("loading …");
    if (const auto cursor = m_view.cursor())
        parts << tr("x %1, y %2")
                     .arg(static_cast<int>(std::floor(cursor->x())))
                     .arg(static_cast<int>(std::floor(cursor->y())));
    const double scale = m_view.scaleIn(m_panes.viewport());
    if (const QString tone = m_tools->toneText(); !tone.isEmpty())
        parts << tone;
    parts << tr("zoom %1 %").arg(QLocale().toString(scale * devicePixelRatioF() * 100.0, 'f', 0));
    if (const auto region = m_view.region())
        parts << tr("region %1 × %2 px").arg(region->width()).arg(region->height());
    m_place->setText(parts.join(QStringLiteral(" · ")));
}

void CompareView::showNextWorstTile()
{
    const ComparisonContent* compared = m_maps.comparison(ComparedCells::kA);
    if (compared == nullptr || compared->value == nullptr)
        return;
    const auto tile = m_tiles->next(*compared->value, m_set.current()->request.picture);
    if (!tile)
        return;
    showStrip();
    const QRect place{tile->x, tile->y, tile->width, tile->height};
    const QSize area = m_panes.viewport();
    m_view.setMark(place);
    m_view.show(QRectF(place).center(),
                kTilePart * std::min(area.width(), area.height()) / core::kTileSide);
    if (m_view.isDrawingRegion()) {
        m_view.setRegion(place);
        m_scorer.score();
    }
}

void CompareView::showAlone(const PicturePane* pane)
{
    m_panes.setAlone(pane);
    showVisiblePanes();
}

void CompareView::toggleLarge(const PicturePane& pane)
{
    const bool back = m_wantsRoom && m_panes.isAlone(pane);
    if (back || !m_panes.isAlone(pane))
        showAlone(&pane);
    setWantsRoom(!back);
}

void CompareView::setWantsRoom(bool wanted)
{
    if (std::exchange(m_wantsRoom, wanted) != wanted)
        Q_EMIT roomWanted(wanted);
}

void CompareView::showNearest()
{
    const core::PlannedCell* a = m_cells.cell(ComparedCells::kA);
    const core::PlannedCell* nearest =
        a == nullptr
            ? nullptr
            : nearestSaved(m_store.data(), m_store.analysis(), *a, m_store.selectedPicture());
    if (nearest != nullptr)
        m_store.selectCell(QString::fromStdString(nearest->id));
}

void CompareView::choosePicture(int picture)
{
    const int count = pictureCount(m_store.data());
    if (count > 0)
        m_store.selectPicture(std::clamp(picture, 0, count - 1));
}

}  // namespace qs::widgets
