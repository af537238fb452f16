#include "widgets/compare/compare_view.h"

#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/pane_grid.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/compare/tile_strip_view.h"
#include "widgets/models/cell_text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

QLabel* makeLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

CompareView::CompareView(RunStore& store, QWidget* parent, PictureSet::Loader loader)
    : QWidget(parent), m_store(store), m_set(nullptr, std::move(loader))
{
    setFocusPolicy(Qt::ClickFocus);
    build();
    connectAll();
    connectTools();
    followSelection();
    qApp->installEventFilter(this);
}

CompareView::~CompareView() = default;

QSize CompareView::sizeHint() const
{
    return {920, 560};
}

PicturePane& CompareView::pane(PaneRole role) const
{
    switch (role) {
    case PaneRole::Input:
        return *m_input;
    case PaneRole::Reference:
        return *m_reference;
    case PaneRole::A:
        return *m_cells[kA].picture;
    case PaneRole::B:
        return *m_cells[kB].picture;
    case PaneRole::Map:
        break;
    }
    return *m_cells[kA].map;
}

PicturePane& CompareView::pinnedPane(int pin) const
{
    return *m_cells.at(static_cast<std::size_t>(kFirstPin + pin - 1)).picture;
}

PicturePane& CompareView::pinnedMap(int pin) const
{
    return *m_cells.at(static_cast<std::size_t>(kFirstPin + pin - 1)).map;
}

void CompareView::buildPanes()
{
    m_grid = new PaneGrid;
    const auto add = [this](const QString& name) {
        auto* pane = new PicturePane(m_view);
        pane->setObjectName(name);
        pane->hide();
        m_grid->addPane(pane);
        connect(pane, &PicturePane::regionDrawn, this, &CompareView::scoreRegion);
        return pane;
    };
    m_input = add(QStringLiteral("input"));
    m_reference = add(QStringLiteral("reference"));
    for (int cell = 0; cell < kCells; ++cell) {
        CellPanes& panes = m_cells[static_cast<std::size_t>(cell)];
        panes.picture = add(QStringLiteral("picture") + cellLabel(cell));
        if (cell < kFirstPin)
            continue;
        const int pin = cell - kFirstPin + 1;
        panes.picture->setRemovable(tr("Remove this pane (%1, or Delete)").arg(pin));
        connect(panes.picture, &PicturePane::removeWanted, this, [this, pin] { unpin(pin); });
    }
    // The maps after the pictures, in the same order.
    for (int cell = 0; cell < kCells; ++cell)
        m_cells[static_cast<std::size_t>(cell)].map = add(QStringLiteral("map") + cellLabel(cell));
}

QLayout* CompareView::buildFoot()
{
    m_place = new QLabel;
    m_place->setObjectName(QStringLiteral("place"));
    m_bar = new ColorBar;
    m_bar->setMaximumWidth(460);
    m_magnify = new QToolButton;
    m_magnify->setObjectName(QStringLiteral("magnify"));
    m_magnify->setToolTip(tr("The maps use less than a tenth of their scale. A magnified scale is "
                             "named at the colour bar."));
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_place, 1);
    foot->addWidget(m_magnify);
    foot->addWidget(m_bar, 2);
    return foot;
}

