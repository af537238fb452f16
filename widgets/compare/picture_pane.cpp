#include "widgets/compare/picture_pane.h"

#include "widgets/compare/caption_flow.h"
#include "widgets/models/plain_tip.h"

#include <QFontMetrics>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kMargin = 3;
const QColor kMarkColour(255, 214, 0);
const QColor kRegionColour(0, 229, 255);

// One line in two colours is seen on any picture.
void drawContrastingLine(QPainter& painter, const QLineF& line)
{
    painter.setPen(QPen(QColor(0, 0, 0, 160), 3));
    painter.drawLine(line);
    painter.setPen(QPen(Qt::white, 1));
    painter.drawLine(line);
}

void drawTag(QPainter& painter, const QPointF& corner, Qt::Alignment side, const QString& text,
             int room)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const QString shown = metrics.elidedText(text, Qt::ElideRight, room - 10);
    if (room < 24)
        return;
    QRectF box(0, 0, metrics.horizontalAdvance(shown) + 8, metrics.height() + 2);
    box.moveTopLeft(side == Qt::AlignRight ? corner - QPointF(box.width(), 0) : corner);
    painter.fillRect(box, QColor(0, 0, 0, 160));
    painter.setPen(Qt::white);
    painter.drawText(box, Qt::AlignCenter, shown);
}

}  // namespace

PicturePane::PicturePane(SharedView& view, QWidget* parent) : QWidget(parent), m_view(view)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&m_view, &SharedView::changed, this, qOverload<>(&QWidget::update));
    connect(&m_view, &SharedView::cursorChanged, this, qOverload<>(&QWidget::update));
}

void PicturePane::setTitle(const QString& title)
{
    m_title = title;
    updateDescription();
}

void PicturePane::setCaption(const QStringList& lines, const QString& details)
{
    m_caption = lines;
    m_details = details;
    updateDescription();
}

void PicturePane::setContent(PaneImage content)
{
    m_content = std::move(content);
    m_message.clear();
    updateDescription();
}

void PicturePane::setMessage(const QString& message)
{
    m_content = {};
    m_message = message;
    updateDescription();
}

void PicturePane::setSplit(PaneImage left, const QString& leftName, const QString& rightName)
{
    m_left = std::move(left);
    m_leftName = leftName;
    m_rightName = rightName;
    update();
}

void PicturePane::clearSplit()
{
    m_left = {};
    unsetCursor();
    update();
}

void PicturePane::setSplitPosition(double position)
{
    m_splitPosition = std::clamp(position, 0.0, 1.0);
    update();
}

QString PicturePane::valueText(QPoint pixel) const
{
    return m_content.valueAt ? m_content.valueAt(pixel) : QString();
}

void PicturePane::updateDescription()
{
    setAccessibleName(m_title);
    const QString caption = m_caption.join(QLatin1Char('\n'));
    setAccessibleDescription(m_message.isEmpty() ? caption : m_message);
    QStringList tip{m_title};
    for (const QString& part : {caption, m_details}) {
        if (!part.isEmpty())
            tip << part;
    }
    setToolTip(plainTip(tip.join(QLatin1Char('\n'))));
    update();
}

int PicturePane::lineHeight() const
{
    return fontMetrics().height();
}

QFont PicturePane::titleFont() const
{
    QFont bold = font();
    bold.setBold(true);
    return bold;
}

int PicturePane::titleRoom(int width) const
{
    const int taken = m_remove == nullptr ? 0 : lineHeight() + 2;
    return width - 2 * kMargin - taken;
}

int PicturePane::textRowsAt(int width) const
{
    const int room = width - 2 * kMargin;
    qsizetype rows = flowed(m_title, QFontMetrics(titleFont(), this), titleRoom(width)).size();
    for (const QString& line : m_caption)
        rows += flowed(line, fontMetrics(), room).size();
    return std::clamp(static_cast<int>(rows), 1, kMostTextRows);
}

void PicturePane::setTextRows(int rows)
{
    m_textRows = rows;
    update();
}

int PicturePane::valueRows(int width) const
{
    // The longest value: of three channels, one of them beyond 0 … 1.
    const QString longest = QStringLiteral("RGB -0.0000 0.0000 0.0000 · -888 888 888 of 255");
    return flowed(longest, fontMetrics(), width - 2 * kMargin).size() == 1 ? 1 : 0;
}

