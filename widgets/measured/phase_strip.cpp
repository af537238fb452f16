#include "widgets/measured/phase_strip.h"

#include "widgets/measured/measured_text.h"
#include "widgets/models/phase_text.h"
#include "widgets/models/plain_tip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <array>

namespace qs::widgets {

namespace {

struct PhaseTone {
    core::Phase phase;
    QRgb onLight;
    QRgb onDark;
};

constexpr std::array<PhaseTone, 14> kTones{{{core::Phase::SelfTest, 0xff5d6a86, 0xff7d8bab},
                                            {core::Phase::Package, 0xff9c5221, 0xffc9824e},
                                            {core::Phase::Load, 0xff8a8f98, 0xff8d939c},
                                            {core::Phase::Calibrate, 0xff7d6bc4, 0xff9a8ae0},
                                            {core::Phase::Quantize, 0xffa25fb7, 0xffb47fd0},
                                            {core::Phase::Compile, 0xffd77e16, 0xffe8963a},
                                            {core::Phase::FirstPass, 0xffb8860b, 0xffd9b04a},
                                            {core::Phase::MemoryPass, 0xff929678, 0xffb3b78f},
                                            {core::Phase::Capture, 0xffba4a2d, 0xffe27258},
                                            {core::Phase::Warmup, 0xff7aa6c8, 0xff6f9fc4},
                                            {core::Phase::Measure, 0xff2b6cb0, 0xff3f8fe0},
                                            {core::Phase::Energy, 0xff5a8a1f, 0xff9cc45a},
                                            {core::Phase::Outputs, 0xff3f7c6f, 0xff5fae9c},
                                            {core::Phase::Profile, 0xff6b4f3a, 0xffa88568}}};

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() <
           palette.color(QPalette::WindowText).lightness();
}

QString lengthText(const core::CoursePhase& phase)
{
    return QStringLiteral("%1 %2").arg(phaseText(phase.phase), durationText(phase.seconds, 3));
}

}  // namespace

QColor phaseColour(core::Phase phase, bool dark)
{
    for (const PhaseTone& tone : kTones) {
        if (tone.phase == phase)
            return QColor(dark ? tone.onDark : tone.onLight);
    }
    return dark ? QColor(0x70, 0x70, 0x70) : QColor(0xa0, 0xa0, 0xa0);
}

PhaseStrip::PhaseStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("phaseStrip"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Phases of the measurement"));
}

void PhaseStrip::setCourse(const core::MeasuredCourse& course)
{
    m_phases = course.phases;
    m_seconds = course.seconds;
    QStringList parts;
    for (const core::CoursePhase& phase : m_phases)
        parts << tr("%1 from %2").arg(lengthText(phase), durationText(phase.start, 3));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
    update();
}

QString PhaseStrip::legend() const
{
    QStringList parts;
    for (const core::CoursePhase& phase : m_phases) {
        const QString text = QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2")
                                 .arg(phaseColour(phase.phase, isDark(palette())).name(),
                                      lengthText(phase).toHtmlEscaped().replace(
                                          QLatin1Char(' '), QStringLiteral("&nbsp;")));
        parts << (phase.nested ? QStringLiteral("(%1)").arg(text) : text);
    }
    return parts.join(QStringLiteral(" &nbsp; "));
}

QSize PhaseStrip::sizeHint() const
{
    return {400, 3 * fontMetrics().height()};
}

QSize PhaseStrip::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

QRectF PhaseStrip::areaOf(const core::CoursePhase& phase) const
{
    const double lane = fontMetrics().height();
    const double scale = m_seconds > 0.0 ? (width() - 1) / m_seconds : 0.0;
    return {phase.start * scale, phase.nested ? 1.2 * lane : 0.0,
            std::max(1.0, phase.seconds * scale), phase.nested ? 0.6 * lane : 1.2 * lane};
}

const core::CoursePhase* PhaseStrip::phaseAt(const QPointF& point) const
{
    const core::CoursePhase* found = nullptr;
    for (const core::CoursePhase& phase : m_phases) {
        // The later of two that share a pixel, as it is painted.
        if (areaOf(phase).adjusted(-1, 0, 1, 0).contains(point))
            found = &phase;
    }
    return found;
}

bool PhaseStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const core::CoursePhase* phase = phaseAt(help->pos());
    if (phase == nullptr) {
        QToolTip::hideText();
        return true;
    }
    QStringList lines{lengthText(*phase),
                      tr("%1 after the start of the cell").arg(durationText(phase->start, 3))};
    if (const QString meaning = phaseExplanation(phase->phase); !meaning.isEmpty())
        lines << meaning;
    QToolTip::showText(help->globalPos(), plainTip(lines.join(QLatin1Char('\n'))), this);
    return true;
}

void PhaseStrip::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const bool dark = isDark(palette());
    const int line = fontMetrics().height();
    painter.fillRect(QRect(0, 0, width(), line * 6 / 5), palette().color(QPalette::AlternateBase));
    for (const core::CoursePhase& phase : m_phases) {
        const QRectF area = areaOf(phase);
        const QColor colour = phaseColour(phase.phase, dark);
        painter.fillRect(area, colour);
        const QString text = lengthText(phase);
        if (phase.nested || fontMetrics().horizontalAdvance(text) + 8 > area.width())
            continue;
        painter.setPen(colour.lightness() > 140 ? Qt::black : Qt::white);
        painter.drawText(area, Qt::AlignCenter, text);
    }
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRect foot(0, 2 * line, width(), line);
    if (m_seconds > 0.0) {
        painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, tr("0 s: start of the cell"));
        painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, durationText(m_seconds, 3));
    }
}

}  // namespace qs::widgets

#include "moc_phase_strip.cpp"
