#include "app/gui/live_strip.h"

#include "core/protocol/messages.h"
#include "core/stats/quantiles.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/phase_text.h"
#include "widgets/models/plain_tip.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>

namespace qs::app {

namespace {

// Those that take time in most cells; the parts of compiling are shown as compiling.
constexpr std::array kShown{core::Phase::Start,  core::Phase::Load,    core::Phase::Compile,
                            core::Phase::Warmup, core::Phase::Measure, core::Phase::Outputs};
constexpr int kGap = 2;
constexpr int kWordsGap = 12;
constexpr double kDot = 1.5;  // radius

// Of kShown; -1 between two cells.
int placeOf(core::Phase phase)
{
    switch (phase) {
    case core::Phase::Start:
    case core::Phase::SelfTest:
        return 0;
    case core::Phase::Load:
    case core::Phase::Calibrate:
    case core::Phase::Quantize:
        return 1;
    case core::Phase::Package:
    case core::Phase::Compile:
    case core::Phase::FirstPass:
    case core::Phase::MemoryPass:
    case core::Phase::Capture:
        return 2;
    case core::Phase::Warmup:
        return 3;
    case core::Phase::Measure:
    case core::Phase::Energy:
        return 4;
    case core::Phase::Outputs:
    case core::Phase::Profile:
        return 5;
    case core::Phase::Idle:
    case core::Phase::Inputs:
    case core::Phase::Comparing:
    case core::Phase::DiskFull:
    case core::Phase::Paused:
        break;
    }
    return -1;
}

}  // namespace

LiveStrip::LiveStrip(const widgets::RunStore& store, QWidget* parent)
    : QWidget(parent), m_store(store)
{
    setObjectName(QStringLiteral("liveStrip"));
    setAccessibleName(tr("Running cell"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

QSize LiveStrip::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 3 + 8};
}

QSize LiveStrip::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void LiveStrip::setRun(const QString& name, const core::CellLabels& labels)
{
    m_name = name;
    m_labels = labels;
}

QString LiveStrip::nameOf(const core::PlannedCell& cell) const
{
    return QString::fromStdString(m_labels.withBatch(cell));
}

void LiveStrip::showProgress(const core::RunProgress& progress, const core::PlannedCell* cell,
                             const QString& other)
{
    m_progress = progress;
    m_other = other;
    QStringList parts;
    if (!other.isEmpty())
        parts << m_name;
    if (cell != nullptr)
        parts << nameOf(*cell) << tr("repeat %1").arg(progress.round + 1);
    QString activity = cell != nullptr ? widgets::cellActivity(progress.phase)
                                       : widgets::phaseActivity(progress.phase);
    if (progress.phaseFraction > 0.0)
        activity += QStringLiteral(" %1 %").arg(static_cast<int>(progress.phaseFraction * 100.0));
    if (progress.phaseSeconds >= 1.0)
        activity += tr(" (%1 s)").arg(QLocale().toString(progress.phaseSeconds, 'f', 0));
    parts << activity;
    m_text = parts.join(QStringLiteral(" · "));
    m_samples = progress.samples.empty() ? samplesText() : liveText();
    setToolTip(widgets::plainTip(m_text + QLatin1Char('\n') + m_samples));
    setAccessibleDescription(m_text);
    update();
}

QString LiveStrip::liveText() const
{
    constexpr double kMilliseconds = 1e3;
    const auto time = [](double seconds) {
        return widgets::significantText(seconds * kMilliseconds, 4);
    };
    const QString what = m_progress.phase == core::Phase::Warmup ? tr("Warm-up") : tr("Samples");
    return tr("%1: median %2, last %3 ms")
        .arg(what, time(core::median(m_progress.samples)), time(m_progress.samples.back()));
}

// What this cell has given in earlier repeats; in its first, what the last rows have.
QString LiveStrip::samplesText() const
{
    constexpr std::size_t kMost = 8;
    if (!m_other.isEmpty())
        return tr("Another run is in view: %1").arg(m_other);
    const auto& rows = m_store.data().measurements;
    const auto perSecond = [this](const core::Measurement& row) {
        const core::PlannedCell* cell = m_store.data().plan.find(row.cellId);
        const core::CellSummary* summary = m_store.analysis().find(row.cellId);
        if (cell == nullptr || summary == nullptr || !summary->measured)
            return QString();
        for (const core::RoundSeconds& round : summary->roundSeconds) {
            if (round.round == row.round && round.seconds > 0.0)
                return widgets::significantText(
                    static_cast<double>(cell->unitsPerPass) / round.seconds, 4);
        }
        return QString();
    };
    const QString unit = widgets::unitsPerSecond(widgets::workUnitOf(m_store.analysis()));
    QStringList own;
    for (const core::Measurement& row : rows) {
        if (row.cellId == m_progress.cellId && row.ok())
            own << perSecond(row);
    }
    own.removeAll(QString());
    if (!own.isEmpty())
        return tr("Repeats so far: %1 %2").arg(own.join(QStringLiteral(", ")), unit);
    QStringList last;
    for (std::size_t i = rows.size(); i > 0 && rows.size() - i < kMost; --i) {
        const core::Measurement& row = rows[i - 1];
        const QString number = row.ok() ? perSecond(row) : QString();
        if (const core::PlannedCell* cell = m_store.data().plan.find(row.cellId);
            cell != nullptr && !number.isEmpty())
            last << tr("%1: %2").arg(nameOf(*cell), number);
    }
    return last.isEmpty() ? tr("First repeat of the first cell")
                          : tr("Last (%1): %2").arg(unit, last.join(QStringLiteral("; ")));
}

void LiveStrip::paintPhases(QPainter& painter, const QRect& area) const
{
    const int here = placeOf(m_progress.phase);
    const int count = static_cast<int>(kShown.size());
    // As wide as their words ask for: of six equal ones the longest word would not fit.
    constexpr int kAround = 12;
    std::array<int, kShown.size() + 1> wanted{};
    for (std::size_t i = 0; i < kShown.size(); ++i)
        wanted[i + 1] =
            wanted[i] + kAround + fontMetrics().horizontalAdvance(widgets::phaseText(kShown[i]));
    for (int i = 0; i < count; ++i) {
        const auto edge = [&](int place) {
            return area.left() +
                   area.width() * wanted[static_cast<std::size_t>(place)] / wanted.back();
        };
        const QRect segment(edge(i), area.top(), edge(i + 1) - kGap - edge(i), area.height());
        painter.fillRect(segment, palette().color(QPalette::Base));
        QRect done = segment;
        if (i > here)
            done.setWidth(0);
        else if (i == here)
            done.setWidth(
                static_cast<int>(segment.width() * std::clamp(m_progress.phaseFraction, 0.0, 1.0)));
        QColor colour = palette().color(QPalette::Highlight);
        colour.setAlphaF(0.35F);
        painter.fillRect(done, colour);
        painter.setPen(palette().color(i == here ? QPalette::Highlight : QPalette::Mid));
        painter.drawRect(segment.adjusted(0, 0, -1, -1));
        painter.setPen(palette().color(i <= here ? QPalette::Text : QPalette::PlaceholderText));
        painter.drawText(
            segment.adjusted(3, 0, -3, 0), Qt::AlignCenter,
            fontMetrics().elidedText(widgets::phaseText(kShown[static_cast<std::size_t>(i)]),
                                     Qt::ElideRight, segment.width() - 6));
    }
}

// As points over time, the scale from the fastest to the slowest.
void LiveStrip::paintSamples(QPainter& painter, const QRect& area) const
{
    const std::vector<double>& samples = m_progress.samples;
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    const double range = *most - *least;
    const double step = static_cast<double>(area.width()) / core::kMostLiveSamples;
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double height = range > 0.0 ? (samples[i] - *least) / range : 0.5;
        const QPointF point(area.left() + step * (static_cast<double>(i) + 0.5),
                            area.bottom() - kDot - height * (area.height() - 2 * kDot));
        painter.drawEllipse(point, kDot, kDot);
    }
}

void LiveStrip::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const QRect area = rect().adjusted(8, 2, -8, -2);
    const int line = fontMetrics().height();
    const auto write = [&](int row, const QString& text, int width) {
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(area.left(), area.top() + row * (line + 2), width, line),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text, Qt::ElideRight, width));
    };
    write(0, m_text, area.width());
    paintPhases(painter, QRect(area.left(), area.top() + line + 2, area.width(), line));
    if (m_progress.samples.empty())
        return write(2, m_samples, area.width());
    const int words =
        std::min(fontMetrics().horizontalAdvance(m_samples) + kWordsGap, area.width() * 2 / 3);
    write(2, m_samples, words);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSamples(painter, QRect(area.left() + words, area.top() + 2 * (line + 2),
                                area.width() - words, line));
}

}  // namespace qs::app

#include "moc_live_strip.cpp"