int PicturePane::textHeight(int width, int rows) const
{
    return (rows + valueRows(width)) * lineHeight() + 2 * kMargin;
}

void PicturePane::setRemovable(const QString& tip)
{
    m_remove = new QToolButton(this);
    m_remove->setObjectName(QStringLiteral("remove"));
    m_remove->setText(QStringLiteral("×"));
    m_remove->setAutoRaise(true);
    m_remove->setToolTip(plainTip(tip));
    m_remove->setAccessibleName(tip);
    m_remove->setCursor(Qt::ArrowCursor);
    // The Delete key does the same: the Tab key goes from pane to pane.
    m_remove->setFocusPolicy(Qt::NoFocus);
    connect(m_remove, &QToolButton::clicked, this, &PicturePane::removeWanted);
}

void PicturePane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_remove == nullptr)
        return;
    const int side = lineHeight() + 2;
    m_remove->setGeometry(width() - side, 0, side, side);
}

QSize PicturePane::sizeHint() const
{
    return {280, 280 + textHeight()};
}

QSize PicturePane::minimumSizeHint() const
{
    return {96, 96 + textHeight()};
}

QRect PicturePane::viewport() const
{
    const int top = m_textRows * lineHeight() + kMargin;
    const int below = valueRows(width()) * lineHeight() + kMargin;
    return {0, top, width(), std::max(0, height() - top - below)};
}

QPointF PicturePane::toPicture(QPointF widgetPoint) const
{
    const QRectF area(viewport());
    return m_view.centre() + (widgetPoint - area.center()) / m_view.scaleIn(area.size());
}

QPointF PicturePane::toWidget(QPointF picturePoint) const
{
    const QRectF area(viewport());
    return area.center() + (picturePoint - m_view.centre()) * m_view.scaleIn(area.size());
}

void PicturePane::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    paintTexts(painter);
    const QRect area = viewport();
    painter.setClipRect(area);
    // A neutral surround: a tinted or stark one would change how the picture is seen.
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    painter.fillRect(area, dark ? QColor(38, 38, 38) : QColor(222, 222, 222));
    if (m_content.isNull()) {
        paintMessage(painter);
    } else {
        paintPictures(painter);
        paintMarks(painter);
    }
    painter.setClipping(false);
    paintValue(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PicturePane::paintTexts(QPainter& painter) const
{
    const int line = lineHeight();
    const int room = width() - 2 * kMargin;
    painter.setPen(palette().color(QPalette::WindowText));
    int row = 0;
    const auto draw = [&](const QString& text, const QFont& font, int limit) {
        painter.setFont(font);
        for (const QString& each : flowed(text, QFontMetrics(font, this), limit)) {
            if (row >= m_textRows)
                return;
            painter.drawText(QRect(kMargin, row * line, limit, line),
                             Qt::AlignVCenter | Qt::AlignLeft, each);
            ++row;
        }
    };
    draw(m_title, titleFont(), titleRoom(width()));
    for (const QString& paragraph : m_caption)
        draw(paragraph, font(), room);
}

void PicturePane::paintValue(QPainter& painter) const
{
    const auto cursor = m_view.cursor();
    if (!cursor)
        return;
    const QPoint pixel(static_cast<int>(std::floor(cursor->x())),
                       static_cast<int>(std::floor(cursor->y())));
    const QStringList lines = flowed(valueText(pixel), fontMetrics(), width() - 2 * kMargin);
    if (lines.isEmpty())
        return;
    painter.setFont(font());
    if (valueRows(width()) == 0)
        return paintValueUpon(painter, lines, pixel);
    const QRect room(kMargin, viewport().bottom() + kMargin, width() - 2 * kMargin, lineHeight());
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, lines.front());
}

void PicturePane::paintValueUpon(QPainter& painter, const QStringList& lines, QPoint pixel) const
{
    const QRect area = viewport();
    const int line = lineHeight();
    QRect box(area.left(), 0, area.width(), static_cast<int>(lines.size()) * line);
    // Not where the cursor is.
    const bool below = toWidget(pixel).y() < area.center().y();
    box.moveTop(below ? area.bottom() + 1 - box.height() : area.top());
    // Nearly opaque: the tags of a split may lie under it.
    painter.fillRect(box, QColor(0, 0, 0, 210));
    painter.setPen(Qt::white);
    QRect room(box.left() + kMargin, box.top(), box.width() - 2 * kMargin, line);
    for (const QString& each : lines) {
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, each);
        room.translate(0, line);
    }
}

