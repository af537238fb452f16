#include "widgets/compare/compare_view.h"

#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_heading.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/saved_images.h"
#include "widgets/compare/tile_panel.h"
#include "widgets/compare/values_view.h"

#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

// No cell has been compared with another, and cells are still to come.
bool waitsForOutputs(const RunStore& store)
{
    const auto& cells = store.analysis().cells;
    const auto compared = [](const core::CellSummary& summary) {
        return summary.quality.has_value();
    };
    const auto isToCome = [](const core::CellSummary& summary) {
        return summary.cell != nullptr && summary.cell->possible() && summary.environmentId.empty();
    };
    return std::none_of(cells.begin(), cells.end(), compared) &&
           std::any_of(cells.begin(), cells.end(), isToCome);
}

QString emptyText(const RunStore& store)
{
    if (store.isEmpty())
        return CompareView::tr("Open a run or start one to see its outputs.");
    const auto& cells = store.data().plan.cells;
    const bool images = std::any_of(cells.begin(), cells.end(), [](const auto& cell) {
        return cell.output == core::OutputKind::Image;
    });
    if (waitsForOutputs(store))
        return images ? CompareView::tr("Images appear here once a cell has been compared with its "
                                        "reference.")
                      : CompareView::tr("Outputs appear here once a cell has been compared with "
                                        "its reference.");
    return images ? CompareView::tr("Click a point or a row to see its images.")
                  : CompareView::tr("Click a point or a row to see its outputs.");
}

}  // namespace

CompareView::CompareView(RunStore& store, QWidget* parent, PictureSet::Loader loader)
    : QWidget(parent),
      m_store(store),
      m_cells(store),
      m_set(nullptr, std::move(loader)),
      m_scorer(m_view, m_cells, m_set),
      m_grid(new PaneGrid),
      m_controls(new CompareControls),
      m_panes(*m_grid, m_view),
      m_maps(m_cells, m_set, *m_controls, m_panes),
      m_contents({store, m_cells, m_set, m_view, m_scorer, m_tones}, m_panes),
      m_heading(new CompareHeading),
      m_legend(new ColorBar),
      m_tiles(new TilePanel(store, m_cells)),
      m_stack(new QStackedWidget),
      m_empty(makeParagraph(QStringLiteral("emptyState"))),
      m_page(new QWidget),
      m_values(new ValuesView(store, m_cells)),
      m_place(new QLabel),
      m_hold(std::make_unique<ReferenceHold>(*this))
{
    setFocusPolicy(Qt::ClickFocus);
    build();
    connectSources();
    connectControls();
    m_tools = new CompareTools({store, m_cells, m_view, m_panes, *m_controls, m_tones}, *this);
    connect(&m_tones, &TonedImages::changed, this, [this] {
        showCells();
        showPlace();
    });
    followAnalysis();
}

QSize CompareView::sizeHint() const
{
    return {920, 560};
}

void CompareView::build()
{
    m_empty->setAlignment(Qt::AlignCenter);
    m_place->setObjectName(QStringLiteral("place"));
    auto* texts = new QVBoxLayout;
    texts->setContentsMargins(0, 0, 0, 0);
    texts->setSpacing(0);
    texts->addWidget(m_heading);
    texts->addWidget(m_place);
    // As high as the highest that can stand in it: what a mode needs must not move the panes.
    auto* foot = new QWidget;
    foot->setFixedHeight(std::max(m_legend->sizeHint().height(),
                                  m_heading->sizeHint().height() + m_place->sizeHint().height()));
    auto* footRow = new QHBoxLayout(foot);
    footRow->setContentsMargins(0, 0, 0, 0);
    footRow->addLayout(texts, 2);
    footRow->addWidget(m_controls->modeChoices());
    footRow->addWidget(m_legend, 1);
    footRow->addWidget(m_heading->detailsButton());
    auto* column = new QVBoxLayout(m_page);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(4);
    column->addWidget(m_controls);
    column->addWidget(m_grid, 1);
    column->addWidget(foot);
    column->addWidget(m_tiles);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_values);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
}

void CompareView::connectSources()
{
    connect(&m_store, &RunStore::runReplaced, this, [this] {
        m_set.clear();
        m_maps.clear();
        m_values->clear();
        m_requested = {};
    });
    connect(&m_store, &RunStore::analysisChanged, this, &CompareView::followAnalysis);
    connect(&m_store, &RunStore::selectionChanged, this, [this] {
        m_hold->letGo();
        followAnalysis();
    });
    for (const auto other : {&OtherRuns::changed, &OtherRuns::shownChanged})
        connect(&m_store.others(), other, this, &CompareView::followAnalysis);
    connect(&m_cells, &ComparedCells::pinsChanged, this, [this] {
        m_maps.draw();
        followAnalysis();
    });
    connect(&m_set, &PictureSet::loaded, this, &CompareView::showLoaded);
    connect(&m_set, &PictureSet::loadingChanged, this, &CompareView::showPlace);
    connect(&m_maps, &CompareMaps::shown, this, [this] {
        m_legend->setScale(m_maps.scale(), m_maps.isClipped());
        showVisiblePanes();
    });
    connect(&m_scorer, &RegionScorer::scored, this, &CompareView::showCells);
    connect(m_hold.get(), &ReferenceHold::changed, this, &CompareView::showCells);
    connect(&m_view, &SharedView::changed, this, &CompareView::showPlace);
    connect(&m_view, &SharedView::cursorChanged, this, &CompareView::showPlace);
    connect(m_grid, &PaneGrid::arranged, this, &CompareView::showPlace);
    connect(&m_panes.picture(ComparedCells::kA), &PicturePane::offerTaken, this,
            &CompareView::showNearest);
    connect(&m_panes, &ComparePanes::regionDrawn, &m_scorer, &RegionScorer::score);
    connect(&m_panes, &ComparePanes::removeWanted, &m_cells, &ComparedCells::unpin);
    connect(&m_panes, &ComparePanes::aloneWanted, this,
            [this](const PicturePane* pane) { toggleLarge(*pane); });
    connect(m_tiles, &TilePanel::cellChosen, &m_cells, &ComparedCells::togglePinned);
    connect(m_tiles, &TilePanel::cellChosenFor, &m_cells, &ComparedCells::pin);
    connect(m_heading, &CompareHeading::measuredWanted, this, &CompareView::measuredWanted);
    connect(m_values, &ValuesView::measuredWanted, this, &CompareView::measuredWanted);
    connect(m_values, &ValuesView::largeToggled, this, &CompareView::setWantsRoom);
    connect(this, &CompareView::roomWanted, m_values, &ValuesView::setLarge);
}

