#include "app/gui/telemetry_strip.h"

#include "core/device/clock_reasons.h"
#include "widgets/layout/spacing_grid.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace qs::app {

namespace {

constexpr int kCourseCharacters = 16;  // width of the course

}  // namespace

TelemetryStrip::TelemetryStrip(const std::string& nvmlLibrary, QWidget* parent)
    : QWidget(parent), m_telemetry(nvmlLibrary), m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("telemetryStrip"));
    m_text->setObjectName(QStringLiteral("telemetryText"));
    m_text->setTextFormat(Qt::PlainText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(
        widgets::onGrid(fontMetrics().averageCharWidth() * kCourseCharacters), 0, 0, 0);
    layout->addWidget(m_text);
    connect(&m_look, &QTimer::timeout, this, &TelemetryStrip::look);
    hide();
    m_look.start(kLookMs);
}

QSize TelemetryStrip::sizeHint() const
{
    const int unit = fontMetrics().averageCharWidth();
    return {unit * kCourseCharacters + m_text->sizeHint().width(), m_text->sizeHint().height()};
}

void TelemetryStrip::look()
{
    const std::optional<std::string> whyNot = m_telemetry.whyNot();
    if (whyNot && !whyNot->empty())
        m_look.stop();
    const double last = m_points.empty() ? 0.0 : m_points.back().seconds;
    const auto news = m_telemetry.since(last);
    if (news.empty())
        return;
    setVisible(true);
    m_points.push_back({news.back().seconds, news.back().gpus.front()});
    while (m_points.front().seconds < m_points.back().seconds - kShownSeconds)
        m_points.pop_front();
    const core::GpuReading& reading = m_points.back().reading;
    m_text->setText(text(reading));
    QString toolTip =
        tr("State of the first GPU; the line shows its SM clock over the last minute.");
    for (const std::string& reason : core::slowdownReasons(reading.clockEventReasons.value_or(0)))
        toolTip += QLatin1Char('\n') + tr("Throttled: %1").arg(QString::fromStdString(reason));
    if ((reading.clockEventReasons.value_or(0) & core::kClocksAreSet) != 0)
        toolTip += QLatin1Char('\n') + tr("Clocks are set: application clocks or locked clocks");
    setToolTip(widgets::plainTip(toolTip));
    setAccessibleDescription(m_text->text());
    update();
}

QString TelemetryStrip::text(const core::GpuReading& reading) const
{
    const QLocale locale;
    QStringList parts;
    if (reading.temperatureCelsius)
        parts << tr("%1 °C").arg(locale.toString(*reading.temperatureCelsius, 'f', 0));
    if (reading.smClockMegahertz)
        parts << tr("%1 MHz").arg(locale.toString(*reading.smClockMegahertz, 'f', 0));
    if (reading.powerWatts)
        parts << tr("%1 W").arg(locale.toString(*reading.powerWatts, 'f', 0));
    if (!core::slowdownReasons(reading.clockEventReasons.value_or(0)).empty())
        parts << tr("throttled");
    return parts.join(QStringLiteral(" · "));
}

void TelemetryStrip::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    double most = 0.0;
    for (const Point& point : m_points)
        most = std::max(most, point.reading.smClockMegahertz.value_or(0.0));
    if (m_points.size() < 2 || most <= 0.0)
        return;
    const int unit = fontMetrics().averageCharWidth();
    const QRectF area = QRectF(rect()).adjusted(unit, 3, 0, -3);
    const double width = unit * (kCourseCharacters - 3);
    const double end = m_points.back().seconds;
    QPainterPath course;
    for (const Point& point : m_points) {
        const double x = area.left() + width * (1.0 - (end - point.seconds) / kShownSeconds);
        const double y =
            area.bottom() - area.height() * point.reading.smClockMegahertz.value_or(0.0) / most;
        course.isEmpty() ? course.moveTo(x, y) : course.lineTo(x, y);
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool slowed =
        !core::slowdownReasons(m_points.back().reading.clockEventReasons.value_or(0)).empty();
    painter.setPen(
        QPen(slowed ? QColor(0xd0, 0x3a, 0x2f) : palette().color(QPalette::Highlight), 1.5));
    painter.drawPath(course);
}

}  // namespace qs::app

#include "moc_telemetry_strip.cpp"