void CompareView::build()
{
    m_empty = makeLabel(QStringLiteral("emptyState"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_heading = makeLabel(QStringLiteral("heading"));
    m_untrained = makeLabel(QStringLiteral("untrained"));
    m_controls = new CompareControls;
    buildPanes();
    m_stripTitle = makeLabel(QStringLiteral("stripTitle"));
    m_stripView = new TileStripView;
    m_stripView->setModel(&m_strip);

    m_page = new QWidget;
    auto* column = new QVBoxLayout(m_page);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(m_heading, 1);
    auto* measured = new QToolButton;
    measured->setObjectName(QStringLiteral("howMeasured"));
    measured->setText(tr("How measured?"));
    measured->setToolTip(tr("Phases, samples, clocks and every figure of A"));
    measured->setFocusPolicy(Qt::TabFocus);
    measured->setAutoRaise(true);
    connect(measured, &QToolButton::clicked, this, &CompareView::measuredWanted);
    head->addWidget(measured);
    column->addLayout(head);
    for (QWidget* widget : {static_cast<QWidget*>(m_untrained), static_cast<QWidget*>(m_controls)})
        column->addWidget(widget);
    column->addWidget(m_grid, 1);
    column->addLayout(buildFoot());
    column->addWidget(m_stripTitle);
    column->addWidget(m_stripView);
    m_stripTitle->hide();
    m_stripView->hide();
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
}

void CompareView::connectAll()
{
    connect(&m_store, &RunStore::runReplaced, this, [this] {
        m_set.clear();
        m_maps.clear();
        m_strip.clear();
        m_tile.reset();
        m_pinned.fill({});
        m_requested = {};
    });
    connect(&m_store, &RunStore::analysisChanged, this, &CompareView::followAnalysis);
    connect(&m_store, &RunStore::selectionChanged, this, &CompareView::followSelection);
    connect(&m_set, &PictureSet::loaded, this, &CompareView::showLoaded);
    connect(&m_set, &PictureSet::loadingChanged, this, &CompareView::showPlace);
    connect(&m_maps, &MapDrawer::drawn, this, &CompareView::showMaps);
    connect(&m_scorer, &RegionScorer::scored, this, &CompareView::showCells);
    connect(&m_view, &SharedView::changed, this, &CompareView::showPlace);
    connect(&m_view, &SharedView::cursorChanged, this, &CompareView::showPlace);
    connect(m_grid, &PaneGrid::arranged, this, &CompareView::showPlace);
}

void CompareView::connectTools()
{
    connect(m_controls, &CompareControls::panesChanged, this, [this] {
        drawMaps();
        showVisiblePanes();
    });
    connect(m_controls, &CompareControls::mapChanged, this, [this] {
        m_nextTile = 0;
        drawMaps();
        showVisiblePanes();
    });
    connect(m_controls, &CompareControls::splitChanged, this, &CompareView::showSplit);
    connect(m_controls, &CompareControls::pictureChosen, this, &CompareView::choosePicture);
    connect(m_controls, &CompareControls::nextTileWanted, this, &CompareView::showNextWorstTile);
    connect(m_controls, &CompareControls::fitWanted, &m_view, &SharedView::fit);
    connect(m_controls, &CompareControls::keepWanted, this,
            [this] { togglePinned(m_store.selectedCell()); });
    connect(m_controls, &CompareControls::stripToggled, this, &CompareView::showStrip);
    connect(m_controls, &CompareControls::regionToggled, this, &CompareView::setRegionMode);
    connect(m_stripView, &TileStripView::chosen, this,
            [this](int row) { togglePinned(m_strip.cellAt(row)); });
    connect(m_stripView, &TileStripView::chosenFor, this,
            [this](int row, int pin) { pinCell(pin, m_strip.cellAt(row)); });
    connect(m_magnify, &QToolButton::clicked, this, [this] { m_controls->setRange(m_clearer); });
}

const core::PlannedCell* CompareView::cellA() const
{
    return m_store.data().plan.find(m_store.selectedCell().toStdString());
}

std::string CompareView::referenceId() const
{
    const core::PlannedCell* cell = cellA();
    return cell == nullptr ? std::string() : cell->referenceId;
}

const core::PlannedCell* CompareView::cellB() const
{
    const std::string id = m_store.comparedCell().toStdString();
    return id == referenceId() ? nullptr : m_store.data().plan.find(id);
}

OutputSource CompareView::sourceOf(const std::string& cellId) const
{
    const core::PlannedCell* cell = m_store.data().plan.find(cellId);
    if (cell == nullptr)
        return {};
    OutputSource source{.cellId = cellId,
                        .folder = m_store.analysis().outputs.subfolder(cellId, environment()),
                        .unavailable = unavailableText(*cell, m_store.analysis().find(cellId))};
    if (source.unavailable.isEmpty())
        source.unavailable = whyNotBesideA(*cell);
    return source;
}

std::string CompareView::environment() const
{
    const core::PlannedCell* cell = cellA();
    if (cell == nullptr)
        return {};
    // A cell without rows has no pictures, its reference may have.
    for (const std::string& id : {cell->id, cell->referenceId}) {
        const core::CellSummary* summary = m_store.analysis().find(id);
        if (summary != nullptr && !summary->environmentId.empty())
            return summary->environmentId;
    }
    return {};
}

QString CompareView::whyNotBesideA(const core::PlannedCell& cell) const
{
    // The panes show equal places: pictures of another size have none.
    const core::PlannedCell* shown = cellA();
    if (cell.config.imageSize() != shown->config.imageSize())
        return tr("This cell has pictures of %1 px, A of %2 px: they cannot be laid upon each "
                  "other.")
            .arg(cell.config.imageSize())
            .arg(shown->config.imageSize());
    const core::Analysis& analysis = m_store.analysis();
    const core::CellSummary* summary = analysis.find(cell.id);
    if (summary == nullptr || summary->environmentId == environment())
        return {};
    // Of the reference nothing else is shown: what it gave beside A will do.
    if (cell.id == referenceId() && analysis.outputs.pictures(cell.id, environment()) > 0)
        return {};
    return tr("This cell was measured in another environment than A: pictures of different "
              "machines are not laid beside each other.");
}

PictureRequest CompareView::makeRequest() const
{
    const core::PlannedCell* cell = cellA();
    PictureRequest request;
    request.runFolder = m_store.data().folder;
    request.picture = m_store.selectedPicture();
    if (cell == nullptr)
        return request;
    request.imageSize = cell->config.imageSize();
    request.a = sourceOf(cell->id);
    request.reference = sourceOf(cell->referenceId);
    if (const core::PlannedCell* other = cellB())
        request.b = sourceOf(other->id);
    for (const std::string& pinned : m_pinned) {
        if (!pinned.empty())
            request.pinned.push_back(sourceOf(pinned));
    }
    return request;
}

void CompareView::followSelection()
{
    followAnalysis();
    if (cellA() == nullptr)
        m_view.setCursor(std::nullopt);
}

void CompareView::followAnalysis()
{
    if (cellA() == nullptr) {
        m_empty->setText(m_store.isEmpty() ? tr("Open a run or start one to see its pictures.")
                                           : tr("Click a point or a row to see its pictures."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_stack->setCurrentWidget(m_page);
    showHeading();
    showPictureNames();
    m_controls->setBAvailable(cellB() != nullptr);
    judge();
    PictureRequest request = makeRequest();
    if (request != m_requested) {
        m_requested = std::move(request);
        m_set.request(m_requested);
    }
    if (m_set.current() == nullptr) {
        // The first pictures of a run: until they are there, say so.
        for (PicturePane* waiting : {m_input, m_reference, m_cells[kA].picture})
            waiting->setMessage(tr("loading …"));
        showVisiblePanes();
        return;
    }
    showFixedTitles();
    showCells();
    showStrip();
}

void CompareView::choosePicture(int picture)
{
    const int count = pictureCount(m_store.data());
    if (count > 0)
        m_store.selectPicture(std::clamp(picture, 0, count - 1));
}

bool CompareView::isBusy() const
{
    return m_set.isLoading() || m_maps.isBusy() || m_scorer.isBusy() || m_strip.isBusy() ||
           m_export.isBusy();
}

}  // namespace qs::widgets
