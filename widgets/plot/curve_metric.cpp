#include "widgets/plot/curve_metric.h"

#include "widgets/models/cell_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace qs::widgets {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(CurveMetric)
};

constexpr int kRoundsOfInterval = 3;

std::optional<double> ifTrained(const core::CellSummary& cell, const std::optional<double>& value)
{
    return cell.cell != nullptr && cell.cell->trained ? value : std::nullopt;
}

}  // namespace

const std::vector<CurveMetric>& curveMetrics()
{
    static const std::vector<CurveMetric> kMetrics{CurveMetric::Throughput, CurveMetric::PassTime,
                                                   CurveMetric::ImageTime,  CurveMetric::Memory,
                                                   CurveMetric::Ssim,       CurveMetric::Psnr};
    return kMetrics;
}

QString metricName(CurveMetric metric)
{
    switch (metric) {
    case CurveMetric::Throughput:
        return Text::tr("Throughput");
    case CurveMetric::PassTime:
        return Text::tr("Latency of a pass");
    case CurveMetric::ImageTime:
        return Text::tr("Time per image");
    case CurveMetric::Memory:
        return Text::tr("Memory");
    case CurveMetric::Ssim:
        return Text::tr("SSIM");
    case CurveMetric::Psnr:
        return Text::tr("PSNR");
    }
    return {};
}

QString metricUnit(CurveMetric metric)
{
    switch (metric) {
    case CurveMetric::Throughput:
        return Text::tr("images/s");
    case CurveMetric::PassTime:
    case CurveMetric::ImageTime:
        return QStringLiteral("ms");
    case CurveMetric::Memory:
        return QStringLiteral("GiB");
    case CurveMetric::Ssim:
        return {};
    case CurveMetric::Psnr:
        return QStringLiteral("dB");
    }
    return {};
}

bool isQuality(CurveMetric metric)
{
    return metric == CurveMetric::Ssim || metric == CurveMetric::Psnr;
}

MetricReader::MetricReader(CurveMetric metric, const core::Analysis& analysis) : m_metric(metric)
{
    const auto& cells = analysis.cells;
    m_allocatedKnown = std::all_of(cells.begin(), cells.end(), [](const auto& cell) {
        return !cell.measured || cell.memory.allocatedPeak.has_value();
    });
}

QString MetricReader::label() const
{
    switch (m_metric) {
    case CurveMetric::Memory:
        return m_allocatedKnown ? Text::tr("Memory, allocated peak (GiB)")
                                : Text::tr("Memory, peak of the process (GiB)");
    case CurveMetric::Ssim:
        return Text::tr("SSIM vs quality reference, mean");
    case CurveMetric::Psnr:
        return Text::tr("PSNR vs quality reference, mean (dB)");
    default:
        return QStringLiteral("%1 (%2)").arg(metricName(m_metric), metricUnit(m_metric));
    }
}

std::optional<double> MetricReader::value(const core::CellSummary& cell) const
{
    if (!cell.measured)
        return std::nullopt;
    switch (m_metric) {
    case CurveMetric::Throughput:
        return cell.throughput;
    case CurveMetric::PassTime:
        return cell.seconds * 1e3;
    case CurveMetric::ImageTime:
        return cell.throughput > 0.0 ? std::optional(1e3 / cell.throughput) : std::nullopt;
    case CurveMetric::Memory:
        return memory(cell);
    case CurveMetric::Ssim:
        return ifTrained(cell, cell.ssimMean);
    case CurveMetric::Psnr:
        return cell.identical ? std::nullopt : ifTrained(cell, cell.psnrMean);
    }
    return std::nullopt;
}

std::optional<double> MetricReader::memory(const core::CellSummary& cell) const
{
    const auto& bytes = m_allocatedKnown ? cell.memory.allocatedPeak : cell.memory.processPeak;
    return bytes ? std::optional(static_cast<double>(*bytes) / kBytesPerGibibyte) : std::nullopt;
}

std::optional<core::Interval> MetricReader::interval(const core::CellSummary& cell) const
{
    if (m_metric == CurveMetric::Throughput)
        return cell.throughputInterval();
    const auto& seconds = cell.secondsInterval;
    if (!seconds || (m_metric != CurveMetric::PassTime && m_metric != CurveMetric::ImageTime))
        return std::nullopt;
    const double pictures =
        m_metric == CurveMetric::PassTime ? 1.0 : cell.throughput * cell.seconds;
    if (pictures <= 0.0)
        return std::nullopt;
    return core::Interval{.lower = seconds->lower * 1e3 / pictures,
                          .upper = seconds->upper * 1e3 / pictures};
}

bool MetricReader::settled(const core::CellSummary& cell) const
{
    return isQuality(m_metric) || cell.roundsOk >= kRoundsOfInterval;
}

}  // namespace qs::widgets
