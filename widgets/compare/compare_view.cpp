#include "widgets/compare/compare_view.h"

#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/pane_grid.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/models/cell_text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kTilePart = 0.6;  // of the pane, that a tile jumped to takes

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
    setFocusPolicy(Qt::StrongFocus);
    build();
    connectAll();
    followSelection();
    qApp->installEventFilter(this);
}

CompareView::~CompareView() = default;

QSize CompareView::sizeHint() const
{
    return {920, 560};
}

void CompareView::build()
{
    m_empty = makeLabel(QStringLiteral("emptyState"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_heading = makeLabel(QStringLiteral("heading"));
    QFont bold = m_heading->font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_verdict = makeLabel(QStringLiteral("verdict"));
    m_untrained = makeLabel(QStringLiteral("untrained"));
    m_place = new QLabel;
    m_place->setObjectName(QStringLiteral("place"));
    m_controls = new CompareControls;
    m_grid = new PaneGrid;
    for (PicturePane*& pane : m_panes) {
        pane = new PicturePane(m_view);
        m_grid->addPane(pane);
    }
    m_bar = new ColorBar;
    m_bar->setMaximumWidth(460);
    m_magnify = new QToolButton;
    m_magnify->setObjectName(QStringLiteral("magnify"));
    m_magnify->setToolTip(tr("The map uses less than a tenth of its scale. A magnified scale is "
                             "named at the colour bar."));

    auto* foot = new QHBoxLayout;
    foot->addWidget(m_place, 1);
    foot->addWidget(m_magnify);
    foot->addWidget(m_bar, 2);
    m_page = new QWidget;
    auto* column = new QVBoxLayout(m_page);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    for (QWidget* widget : {static_cast<QWidget*>(m_heading), static_cast<QWidget*>(m_verdict),
                            static_cast<QWidget*>(m_untrained), static_cast<QWidget*>(m_controls)})
        column->addWidget(widget);
    column->addWidget(m_grid, 1);
    column->addLayout(foot);
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
        m_requested = {};
    });
    connect(&m_store, &RunStore::analysisChanged, this, &CompareView::followAnalysis);
    connect(&m_store, &RunStore::selectionChanged, this, &CompareView::followSelection);
    connect(&m_set, &PictureSet::loaded, this, &CompareView::showLoaded);
    connect(&m_set, &PictureSet::loadingChanged, this, &CompareView::showPlace);
    connect(&m_view, &SharedView::changed, this, &CompareView::showPlace);
    connect(&m_view, &SharedView::cursorChanged, this, &CompareView::showPlace);
    connect(m_grid, &PaneGrid::arranged, this, &CompareView::showPlace);
    connect(m_controls, &CompareControls::panesChanged, this, &CompareView::showVisiblePanes);
    connect(m_controls, &CompareControls::mapChanged, this, [this] {
        m_nextTile = 0;
        showMap();
    });
    connect(m_controls, &CompareControls::splitChanged, this, &CompareView::showPaneA);
    connect(m_controls, &CompareControls::pictureChosen, this, &CompareView::choosePicture);
    connect(m_controls, &CompareControls::nextTileWanted, this, &CompareView::showNextWorstTile);
    connect(m_controls, &CompareControls::fitWanted, &m_view, &SharedView::fit);
    connect(m_magnify, &QToolButton::clicked, this, [this] {
        const ComparisonContent& compared = mapComparison();
        if (compared.value == nullptr)
            return;
        if (const auto range =
                clearerRange(mapOf(*compared.value, m_controls->scale().kind), m_controls->scale()))
            m_controls->setRange(*range);
    });
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
    return {.cellId = cellId,
            .unavailable = unavailableText(*cell, m_store.analysis().find(cellId))};
}

PictureRequest CompareView::makeRequest() const
{
    const core::PlannedCell* cell = cellA();
    PictureRequest request;
    request.runFolder = m_store.data().folder;
    request.picture = m_store.selectedPicture();
    if (cell == nullptr)
        return request;
    request.imageSize = cell->config.imageSize;
    request.a = sourceOf(cell->id);
    request.reference = sourceOf(cell->referenceId);
    if (const core::PlannedCell* other = cellB())
        request.b = sourceOf(other->id);
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
    PictureRequest request = makeRequest();
    if (request != m_requested) {
        m_requested = std::move(request);
        m_set.request(m_requested);
    } else {
        showTitles();
    }
}

void CompareView::choosePicture(int picture)
{
    const int count = pictureCount(m_store.data());
    if (count > 0)
        m_store.selectPicture(std::clamp(picture, 0, count - 1));
}

const ComparisonContent& CompareView::mapComparison() const
{
    static const ComparisonContent kNone;
    if (m_set.current() == nullptr)
        return kNone;
    return m_controls->against() == MapAgainst::B ? m_set.current()->aToB
                                                  : m_set.current()->aToReference;
}

void CompareView::showNextWorstTile()
{
    const ComparisonContent& compared = mapComparison();
    // Where everything is equal, no place is the worst.
    if (compared.value == nullptr || compared.value->identical ||
        compared.value->worstTiles.empty())
        return;
    const std::vector<core::Tile>& tiles = compared.value->worstTiles;
    const core::Tile& tile = tiles[m_nextTile % tiles.size()];
    m_nextTile = (m_nextTile + 1) % tiles.size();
    const QRect place(tile.x, tile.y, tile.width, tile.height);
    const QSize area = pane(PaneRole::A).viewport().size();
    const double scale = kTilePart * std::min(area.width(), area.height()) / core::kTileSide;
    m_view.setMark(place);
    m_view.show(QRectF(place).center(), scale);
}

void CompareView::zoomStep(double factor)
{
    const QSizeF area = pane(PaneRole::A).viewport().size();
    m_view.zoomBy(factor, m_view.cursor().value_or(m_view.centre()), area);
}

void CompareView::holdReference(bool held)
{
    if (held == m_referenceHeld)
        return;
    m_referenceHeld = held;
    showPaneA();
}

void CompareView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (key == Qt::Key_Shift)
        holdReference(true);
    else if (key == Qt::Key_N && event->modifiers() == Qt::NoModifier)
        showNextWorstTile();
    else if (key >= Qt::Key_1 && key < Qt::Key_1 + kPaneCount)
        m_controls->togglePane(static_cast<PaneRole>(key - Qt::Key_1));
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
