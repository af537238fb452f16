#include "widgets/compare/picture_pane.h"

#include "widgets/compare/pane_interaction.h"
#include "widgets/models/plain_tip.h"

#include <QContextMenuEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

const QColor kMarkColour(255, 214, 0);
const QColor kRegionColour(0, 229, 255);

// Paints only what is seen, from the copy nearest in size: the cost is that of the screen.
void paintImage(QPainter& painter, const PaneImage& content, const PaneFrame& frame)
{
    const QRectF target(frame.toWidget(content.offset),
                        QSizeF(content.image.size()) * frame.scale());
    const QRectF seen = target.intersected(QRectF(frame.area));
    if (seen.isEmpty())
        return;
    const double deviceScale = frame.scale() * painter.device()->devicePixelRatioF();
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

}  // namespace

PicturePane::PicturePane(SharedView& view, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_interaction(new PaneInteraction(*this, {view, m_split, m_texts, m_content}))
{
    connect(m_interaction, &PaneInteraction::regionDrawn, this, &PicturePane::regionDrawn);
    connect(m_interaction, &PaneInteraction::removePressed, this, &PicturePane::removeWanted);
    connect(m_interaction, &PaneInteraction::aloneWanted, this, &PicturePane::aloneWanted);
    connect(&m_view, &SharedView::changed, this, qOverload<>(&QWidget::update));
    connect(&m_view, &SharedView::cursorChanged, this, qOverload<>(&QWidget::update));
}

void PicturePane::setText(PaneText text)
{
    m_texts.setText(std::move(text));
    describe();
}

void PicturePane::setContent(PaneImage content)
{
    m_content = std::move(content);
    m_levels.count();
    m_message.clear();
    if (m_offer != nullptr)
        m_offer->hide();
    describe();
}

void PicturePane::setMessage(const QString& message, const QString& offer)
{
    m_content = {};
    m_levels.count();
    m_message = message;
    if (m_offer == nullptr && !offer.isEmpty()) {
        m_offer = new QPushButton(this);
        m_offer->setObjectName(QStringLiteral("offer"));
        m_offer->setCursor(Qt::ArrowCursor);
        connect(m_offer, &QPushButton::clicked, this, &PicturePane::offerTaken);
    }
    if (m_offer != nullptr) {
        m_offer->setText(offer);
        m_offer->setVisible(!offer.isEmpty());
        placeOffer();
    }
    describe();
}

void PicturePane::contextMenuEvent(QContextMenuEvent* event)
{
    Q_EMIT menuWanted(event->globalPos());
}

void PicturePane::placeOffer()
{
    const QRect area = viewport();
    const QSize size = m_offer->sizeHint().boundedTo({area.width() - 8, QWIDGETSIZE_MAX});
    m_offer->setGeometry(QRect(
        {area.center().x() - size.width() / 2, area.center().y() + m_texts.lineHeight()}, size));
}

void PicturePane::setSplit(PaneImage left, const QString& leftName, const QString& rightName)
{
    m_split.set(std::move(left), leftName, rightName);
    update();
}

void PicturePane::clearSplit()
{
    m_split.clear();
    unsetCursor();
    update();
}

void PicturePane::setSplitPosition(double position)
{
    m_split.setPosition(position);
    update();
}

QString PicturePane::valueText(QPoint pixel) const
{
    return m_content.valueAt ? m_content.valueAt(pixel) : QString();
}

void PicturePane::describe()
{
    setAccessibleName(title());
    setAccessibleDescription(m_message.isEmpty() ? caption().join(QLatin1Char('\n')) : m_message);
    setToolTip(plainTip(m_texts.text().toolTip()));
    update();
}

void PicturePane::setRemovable(const QString& tip)
{
    m_texts.setReserved(true);
    m_interaction->setRemovable();
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
    if (m_offer != nullptr)
        placeOffer();
    if (m_remove == nullptr)
        return;
    const int side = m_texts.lineHeight() + 2;
    m_remove->setGeometry(width() - side, 0, side, side);
}

QSize PicturePane::sizeHint() const
{
    return {280, 280 + m_texts.height()};
}

QSize PicturePane::minimumSizeHint() const
{
    return {96, 96 + m_texts.height()};
}

void PicturePane::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    m_texts.paint(painter);
    const QRect area = viewport();
    painter.setClipRect(area);
    // A neutral surround: a tinted or stark one would change how the picture is seen.
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    painter.fillRect(area, dark ? QColor(38, 38, 38) : QColor(222, 222, 222));
    if (m_content.isNull()) {
        paintMessage(painter, dark);
    } else {
        paintPictures(painter);
        paintMarks(painter);
        if (const auto& histogram = m_levels.histogram())
            paintHistogram(painter, area, *histogram);
    }
    painter.setClipping(false);
    if (const auto cursor = m_view.cursor()) {
        const QPoint pixel(static_cast<int>(std::floor(cursor->x())),
                           static_cast<int>(std::floor(cursor->y())));
        m_texts.paintValue(painter, valueText(pixel));
    }
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PicturePane::paintPictures(QPainter& painter) const
{
    const QRect area = viewport();
    if (!m_split.isOn()) {
        paintImage(painter, m_content, frame());
        return;
    }
    const QRect picture = frame().pictureArea();
    const int x = m_split.xIn(picture);
    painter.setClipRect(QRect(QPoint(x, area.top()), area.bottomRight()));
    paintImage(painter, m_content, frame());
    painter.setClipRect(QRect(area.topLeft(), QPoint(x - 1, area.bottom())));
    paintImage(painter, m_split.left(), frame());
    painter.setClipRect(area);
    painter.setFont(font());
    m_split.paintLine(painter, picture);
}

void PicturePane::paintMarks(QPainter& painter) const
{
    const auto drawBox = [&](const std::optional<QRect>& part, const QColor& colour) {
        if (!part)
            return;
        const QRectF box(frame().toWidget(part->topLeft()), QSizeF(part->size()) * frame().scale());
        painter.setPen(QPen(QColor(0, 0, 0, 160), 3));
        painter.drawRect(box);
        painter.setPen(QPen(colour, 1));
        painter.drawRect(box);
    };
    drawBox(m_view.mark(), kMarkColour);
    drawBox(m_view.region(), kRegionColour);
    if (const auto cursor = m_view.cursor(); cursor && !underMouse()) {
        const QPointF at = frame().toWidget(*cursor);
        drawContrastingLine(painter, QLineF(at.x() - 10, at.y(), at.x() + 10, at.y()));
        drawContrastingLine(painter, QLineF(at.x(), at.y() - 10, at.x(), at.y() + 10));
    }
}

void PicturePane::paintMessage(QPainter& painter, bool dark) const
{
    painter.setFont(font());
    painter.setPen(dark ? QColor(215, 215, 215) : QColor(48, 48, 48));
    QRect room = viewport().adjusted(10, 10, -10, -10);
    int flags = Qt::AlignCenter | Qt::TextWordWrap;
    if (m_offer != nullptr && !m_offer->isHidden()) {
        room.setBottom(m_offer->y() - m_texts.lineHeight() / 2);
        flags = Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap;
    }
    painter.drawText(room, flags, m_message);
}

}  // namespace qs::widgets

#include "moc_picture_pane.cpp"