void PicturePane::paintPictures(QPainter& painter)
{
    if (!isSplit()) {
        paintImage(painter, m_content);
        return;
    }
    const QRect area = viewport();
    const int x = splitX();
    painter.setClipRect(QRect(QPoint(x, area.top()), area.bottomRight()));
    paintImage(painter, m_content);
    painter.setClipRect(QRect(area.topLeft(), QPoint(x - 1, area.bottom())));
    paintImage(painter, m_left);
    painter.setClipRect(area);
    paintSplitLine(painter);
}

// Paints only what is seen, from the copy nearest in size: the cost is that of the screen.
void PicturePane::paintImage(QPainter& painter, const PaneImage& content) const
{
    const double scale = m_view.scaleIn(viewport().size());
    const QRectF target(toWidget(content.offset), QSizeF(content.image.size()) * scale);
    const QRectF seen = target.intersected(QRectF(viewport()));
    if (seen.isEmpty())
        return;
    const double deviceScale = scale * devicePixelRatioF();
    const QImage& level = content.levelFor(deviceScale);
    const double across = level.width() / target.width();
    const double down = level.height() / target.height();
    // Whole pixels of the copy, so that a part lies exactly where the whole would.
    const QRect source =
        QRectF((seen.left() - target.left()) * across, (seen.top() - target.top()) * down,
               seen.width() * across, seen.height() * down)
            .toAlignedRect()
            .adjusted(-1, -1, 1, 1)
            .intersected(level.rect());
    const QRectF place(target.left() + source.left() / across, target.top() + source.top() / down,
                       source.width() / across, source.height() / down);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, deviceScale < 1.0);
    painter.drawImage(place, level, source);
}

void PicturePane::paintSplitLine(QPainter& painter) const
{
    const QRect area = viewport();
    const double x = splitX();
    drawContrastingLine(painter, QLineF(x, area.top(), x, area.bottom() + 1));
    const QRectF grip(x - 4, area.center().y() - 12, 8, 24);
    painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
    painter.setBrush(Qt::white);
    painter.drawRoundedRect(grip, 3, 3);
    painter.setBrush(Qt::NoBrush);
    painter.setFont(font());
    const double top = area.top() + 4;
    const int left = static_cast<int>(x) - area.left();
    drawTag(painter, {x - 6, top}, Qt::AlignRight, m_leftName, left - 6);
    drawTag(painter, {x + 6, top}, Qt::AlignLeft, m_rightName, area.width() - left - 6);
}

void PicturePane::paintMarks(QPainter& painter) const
{
    const auto frame = [&](const std::optional<QRect>& part, const QColor& colour) {
        if (!part)
            return;
        const QRectF box(toWidget(part->topLeft()),
                         QSizeF(part->size()) * m_view.scaleIn(viewport().size()));
        painter.setPen(QPen(QColor(0, 0, 0, 160), 3));
        painter.drawRect(box);
        painter.setPen(QPen(colour, 1));
        painter.drawRect(box);
    };
    frame(m_view.mark(), kMarkColour);
    frame(m_view.region(), kRegionColour);
    if (const auto cursor = m_view.cursor(); cursor && !underMouse()) {
        const QRectF area(viewport());
        const QPointF at = toWidget(*cursor);
        drawContrastingLine(painter, QLineF(at.x() - 10, at.y(), at.x() + 10, at.y()));
        drawContrastingLine(painter, QLineF(at.x(), at.y() - 10, at.x(), at.y() + 10));
    }
}

void PicturePane::paintMessage(QPainter& painter) const
{
    painter.setFont(font());
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    painter.setPen(dark ? QColor(215, 215, 215) : QColor(48, 48, 48));
    painter.drawText(viewport().adjusted(10, 10, -10, -10), Qt::AlignCenter | Qt::TextWordWrap,
                     m_message);
}

}  // namespace qs::widgets
