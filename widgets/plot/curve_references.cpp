#include "widgets/plot/curve_references.h"

#include "core/analysis/reference_figures.h"
#include "core/base/format.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/metric_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <utility>

namespace qs::widgets {

namespace {

struct CurveReferenceWords {
    Q_DECLARE_TR_FUNCTIONS(CurveReferences)
};

// On an axis of texts its marks stand beside those of the run, which would cover them.
constexpr double kBeside = 0.15;
constexpr double kFarthestBeside = 0.45;

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

// What tells the curves of a file apart: all that is not the axis.
struct ReferenceLine {
    std::string precision;   // empty where it is the axis
    std::string mode;        // empty where it is the axis
    std::int64_t batch = 0;  // 0 where it is the axis
    auto operator<=>(const ReferenceLine&) const = default;
};

// Its curves, and where its rows stand on the axis of a set. A text that the axis lacks is added.
class ReferenceCurves final
{
public:
    ReferenceCurves(CurveSet& set, const core::ReferenceResults& results, std::size_t file)
        : m_set(set), m_results(results), m_file(file)
    {
        std::set<std::int64_t> batches;
        for (const core::ReferenceRow& row : results.rows)
            batches.insert(row.batch);
        m_severalBatches = batches.size() > 1;
    }

    void add(std::size_t index, double value)
    {
        const core::ReferenceRow& row = m_results.rows[index];
        const ReferenceLine line = lineFor(row);
        const auto [place, fresh] = m_places.try_emplace(line, m_curves.size());
        if (fresh)
            m_curves.push_back(curveOf(line));
        // Not settled: no interval is told of it.
        CurvePoint point;
        point.cellId = referenceId(m_file, index);
        point.x = placeOf(row);
        point.y = value;
        m_curves[place->second].points.push_back(std::move(point));
    }

    std::vector<Curve> take()
    {
        for (Curve& curve : m_curves)
            std::sort(curve.points.begin(), curve.points.end(),
                      [](const auto& a, const auto& b) { return a.x < b.x; });
        return std::move(m_curves);
    }

private:
    [[nodiscard]] ReferenceLine lineFor(const core::ReferenceRow& row) const
    {
        ReferenceLine line{row.precision, row.mode, row.batch};
        if (m_set.axis == QStringLiteral("precision"))
            line.precision.clear();
        else if (m_set.axis == QStringLiteral("compile"))
            line.mode.clear();
        else
            line.batch = 0;
        return line;
    }

    double placeOf(const core::ReferenceRow& row)
    {
        if (m_set.axis == QStringLiteral("batch"))
            return static_cast<double>(row.batch);
        const QString text = m_set.axis == QStringLiteral("precision")
                                 ? QString::fromStdString(row.precision)
                                 : compileText(lineOf(row.mode).toStdString());
        if (!m_set.categories.contains(text))
            m_set.categories << text;
        const double beside = std::min(kBeside * static_cast<double>(m_file + 1), kFarthestBeside);
        return static_cast<double>(m_set.categories.indexOf(text)) + beside;
    }

    [[nodiscard]] Curve curveOf(const ReferenceLine& line) const
    {
        const QString precision = QString::fromStdString(line.precision);
        const QString mode = QString::fromStdString(line.mode);
        Curve curve;
        curve.precision = precision;
        if (!line.mode.empty())
            curve.compile = lineOf(line.mode);
        curve.key = kReferencePrefix +
                    QStringLiteral("%1:%2:%3:%4").arg(m_file).arg(precision, mode).arg(line.batch);
        QStringList parts{precision, mode};
        if (line.batch > 0 && m_severalBatches)
            parts << CurveReferenceWords::tr("batch %1").arg(line.batch);
        parts << QString::fromStdString(m_results.program);
        parts.removeAll(QString());
        curve.name = parts.join(QStringLiteral(" · "));
        return curve;
    }

    CurveSet& m_set;
    const core::ReferenceResults& m_results;
    std::size_t m_file = 0;
    bool m_severalBatches = false;
    std::map<ReferenceLine, std::size_t> m_places;
    std::vector<Curve> m_curves;
};

std::vector<Curve> curvesOf(CurveSet& set, const core::ReferenceResults& results, std::size_t file)
{
    ReferenceCurves curves(set, results, file);
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        const core::ReferenceRow& row = results.rows[i];
        const auto figures =
            row.status == core::ReferenceStatus::Ok ? core::figuresOf(row) : std::nullopt;
        if (const auto value = figures ? valueOf(*set.metric, *figures) : std::nullopt)
            curves.add(i, *value);
    }
    return curves.take();
}

}  // namespace

bool isReference(const QString& pointId)
{
    return pointId.startsWith(kReferencePrefix);
}

void addReferences(CurveSet& set, const core::Analysis& analysis,
                   const std::vector<core::RunReference>& references)
{
    static const QStringList kAxes{QStringLiteral("batch"), QStringLiteral("precision"),
                                   QStringLiteral("compile")};
    if (!kAxes.contains(set.axis))
        return;
    for (std::size_t file = 0; file < references.size(); ++file) {
        const auto& results = references[file].results;
        if (!results || results->unit != workUnitOf(analysis))
            continue;
        std::vector<Curve> curves = curvesOf(set, *results, file);
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
