#include "widgets/compare/image_sheet.h"

#include "widgets/compare/compare_text.h"
#include "widgets/compare/saved_images.h"
#include "widgets/layout/screen_room.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"

#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <optional>

namespace qs::widgets {

namespace {

constexpr int kSheetGap = 6;
constexpr std::size_t kMostLooks = 1000;

// The image with two lines under it.
class SheetDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& /*index*/) const override
    {
        return {ImageSheetModel::kSide + 2 * kSheetGap,
                ImageSheetModel::kSide + 3 * kSheetGap + 2 * option.fontMetrics.height()};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const QPalette& palette = option.palette;
        const bool current = (option.state & QStyle::State_Selected) != 0;
        painter->save();
        if (current)
            painter->fillRect(option.rect, palette.color(QPalette::Highlight));
        else if ((option.state & QStyle::State_MouseOver) != 0)
            painter->fillRect(option.rect, palette.color(QPalette::AlternateBase));
        const QRect room(option.rect.topLeft() + QPoint(kSheetGap, kSheetGap),
                         QSize(ImageSheetModel::kSide, ImageSheetModel::kSide));
        const auto image = index.data(ImageSheetModel::ImageRole).value<QImage>();
        if (image.isNull()) {
            painter->fillRect(room, palette.color(QPalette::AlternateBase));
        } else {
            const QSize size = image.size().scaled(room.size(), Qt::KeepAspectRatio);
            painter->drawImage(QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, size, room),
                               image);
        }
        painter->setPen(palette.color(current ? QPalette::HighlightedText : QPalette::Text));
        QRect line(room.left(), room.bottom() + kSheetGap, room.width(),
                   option.fontMetrics.height());
        for (const int role : {int{Qt::DisplayRole}, int{ImageSheetModel::ScoreRole}}) {
            painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                              option.fontMetrics.elidedText(index.data(role).toString(),
                                                            Qt::ElideRight, line.width()));
            line.translate(0, line.height());
        }
        painter->restore();
    }
};

// The metric that verdicts on these outputs are made of.
const core::OutputMetric& metricOf(const core::PlannedCell& cell)
{
    return core::metricRegistry().distanceOf(cell.output);
}

std::optional<double> figureOf(const core::RunData& data, const core::PlannedCell& cell,
                               const std::string& environment, int picture)
{
    const core::OutputQuality* quality =
        findQuality(data, {cell.id, cell.referenceId, environment, picture});
    if (quality == nullptr)
        return std::nullopt;
    return quality->identical ? std::optional(metricOf(cell).identical)
                              : quality->find(metricOf(cell).name);
}

QString scoreText(const core::PlannedCell& cell, const std::optional<double>& figure)
{
    if (cell.referenceId == cell.id)
        return ImageSheet::tr("reference");
    if (!figure)
        return ImageSheet::tr("not compared");
    return QStringLiteral("%1 %2").arg(QString::fromStdString(metricOf(cell).title),
                                       significantText(*figure, metricOf(cell).digits + 1));
}

}  // namespace

ImageSheet::ImageSheet(RunStore& store, const ComparedCells& cells, QWidget* parent)
    : QDialog(parent), m_store(store), m_cells(cells)
{
    setObjectName(QStringLiteral("imageSheet"));
    setWindowTitle(tr("Images of the run"));
    build();
    connect(&m_store, &RunStore::selectionChanged, this, &ImageSheet::refresh);
    connect(&m_store, &RunStore::runReplaced, this, &ImageSheet::refresh);
}

