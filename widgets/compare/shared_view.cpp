#include "widgets/compare/shared_view.h"

#include <algorithm>

namespace qs::widgets {

double SharedView::fitScaleIn(QSizeF viewport) const
{
    if (m_pictureSize.isEmpty() || viewport.isEmpty())
        return 1.0;
    return std::min(viewport.width() / m_pictureSize.width(),
                    viewport.height() / m_pictureSize.height());
}

double SharedView::scaleIn(QSizeF viewport) const
{
    return m_fit ? fitScaleIn(viewport) : m_scale;
}

QPointF SharedView::centre() const
{
    return m_fit ? QPointF(m_pictureSize.width() / 2.0, m_pictureSize.height() / 2.0) : m_centre;
}

void SharedView::setPictureSize(QSize size)
{
    if (size == m_pictureSize)
        return;
    m_pictureSize = size;
    m_mark.reset();
    m_cursor.reset();
    m_fit = true;
    setRegion(std::nullopt);
    Q_EMIT changed();
}

void SharedView::fit()
{
    m_fit = true;
    Q_EMIT changed();
}

void SharedView::show(QPointF centre, double scale)
{
    m_fit = false;
    m_scale = std::clamp(scale, kSmallestScale, kLargestScale);
    m_centre = QPointF(std::clamp(centre.x(), 0.0, static_cast<double>(m_pictureSize.width())),
                       std::clamp(centre.y(), 0.0, static_cast<double>(m_pictureSize.height())));
    Q_EMIT changed();
}

void SharedView::zoomBy(double factor, QPointF fixed, QSizeF viewport)
{
    const double before = scaleIn(viewport);
    const double after = std::clamp(before * factor, kSmallestScale, kLargestScale);
    if (after <= fitScaleIn(viewport) && factor < 1.0)
        return fit();
    show(fixed + (centre() - fixed) * (before / after), after);
}

void SharedView::panBy(QPointF screenDistance)
{
    if (!m_fit)
        show(m_centre - screenDistance / m_scale, m_scale);
}

void SharedView::setCursor(std::optional<QPointF> cursor)
{
    if (cursor == m_cursor)
        return;
    m_cursor = cursor;
    Q_EMIT cursorChanged();
}

void SharedView::setMark(std::optional<QRect> mark)
{
    m_mark = mark;
    Q_EMIT changed();
}

void SharedView::setRegion(std::optional<QRect> region)
{
    if (region) {
        region = region->intersected(QRect(QPoint(0, 0), m_pictureSize));
        if (region->isEmpty())
            region.reset();
    }
    if (region == m_region)
        return;
    m_region = region;
    Q_EMIT changed();
}

void SharedView::setDrawingRegion(bool drawing)
{
    m_drawingRegion = drawing;
    Q_EMIT changed();
}

}  // namespace qs::widgets

#include "moc_shared_view.cpp"