void CompareView::connectControls()
{
    const auto drawMaps = [this] {
        m_maps.draw();
        showVisiblePanes();
    };
    connect(m_controls, &CompareControls::panesChanged, this, drawMaps);
    connect(m_controls, &CompareControls::mapChanged, this, drawMaps);
    connect(m_controls, &CompareControls::modeChanged, this, [this](CompareMode mode) {
        m_hold->setBlinking(mode == CompareMode::Blink);
        showCells();
    });
    connect(m_controls, &CompareControls::splitChanged, this, &CompareView::showSplit);
    connect(m_controls, &CompareControls::pictureChosen, this, &CompareView::choosePicture);
    connect(m_controls, &CompareControls::nextTileWanted, this, &CompareView::showNextWorstTile);
    connect(m_controls, &CompareControls::fitWanted, &m_view, &SharedView::fit);
    connect(m_controls, &CompareControls::wholePixelsWanted, this,
            [this] { m_view.show(m_view.centre(), 1.0 / devicePixelRatioF()); });
    connect(m_controls, &CompareControls::keepWanted, this,
            [this] { m_cells.togglePinned(m_store.selectedCell()); });
    connect(m_controls, &CompareControls::largeToggled, this, &CompareView::setWantsRoom);
    connect(this, &CompareView::roomWanted, m_controls, &CompareControls::setLarge);
    connect(m_controls, &CompareControls::stripToggled, this, &CompareView::showStrip);
    connect(m_controls, &CompareControls::regionToggled, this, [this](bool on) {
        m_scorer.setOn(on);
        showCells();
    });
}

void CompareView::followAnalysis()
{
    const core::PlannedCell* a = m_cells.cell(ComparedCells::kA);
    const bool images = a != nullptr && a->output == core::OutputKind::Image;
    QWidget* others = a == nullptr ? static_cast<QWidget*>(m_empty) : m_values;
    m_stack->setCurrentWidget(images ? m_page : others);
    if (!images) {
        m_view.setCursor(std::nullopt);
        if (a == nullptr)
            m_empty->setText(emptyText(m_store));
        else
            m_values->showCells();
        return;
    }
    m_heading->showCell(m_store.analysis(), *a);
    QStringList names;
    for (int i = 0; i < pictureCount(m_store.data()); ++i)
        names << pictureName(m_store.data(), *a, m_cells.environment(), i);
    m_controls->setPictures(names, m_store.selectedPicture());
    m_controls->setBAvailable(m_cells.has(ComparedCells::kB), m_store.others().shown() != nullptr);
    m_contents.judge();
    PictureRequest request = m_cells.pictureRequest();
    if (request != m_requested) {
        m_requested = std::move(request);
        m_set.request(m_requested);
    }
    if (m_set.current() == nullptr) {
        m_contents.showWaiting();
        showVisiblePanes();
        return;
    }
    showCells();
    showStrip();
}

void CompareView::showLoaded()
{
    const LoadedPictures& loaded = *m_set.current();
    m_tiles->restart();
    const QSize before = m_view.pictureSize();
    for (const PaneContent* content : {&loaded.a, &loaded.reference, &loaded.input}) {
        if (content->picture != nullptr) {
            m_view.setPictureSize({content->picture->width, content->picture->height});
            break;
        }
    }
    if (before != m_view.pictureSize() || m_tiles->picture() != loaded.request.picture)
        m_tiles->forgetTile();
    m_view.setMark(m_tiles->frame());
    m_maps.draw();
    showCells();
    showStrip();
    m_scorer.score();
    showPlace();
}

void CompareView::showCells()
{
    if (m_set.current() == nullptr)
        return;
    m_controls->setSplitChoices(m_contents.splitNames());
    m_contents.show(!m_hold->isHeld()     ? std::nullopt
                    : m_hold->isKeyHeld() ? std::optional(0)
                                          : std::optional(m_controls->splitLeft()));
    showSplit();
    showVisiblePanes();
}

void CompareView::showSplit()
{
    const bool split = m_controls->mode() == CompareMode::Wipe && !m_hold->isHeld();
    m_contents.showSplit(split ? std::optional(m_controls->splitLeft()) : std::nullopt);
}

void CompareView::showStrip()
{
    m_tiles->showStrip(m_controls->isStripWanted());
}

bool CompareView::isBusy() const
{
    return m_set.isLoading() || m_maps.isBusy() || m_scorer.isBusy() || m_tiles->strip().isBusy() ||
           m_export.isBusy() || m_tones.isBusy() || m_values->isBusy();
}

void CompareView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (m_stack->currentWidget() == m_values)
        m_values->setFocus(event->reason());
    else if (PicturePane& a = m_panes.seen(ComparedCells::kA); a.isVisible())
        a.setFocus(event->reason());
}

}  // namespace qs::widgets

#include "moc_compare_view.cpp"
