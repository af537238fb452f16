#include "widgets/compare/tile_strip_view.h"

#include "widgets/compare/caption_flow.h"
#include "widgets/compare/tile_strip.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kTile = core::kTileSide;  // shown 1:1 in logical pixels
constexpr int kTileGap = 4;
constexpr int kTitleLines = 3;

// The tile, and beside it the title and the score.
class TileDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& /*index*/) const override
    {
        const int line = option.fontMetrics.height();
        const int text =
            option.fontMetrics.horizontalAdvance(QStringLiteral("SSIM 0.0000 (8-bit)"));
        return {kTile + text + 3 * kTileGap,
                std::max(kTile, (kTitleLines + 1) * line) + 2 * kTileGap};
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
        const QRect tile(option.rect.topLeft() + QPoint(kTileGap, kTileGap), QSize(kTile, kTile));
        const auto image = index.data(TileStripModel::TileRole).value<QImage>();
        if (image.isNull())
            painter->fillRect(tile, palette.color(QPalette::AlternateBase));
        else
            painter->drawImage(QRect(tile.topLeft(), image.size()), image);
        painter->setPen(palette.color(QPalette::Mid));
        painter->drawRect(tile.adjusted(0, 0, -1, -1));
        paintBadge(*painter, tile, index.data(TileStripModel::BadgeRole).toString());
        painter->setPen(palette.color(current ? QPalette::HighlightedText : QPalette::Text));
        paintTexts(*painter, option, tile, index);
        painter->restore();
    }

private:
    static void paintBadge(QPainter& painter, const QRect& tile, const QString& badge)
    {
        if (badge.isEmpty())
            return;
        const QFontMetrics metrics = painter.fontMetrics();
        const QRect box(tile.left(), tile.top(), metrics.horizontalAdvance(badge) + 8,
                        metrics.height());
        painter.fillRect(box, QColor(0, 0, 0, 190));
        painter.setPen(Qt::white);
        painter.drawText(box, Qt::AlignCenter, badge);
    }

    static void paintTexts(QPainter& painter, const QStyleOptionViewItem& option, const QRect& tile,
                           const QModelIndex& index)
    {
        const int line = option.fontMetrics.height();
        QRect room(tile.right() + kTileGap, option.rect.top() + kTileGap,
                   option.rect.right() - tile.right() - 2 * kTileGap, line);
        const QStringList lines =
            flowed(index.data(Qt::DisplayRole).toString(), option.fontMetrics, room.width());
        for (const QString& text : lines.mid(0, kTitleLines)) {
            painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
            room.translate(0, line);
        }
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         index.data(TileStripModel::ScoreRole).toString());
    }
};

}  // namespace

TileStripView::TileStripView(QWidget* parent) : QListView(parent)
{
    setObjectName(QStringLiteral("tileStrip"));
    setAccessibleName(tr("The worst tile in every cell"));
    setFlow(QListView::LeftToRight);
    setWrapping(false);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new TileDelegate(this));
    fixHeight();
    connect(this, &QListView::clicked, this,
            [this](const QModelIndex& index) { Q_EMIT chosen(index.row()); });
}

QSize TileStripView::sizeHint() const
{
    const int line = fontMetrics().height();
    return {400, std::max(kTile, (kTitleLines + 1) * line) + 2 * kTileGap +
                     horizontalScrollBar()->sizeHint().height()};
}

void TileStripView::fixHeight()
{
    setFixedHeight(sizeHint().height());
}

void TileStripView::changeEvent(QEvent* event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fixHeight();
}

void TileStripView::keyPressEvent(QKeyEvent* event)
{
    const int row = currentIndex().row();
    const int key = event->key();
    if (row >= 0 && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        Q_EMIT chosen(row);
    } else if (row >= 0 && key >= Qt::Key_1 && key <= Qt::Key_9) {
        Q_EMIT chosenFor(row, key - Qt::Key_0);
    } else if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home ||
               key == Qt::Key_End) {
        QListView::keyPressEvent(event);
    } else {
        // The other keys are those of the comparison, not a search for titles.
        event->ignore();
    }
}

}  // namespace qs::widgets

#include "moc_tile_strip_view.cpp"
