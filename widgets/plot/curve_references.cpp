#include "widgets/plot/curve_references.h"

#include "core/analysis/reference_figures.h"
#include "core/base/format.h"
#include "widgets/models/metric_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <utility>

namespace qs::widgets {

namespace {

struct CurveReferenceWords {
    Q_DECLARE_TR_FUNCTIONS(CurveReferences)
};

const QString kReferencePrefix = QStringLiteral("reference:");

QString referenceId(std::size_t file, std::size_t row)
{
    return kReferencePrefix + QStringLiteral("%1:%2").arg(file).arg(row);
}

const core::ReferenceRow* referenceRow(const std::vector<core::RunReference>& references,
                                       const QString& pointId)
{
    const QStringList parts = pointId.mid(kReferencePrefix.size()).split(QLatin1Char(':'));
    const std::size_t file = parts.value(0).toUInt();
    const std::size_t row = parts.value(1).toUInt();
    if (!isReference(pointId) || file >= references.size() || !references[file].results ||
        row >= references[file].results->rows.size())
        return nullptr;
    return &references[file].results->rows[row];
}

// The compile mode whose line it gets.
QString lineOf(const std::string& mode)
{
    return mode == "eager" ? QStringLiteral("none")
                           : QStringLiteral("inductor-") + QString::fromStdString(mode);
}

std::optional<double> valueOf(const core::Metric& metric, const core::ReferenceFigures& figures)
{
    if (metric.name == "throughput")
        return figures.throughput;
    if (metric.name == "latency")
        return figures.seconds * metricFactor(metric);
    return std::nullopt;
}

// One curve for each precision and mode of a file.
std::vector<Curve> curvesOf(const core::Metric& metric, const core::ReferenceResults& results,
                            std::size_t file)
{
    std::vector<Curve> curves;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        const core::ReferenceRow& row = results.rows[i];
        const auto figures =
            row.status == core::ReferenceStatus::Ok ? core::figuresOf(row) : std::nullopt;
        const auto value = figures ? valueOf(metric, *figures) : std::nullopt;
        if (!value)
            continue;
        const auto [place, fresh] = places.try_emplace({row.precision, row.mode}, curves.size());
        if (fresh) {
            Curve curve;
            curve.precision = QString::fromStdString(row.precision);
            curve.compile = lineOf(row.mode);
            curve.key = kReferencePrefix +
                        QStringLiteral("%1:%2:%3").arg(file).arg(curve.precision, curve.compile);
            curve.name = QStringLiteral("%1 · %2 · %3")
                             .arg(curve.precision, QString::fromStdString(row.mode),
                                  QString::fromStdString(results.program));
            curves.push_back(std::move(curve));
        }
        // Not settled: no interval is told of it.
        CurvePoint point;
        point.cellId = referenceId(file, i);
        point.x = static_cast<double>(row.batch);
        point.y = *value;
        curves[place->second].points.push_back(std::move(point));
    }
    for (Curve& curve : curves)
        std::sort(curve.points.begin(), curve.points.end(),
                  [](const auto& a, const auto& b) { return a.x < b.x; });
    return curves;
}

}  // namespace

bool isReference(const QString& pointId)
{
    return pointId.startsWith(kReferencePrefix);
}

void addReferences(CurveSet& set, const core::Analysis& analysis,
                   const std::vector<core::RunReference>& references)
{
    if (set.axis != QStringLiteral("batch"))
        return;
    for (std::size_t file = 0; file < references.size(); ++file) {
        const auto& results = references[file].results;
        if (!results || results->unit != workUnitOf(analysis))
            continue;
        std::vector<Curve> curves = curvesOf(*set.metric, *results, file);
        if (curves.empty() || set.curves.size() + curves.size() > kMostCurves)
            continue;
        set.otherRuns.push_back({.name = QString::fromStdString(results->program), .changed = {}});
        for (Curve& curve : curves) {
            curve.run = static_cast<int>(set.otherRuns.size());
            set.curves.push_back(std::move(curve));
        }
    }
}

QString referenceToolTip(const std::vector<core::RunReference>& references, const QString& pointId)
{
    const core::ReferenceRow* row = referenceRow(references, pointId);
    const auto figures = row == nullptr ? std::nullopt : core::figuresOf(*row);
    if (!figures)
        return {};
    return CurveReferenceWords::tr(
               "%1 · %2 · batch %3, measured by another program\n%4 per pass: the median over %5 "
               "rounds, %6 to %7\nA reference result: no verdict")
        .arg(QString::fromStdString(row->precision), QString::fromStdString(row->mode))
        .arg(row->batch)
        .arg(QString::fromStdString(core::formatSeconds(figures->seconds)))
        .arg(figures->rounds)
        .arg(QString::fromStdString(core::formatSeconds(figures->lowest)),
             QString::fromStdString(core::formatSeconds(figures->highest)));
}

}  // namespace qs::widgets