void ImageSheet::build()
{
    m_kinds = new QTabBar;
    m_kinds->setObjectName(QStringLiteral("sheetKinds"));
    m_kinds->addTab(tr("This image in all cells"));
    m_kinds->addTab(tr("Worst images of this cell"));
    m_kinds->setExpanding(false);
    m_title = new QLabel;
    m_title->setObjectName(QStringLiteral("sheetTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_view = new QListView;
    m_view->setObjectName(QStringLiteral("sheetView"));
    m_view->setAccessibleName(tr("Images"));
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new SheetDelegate(m_view));
    m_view->setViewMode(QListView::IconMode);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setMovement(QListView::Static);
    m_view->setUniformItemSizes(true);
    m_view->setMouseTracking(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_kinds);
    column->addWidget(m_title);
    column->addWidget(m_view, 1);
    resizeWithinScreen(*this, {5 * (ImageSheetModel::kSide + 3 * kSheetGap), 640});
    connect(m_kinds, &QTabBar::currentChanged, this, &ImageSheet::refresh);
    for (const auto signal : {&QListView::clicked, &QListView::activated})
        connect(m_view, signal, this, [this](const QModelIndex& index) { choose(index.row()); });
}

ImageSheet::Kind ImageSheet::kind() const
{
    return m_kinds->currentIndex() == 0 ? Kind::Cells : Kind::WorstImages;
}

void ImageSheet::showKind(Kind kind)
{
    m_kinds->setCurrentIndex(kind == Kind::Cells ? 0 : 1);
    show();
    raise();
    activateWindow();
}

void ImageSheet::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    refresh();
}

// Only of those that can be laid beside the selected one.
std::vector<SheetEntry> ImageSheet::allCells() const
{
    std::vector<SheetEntry> entries;
    const int picture = m_store.selectedPicture();
    const std::string environment = m_cells.environment();
    for (const StripCell& each : m_cells.stripRequest(picture, {}).cells) {
        const core::PlannedCell* cell = m_store.data().plan.find(each.cellId);
        if (cell == nullptr || !each.unavailable.isEmpty())
            continue;
        // A run keeps the images of few cells; of very many the file system is not asked here.
        if (m_store.data().plan.cells.size() <= kMostLooks &&
            !isSaved(m_store.data(), m_store.analysis(), each.cellId, picture))
            continue;
        entries.push_back(
            {.source = {.cellId = each.cellId, .folder = each.folder},
             .picture = picture,
             .title = each.title,
             .score = scoreText(*cell, figureOf(m_store.data(), *cell, environment, picture))});
    }
    return entries;
}

std::vector<SheetEntry> ImageSheet::worstImages() const
{
    const core::PlannedCell* a = m_cells.cell(ComparedCells::kA);
    if (a == nullptr)
        return {};
    const std::string environment = m_cells.environment();
    std::vector<std::pair<double, SheetEntry>> found;
    for (int picture = 0; picture < pictureCount(m_store.data()); ++picture) {
        const auto figure = figureOf(m_store.data(), *a, environment, picture);
        // What was never compared comes last.
        const double distance =
            figure ? metricOf(*a).distance(*figure) : -std::numeric_limits<double>::infinity();
        found.push_back({distance,
                         {.source = m_cells.pictureRequest().a,
                          .picture = picture,
                          .title = pictureName(m_store.data(), picture),
                          .score = scoreText(*a, figure)}});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
    std::vector<SheetEntry> entries;
    for (auto& [distance, entry] : found) {
        if (entries.size() < kMostWorst)
            entries.push_back(std::move(entry));
    }
    return entries;
}

void ImageSheet::refresh()
{
    if (!isVisible())
        return;
    const core::PlannedCell* a = m_cells.cell(ComparedCells::kA);
    if (a == nullptr || a->output != core::OutputKind::Image) {
        m_model.show({}, {});
        m_title->setText(tr("Select a cell that makes images."));
        return;
    }
    const bool all = kind() == Kind::Cells;
    m_model.show(m_store.data().folder, all ? allCells() : worstImages());
    m_title->setText(
        all ? tr("%1 in %2 cells: click one to select its cell")
                  .arg(pictureName(m_store.data(), m_store.selectedPicture()))
                  .arg(m_model.rowCount())
            : tr("%1, the worst image first: click one to look at it").arg(cellTitle(*a)));
    selectCurrent();
}

void ImageSheet::selectCurrent()
{
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const SheetEntry& entry = m_model.entry(row);
        const bool current = kind() == Kind::Cells ? QString::fromStdString(entry.source.cellId) ==
                                                         m_store.selectedCell()
                                                   : entry.picture == m_store.selectedPicture();
        if (current)
            m_view->setCurrentIndex(m_model.index(row));
    }
}

void ImageSheet::choose(int row)
{
    const SheetEntry entry = m_model.entry(row);
    if (kind() == Kind::Cells)
        m_store.selectCell(QString::fromStdString(entry.source.cellId));
    else
        m_store.selectPicture(entry.picture);
}

}  // namespace qs::widgets

#include "moc_image_sheet.cpp"
