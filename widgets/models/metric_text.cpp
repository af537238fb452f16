#include "widgets/models/metric_text.h"

#include "core/sweep/axis_spec.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace qs::widgets {

namespace {

struct MetricWords {
    Q_DECLARE_TR_FUNCTIONS(Metric)
};

}  // namespace

std::optional<core::WorkUnit> workUnitOf(const core::Analysis& analysis)
{
    const auto& cells = analysis.cells;
    if (cells.empty() || cells.front().cell == nullptr)
        return std::nullopt;
    const core::WorkUnit first = cells.front().cell->unit;
    const bool same = std::all_of(cells.begin(), cells.end(), [&](const auto& cell) {
        return cell.cell != nullptr && cell.cell->unit == first;
    });
    return same ? std::optional(first) : std::nullopt;
}

QString unitText(const std::optional<core::WorkUnit>& unit)
{
    if (!unit)
        return MetricWords::tr("unit");
    switch (*unit) {
    case core::WorkUnit::Image:
        return MetricWords::tr("image");
    case core::WorkUnit::Token:
        return MetricWords::tr("token");
    case core::WorkUnit::Sample:
        return MetricWords::tr("sample");
    }
    return {};
}

QString unitsText(const std::optional<core::WorkUnit>& unit)
{
    if (!unit)
        return MetricWords::tr("units");
    switch (*unit) {
    case core::WorkUnit::Image:
        return MetricWords::tr("images");
    case core::WorkUnit::Token:
        return MetricWords::tr("tokens");
    case core::WorkUnit::Sample:
        return MetricWords::tr("samples");
    }
    return {};
}

QString unitsPerSecond(const std::optional<core::WorkUnit>& unit)
{
    return MetricWords::tr("%1/s", "rate").arg(unitsText(unit));
}

QString axisTitle(const QString& axis)
{
    const core::AxisSpec* spec = core::findAxisSpec(axis.toStdString());
    QString title = spec == nullptr ? axis : QString::fromStdString(spec->noun);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

QString metricTitle(const core::Metric& metric)
{
    return MetricWords::tr(metric.title.c_str());
}

QString metricTitle(const core::Metric& metric, const core::Analysis& analysis)
{
    const auto place = static_cast<std::size_t>(metric.stage);
    QString stage;
    for (const core::CellSummary& cell : analysis.cells) {
        if (metric.stage == 0 || cell.stageNames.size() < place)
            continue;
        const QString name = QString::fromStdString(cell.stageNames[place - 1]);
        if (!stage.isEmpty() && name != stage)
            return metricTitle(metric);
        stage = name;
    }
    return stage.isEmpty() ? metricTitle(metric)
                           : MetricWords::tr("Time of %1", "stage").arg(stage);
}

QString metricAbout(const core::Metric& metric)
{
    return MetricWords::tr(metric.about.c_str());
}

QString metricUnit(const core::Metric& metric, const std::optional<core::WorkUnit>& unit)
{
    switch (metric.unit) {
    case core::MetricUnit::None:
        return {};
    case core::MetricUnit::Fraction:
        return QStringLiteral("%");
    case core::MetricUnit::Seconds:
        return QStringLiteral("ms");
    case core::MetricUnit::Bytes:
        return QStringLiteral("GiB");
    case core::MetricUnit::Decibel:
        return QStringLiteral("dB");
    case core::MetricUnit::Nats:
        return QStringLiteral("nats");
    case core::MetricUnit::PerSecond:
        return unitsPerSecond(unit);
    case core::MetricUnit::Joules:
        return MetricWords::tr("J/%1", "energy").arg(unitText(unit));
    }
    return {};
}

TimeUnit passTimeUnit(bool quantizes)
{
    return quantizes ? TimeUnit{1.0, QStringLiteral("s")} : TimeUnit{1e3, QStringLiteral("ms")};
}

double metricFactor(const core::Metric& metric)
{
    switch (metric.unit) {
    case core::MetricUnit::Fraction:
        return 100.0;
    case core::MetricUnit::Seconds:
        return 1e3;
    case core::MetricUnit::Bytes:
        return 1.0 / kBytesPerGibibyte;
    case core::MetricUnit::None:
    case core::MetricUnit::Decibel:
    case core::MetricUnit::Nats:
    case core::MetricUnit::PerSecond:
    case core::MetricUnit::Joules:
        return 1.0;
    }
    return 1.0;
}

}  // namespace qs::widgets
