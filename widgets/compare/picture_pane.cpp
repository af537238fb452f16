#include "widgets/compare/picture_pane.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kMargin = 3;
constexpr int kSplitGrip = 6;        // logical pixels around the line that take hold of it
constexpr double kSplitStep = 0.02;  // of the width, per press of an arrow key
constexpr double kPanStep = 0.1;     // of the viewport

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

void PicturePane::setCaption(const QStringList& lines)
{
    m_caption = lines;
    updateDescription();
}

void PicturePane::setContent(PaneImage content)
{
    m_content = std::move(content);
    m_message.clear();
    m_shrunkContent = {};
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
    m_shrunkLeft = {};
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
    setToolTip(caption.isEmpty() ? m_title : m_title + QLatin1Char('\n') + caption);
    update();
}

int PicturePane::lineHeight() const
{
    return fontMetrics().height();
}

int PicturePane::textHeight() const
{
    return (kCaptionLines + 2) * lineHeight() + 2 * kMargin;
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
    const int top = (kCaptionLines + 1) * lineHeight() + kMargin;
    return {0, top, width(), std::max(0, height() - top - lineHeight() - kMargin)};
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
    if (hasFocus()) {
        painter.setClipping(false);
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PicturePane::paintTexts(QPainter& painter) const
{
    const int line = lineHeight();
    const int room = width() - 2 * kMargin;
    const auto draw = [&](int top, const QString& text, const QFont& font) {
        painter.setFont(font);
        const QString shown = QFontMetrics(font, this).elidedText(text, Qt::ElideRight, room);
        painter.drawText(QRect(kMargin, top, room, line), Qt::AlignVCenter | Qt::AlignLeft, shown);
    };
    QFont bold = font();
    bold.setBold(true);
    painter.setPen(palette().color(QPalette::WindowText));
    draw(0, m_title, bold);
    for (int i = 0; i < std::min<int>(kCaptionLines, static_cast<int>(m_caption.size())); ++i)
        draw((i + 1) * line, m_caption[i], font());
    if (const auto cursor = m_view.cursor()) {
        const QPoint pixel(static_cast<int>(std::floor(cursor->x())),
                           static_cast<int>(std::floor(cursor->y())));
        draw(height() - line, valueText(pixel), font());
    }
}

void PicturePane::paintPictures(QPainter& painter)
{
    if (!isSplit()) {
        paintImage(painter, m_content, m_shrunkContent);
        return;
    }
    const QRect area = viewport();
    const int x = splitX();
    painter.setClipRect(QRect(QPoint(x, area.top()), area.bottomRight()));
    paintImage(painter, m_content, m_shrunkContent);
    painter.setClipRect(QRect(area.topLeft(), QPoint(x - 1, area.bottom())));
    paintImage(painter, m_left, m_shrunkLeft);
    painter.setClipRect(area);
    paintSplitLine(painter);
}

void PicturePane::paintImage(QPainter& painter, const PaneImage& content, QImage& shrunk) const
{
    const double scale = m_view.scaleIn(viewport().size());
    const QPointF corner = toWidget(content.offset);
    const double ratio = devicePixelRatioF();
    if (scale * ratio >= 1.0) {
        shrunk = {};
        painter.drawImage(QRectF(corner, QSizeF(content.image.size()) * scale), content.image);
        return;
    }
    // Averaged once per scale: the painter's own filter would skip pixels below 1:2.
    const QSize size = (QSizeF(content.image.size()) * scale * ratio).toSize().expandedTo({1, 1});
    if (shrunk.size() != size) {
        shrunk = content.image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        shrunk.setDevicePixelRatio(ratio);
    }
    painter.drawImage(corner, shrunk);
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
    if (const auto mark = m_view.mark()) {
        const QRectF box(toWidget(mark->topLeft()),
                         QSizeF(mark->size()) * m_view.scaleIn(viewport().size()));
        painter.setPen(QPen(QColor(0, 0, 0, 160), 3));
        painter.drawRect(box);
        painter.setPen(QPen(QColor(255, 214, 0), 1));
        painter.drawRect(box);
    }
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

void PicturePane::wheelEvent(QWheelEvent* event)
{
    // A high-resolution wheel sends fractions of the 120 units of a notch.
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0.0 || m_content.isNull())
        return event->ignore();
    m_view.zoomBy(std::pow(1.25, notches), toPicture(event->position()), viewport().size());
    event->accept();
}

void PicturePane::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_drag = nearSplit(event->position()) ? Drag::Split : Drag::Picture;
    m_dragFrom = event->position();
}

void PicturePane::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_drag == Drag::Split) {
        setSplitPosition(at.x() / std::max(1, width()));
    } else if (m_drag == Drag::Picture) {
        m_view.panBy(at - m_dragFrom);
        m_dragFrom = at;
    } else if (nearSplit(at)) {
        setCursor(Qt::SplitHCursor);
    } else {
        setCursor(Qt::CrossCursor);
    }
    const QPointF point = toPicture(at);
    const bool inside = !m_content.isNull() && viewport().contains(at.toPoint()) &&
                        QRectF(QPointF(0, 0), QSizeF(m_view.pictureSize())).contains(point);
    m_view.setCursor(inside ? std::optional(point) : std::nullopt);
}

void PicturePane::mouseReleaseEvent(QMouseEvent* event)
{
    m_drag = Drag::None;
    QWidget::mouseReleaseEvent(event);
}

void PicturePane::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_view.fit();
}

void PicturePane::leaveEvent(QEvent* event)
{
    m_view.setCursor(std::nullopt);
    QWidget::leaveEvent(event);
}

void PicturePane::keyPressEvent(QKeyEvent* event)
{
    const QSizeF step = QSizeF(viewport().size()) * kPanStep;
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const double sign = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up ? 1.0 : -1.0;
    if (sideways && isSplit())
        setSplitPosition(m_splitPosition - sign * kSplitStep);
    else if (sideways)
        m_view.panBy({sign * step.width(), 0});
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        m_view.panBy({0, sign * step.height()});
    else
        QWidget::keyPressEvent(event);
}

int PicturePane::splitX() const
{
    return static_cast<int>(std::lround(m_splitPosition * viewport().width()));
}

bool PicturePane::nearSplit(QPointF point) const
{
    return isSplit() && viewport().contains(point.toPoint()) &&
           std::abs(point.x() - splitX()) <= kSplitGrip;
}

}  // namespace qs::widgets
