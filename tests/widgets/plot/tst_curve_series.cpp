#include "widgets/plot/curve_series.h"
#include "widgets/plot/curve_style.h"
#include "widgets/plot/legend_entries.h"

#include "core/record/run_folder.h"
#include "core/report/words/verdict_text.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/host_bound_run.h"
#include "tests/support/sample_run.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/qcustomplot.h"
#include "widgets/plot/swept_axes.h"

#include <QLocale>

#include <cmath>

namespace qs::tst_curve_series {

using namespace widgets;
using core::Analysis;
using core::RunData;

// Of the registry.
const qs::core::Metric& metricNamed(const char* name)
{
    return *qs::core::metricRegistry().find(name);
}

class CurveSeriesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void oneCurvePerConfiguration();
    void valuesAndIntervals_data();
    void valuesAndIntervals();
    void hollowUntilThreeRounds();
    void memoryEnd();
    void memoryEndWithoutAnyPoint();
    void anotherAxis();
    void whatDiffersIsInTheName();
    void aFilterOfWhatQuantizesNothingTellsNoCurves();
    void aReferenceThatDoesOtherWorkIsNoCurve();
    void quantizingIsCountedInSeconds();
    void aThirdAxisIsAMark();
    void aShortLegendLeavesOutSharedOptions();
    void modelsHaveTheirOwnSizesWithThem();
    void baselineFollowsTheChoice();
    void baselineOfNoCurveIsMarked();
    void nothingMeasured();
    void qualityNeedsTrainedWeights();
    void identicalPicturesHaveNoPsnr();
    void cellsWithoutTheMetricAreCounted();
    void memoryOfTheProcessWhereNothingElseIsKnown();
    void tooltips();
    void hostBoundCellsAreSaid();
    void onlyPlaceIsASingleNumber();
    void aWideIntervalLeavesTheValuesTheirRoom_data();
    void aWideIntervalLeavesTheValuesTheirRoom();
    void thousandsOfCurvesAreCut();

private:
    static const Curve* find(const CurveSet& set, const char* name)
    {
        for (const Curve& curve : set.curves) {
            if (curve.name == QString::fromUtf8(name))
                return &curve;
        }
        return nullptr;
    }
    static CurveSet curvesOf(const RunData& data, const char* metric = "throughput",
                             const char* axis = "batch")
    {
        const Analysis analysis = qs::core::analyse(data, "best-bf16");
        return makeCurves(analysis, QStringLiteral("best-bf16"), metricNamed(metric),
                          QString::fromLatin1(axis));
    }
    static QString toolTipOf(const RunData& data, const CurvePoint& point)
    {
        const Analysis analysis = qs::core::analyse(data, "best-bf16");
        return pointToolTip(analysis, QStringLiteral("best-bf16"), metricNamed("throughput"),
                            *analysis.find(point.cellId.toStdString()));
    }
};

void CurveSeriesTest::oneCurvePerConfiguration()
{
    const RunData data = qs::tests::sampleRun();
    const CurveSet set = curvesOf(data);
    // Noise-floor runs (fp32, bf16 again) make no curves.
    QCOMPARE(set.curves.size(), std::size_t{4});
    const Curve* curve = find(set, "int8dq · cuda-graph");
    QVERIFY(curve != nullptr);
    QCOMPARE(curve->points.size(), std::size_t{3});
    QCOMPARE(curve->points[0].x, 1.0);
    QCOMPARE(curve->points[1].x, 4.0);
    QCOMPARE(curve->points[2].x, 16.0);
    QCOMPARE(curve->points[1].cellId, QStringLiteral("int8dq-cuda-graph-b4"));
    QCOMPARE(set.xLabel, QStringLiteral("Batch size"));
    QCOMPARE(set.yLabel, QStringLiteral("Throughput (images/s)"));
    QVERIFY(set.categories.isEmpty());
    QCOMPARE(sweptAxes(qs::core::analyse(data, "best-bf16")).join(QLatin1Char(' ')),
             QStringLiteral("precision compile batch"));
}

void CurveSeriesTest::thousandsOfCurvesAreCut()
{
    const RunData one = qs::tests::sampleRun();
    RunData data = one;
    for (int seed = 1; seed <= 100; ++seed) {
        for (qs::core::PlannedCell cell : one.plan.cells) {
            cell.id += "-s" + std::to_string(seed);
            cell.config.seed = 1000 + seed;
            data.plan.cells.push_back(std::move(cell));
        }
    }
    for (std::size_t row = 0; row < one.measurements.size(); ++row) {
        data.measurements.push_back(one.measurements[row]);
        data.measurements.back().cellId += "-s100";
    }
    const CurveSet set = curvesOf(data);
    QCOMPARE(set.curves.size(), kMostCurves);
    QCOMPARE(set.curves.front().points.size(), std::size_t{3});
    QVERIFY2(set.note.contains(QStringLiteral("200 of 404 curves are drawn")),
             qPrintable(set.note));
}

void CurveSeriesTest::valuesAndIntervals_data()
{
    QTest::addColumn<QByteArray>("metric");
    QTest::addColumn<double>("factor");  // value = factor * seconds ^ power
    QTest::addColumn<bool>("inverse");
    QTest::newRow("latency in ms") << QByteArray("latency") << 1e3 << false;
    QTest::newRow("time per image in ms") << QByteArray("unit_time") << 1e3 / 4.0 << false;
    QTest::newRow("throughput") << QByteArray("throughput") << 4.0 << true;
}

void CurveSeriesTest::valuesAndIntervals()
{
    QFETCH(QByteArray, metric);
    QFETCH(double, factor);
    QFETCH(bool, inverse);
    const RunData data = qs::tests::sampleRun();
    const Analysis analysis = qs::core::analyse(data, "best-bf16");
    const auto* cell = analysis.find("int8dq-none-b4");
    const CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"),
                                    metricNamed(metric.constData()), QStringLiteral("batch"));
    const CurvePoint& point = find(set, "int8dq · eager")->points[1];
    const auto expected = [&](double seconds) {
        return inverse ? factor / seconds : factor * seconds;
    };
    QCOMPARE(point.y, expected(cell->seconds));
    QVERIFY(point.interval.has_value());
    const auto& seconds = *cell->secondsInterval;
    QCOMPARE(point.interval->lower, expected(inverse ? seconds.upper : seconds.lower));
    QCOMPARE(point.interval->upper, expected(inverse ? seconds.lower : seconds.upper));
    QVERIFY(point.settled);
}

void CurveSeriesTest::hollowUntilThreeRounds()
{
    const CurveSet two = curvesOf(qs::tests::sampleRun({.rounds = 2}));
    QVERIFY(!two.curves[0].points[0].settled);
    QVERIFY(!two.curves[0].points[0].interval);
    QVERIFY(toolTipOf(qs::tests::sampleRun({.rounds = 2}), two.curves[0].points[0])
                .contains(QStringLiteral("Hollow")));
    QVERIFY(curvesOf(qs::tests::sampleRun({.rounds = 3})).curves[0].points[0].settled);
    // Outputs do not vary from repeat to repeat.
    const CurveSet ssim = curvesOf(qs::tests::sampleRun({.rounds = 1}), "ssim_mean");
    QVERIFY(find(ssim, "int8dq · eager")->points[0].settled);
}

void CurveSeriesTest::memoryEnd()
{
    const CurveSet set = curvesOf(qs::tests::sampleRun({.withFailures = true}));
    const Curve* graph = find(set, "bf16 · cuda-graph");
    QCOMPARE(graph->ends.size(), std::size_t{1});
    QCOMPARE(graph->ends[0].x, 64.0);
    QCOMPARE(graph->ends[0].y, graph->points.back().y);
    QVERIFY(graph->ends[0].toolTip.contains(QStringLiteral("out of memory")));
    // A timeout is no end of memory.
    QVERIFY(find(set, "int8dq · eager")->ends.empty());
}

void CurveSeriesTest::memoryEndWithoutAnyPoint()
{
    const RunData data = qs::tests::sampleRun();
    Analysis analysis = qs::core::analyse(data, "best-bf16");
    double lowest = HUGE_VAL;
    for (auto& cell : analysis.cells) {
        if (cell.cellId.starts_with("int8dq-none")) {
            cell.measured = false;
            cell.status = qs::core::CellStatus::Skipped;
            cell.failure = qs::core::Failure{.kind = qs::core::FailureKind::SmallerBatchOutOfMemory,
                                             .amount = 1.0};
        } else if (cell.cell->role == qs::core::CellRole::Swept) {
            lowest = std::min(lowest, cell.throughput);
        }
    }
    const CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"),
                                    metricNamed("throughput"), QStringLiteral("batch"));
    const Curve* curve = find(set, "int8dq · eager");
    QVERIFY(curve->points.empty());
    // Three batches did not fit; the smallest says it.
    QCOMPARE(curve->ends.size(), std::size_t{1});
    QCOMPARE(curve->ends[0].x, 1.0);
    QVERIFY(curve->ends[0].y < lowest);  // beside no number
}

void CurveSeriesTest::anotherAxis()
{
    const CurveSet set = curvesOf(qs::tests::sampleRun(), "throughput", "precision");
    QCOMPARE(set.categories, QStringList({QStringLiteral("bf16"), QStringLiteral("int8dq")}));
    QCOMPARE(set.curves.size(), std::size_t{6});
    const Curve* curve = find(set, "cuda-graph · batch 16");
    QVERIFY(curve != nullptr);
    QCOMPARE(curve->points.size(), std::size_t{2});
    QCOMPARE(curve->points[0].x, 0.0);
    QCOMPARE(curve->points[1].x, 1.0);
    QVERIFY(curve->precision.isEmpty());
    // Three batches with a baseline each stand above one another: marks, but no line.
    QVERIFY(set.baseline.size() > 3);
    QVERIFY(!set.baselineIsLine);
    QCOMPARE(curvesOf(qs::tests::sampleRun(), "throughput", "compile").categories,
             QStringList({QStringLiteral("eager"), QStringLiteral("cuda-graph")}));
}

void CurveSeriesTest::whatDiffersIsInTheName()
{
    RunData data = qs::tests::sampleRun();
    for (auto& cell : data.plan.cells) {
        if (cell.config.precision.front() == "int8dq" && cell.config.compile == "none")
            cell.config.layers = "mlp";
    }
    const CurveSet set = curvesOf(data);
    QVERIFY(find(set, "int8dq · eager · layers mlp") != nullptr);
    QVERIFY(find(set, "int8dq · cuda-graph · layers all") != nullptr);
    // It quantizes none of them.
    QVERIFY(find(set, "bf16 · eager") != nullptr);
    CurveSet beside = set;  // where entries stand for several curves
    beside.otherRuns << LaidRun{.name = QStringLiteral("yesterday"), .changed = {}};
    for (const LegendEntry& entry : legendEntries(beside))
        QVERIFY(!entry.name.isEmpty());
}

void CurveSeriesTest::aFilterOfWhatQuantizesNothingTellsNoCurves()
{
    RunData data = qs::tests::sampleRun();
    for (auto& cell : data.plan.cells)
        cell.config.layers = cell.config.precision.front() == "bf16" ? "all" : "mlp";
    const CurveSet set = curvesOf(data);
    QVERIFY(find(set, "int8dq · eager") != nullptr);
    QVERIFY(find(set, "bf16 · eager") != nullptr);
    // One curve through both precisions.
    const CurveSet across = curvesOf(data, "throughput", "precision");
    const Curve* curve = find(across, "cuda-graph · batch 16");
    QVERIFY(curve != nullptr);
    QCOMPARE(curve->points.size(), std::size_t{2});
    QVERIFY(!sweptAxes(qs::core::analyse(data, "best-bf16")).contains(QStringLiteral("layers")));
}

void CurveSeriesTest::aReferenceThatDoesOtherWorkIsNoCurve()
{
    RunData data = qs::tests::sampleRun();
    for (auto& cell : data.plan.cells) {
        if (cell.id == cell.referenceId)
            cell.role = qs::core::CellRole::QualityReference;
        else
            cell.config.workload = "quantize";
    }
    const CurveSet set = curvesOf(data);
    QVERIFY(!set.curves.empty());
    for (const Curve& curve : set.curves)
        QVERIFY2(curve.name != QLatin1String("bf16 · eager"), qPrintable(curve.name));
    const Analysis analysis = qs::core::analyse(data, "best-bf16");
    QVERIFY(!sweptAxes(analysis).contains(QStringLiteral("workload")));
    QCOMPARE(plottedMetrics(analysis).front()->name, std::string("latency"));
    QCOMPARE(plottedMetrics(qs::core::analyse(qs::tests::sampleRun(), "best-bf16")).front()->name,
             std::string("throughput"));

    for (auto& cell : data.plan.cells)
        cell.config.workload = "quantize";
    QVERIFY(find(curvesOf(data), "bf16 · eager") != nullptr);
}

void CurveSeriesTest::quantizingIsCountedInSeconds()
{
    RunData data = qs::tests::sampleRun();
    const auto isCountedIn = [&](const QString& unit, double factor) {
        const Analysis analysis = qs::core::analyse(data, "best-bf16");
        const MetricReader reader(metricNamed("latency"), analysis);
        const auto& cell = analysis.cells.front();
        QVERIFY2(reader.label().endsWith(unit), qPrintable(reader.label()));
        QCOMPARE(reader.value(cell).value_or(0.0), cell.seconds * factor);
    };
    isCountedIn(QStringLiteral("(ms)"), 1e3);
    for (auto& cell : data.plan.cells)
        cell.config.workload = "quantize";
    isCountedIn(QStringLiteral("(s)"), 1.0);
}

void CurveSeriesTest::aThirdAxisIsAMark()
{
    RunData data = qs::tests::sampleRun();
    // Of two precisions that a layer filter makes a difference to.
    for (auto& cell : data.plan.cells) {
        if (cell.config.precision.front() == "bf16")
            cell.config.precision = {"int8wo"};
    }
    const auto cells = data.plan.cells;
    for (auto cell : cells) {
        cell.id += "-mlp";
        cell.config.layers = "mlp";
        data.plan.cells.push_back(cell);
    }
    const auto rows = data.measurements;
    for (auto row : rows) {
        row.cellId += "-mlp";
        data.measurements.push_back(row);
    }
    const CurveSet set = curvesOf(data);
    QCOMPARE(set.curves.size(), std::size_t{8});
    std::vector<QString> rests;
    const std::vector<LegendEntry> entries = legendEntries(set);
    for (const auto& entry : entries) {
        if (entry.part == LegendPart::Rest)
            rests.push_back(entry.name);
    }
    QCOMPARE(entries.size(), std::size_t{6});  // two colours, two lines, two marks
    QCOMPARE(rests,
             (std::vector<QString>{QStringLiteral("layers all"), QStringLiteral("layers mlp")}));
    const auto styles = curveStyles(set, printTheme());
    for (std::size_t i = 0; i < styles.size(); ++i)
        QCOMPARE(styles[i].marker == styles[0].marker, set.curves[i].rest == rests[0]);
    // Points without a line have one mark for compile mode and rest: each curve is named.
    CurveSet points = set;
    for (auto& curve : points.curves)
        curve.points.resize(1);
    QCOMPARE(legendEntries(points).size(), std::size_t{8});
}

// Of precisions that all have the same options a short legend leaves these out.
void CurveSeriesTest::aShortLegendLeavesOutSharedOptions()
{
    CurveSet set;
    const std::vector<std::pair<const char*, const char*>> curves{
        {"gptq-int4-128:by=kernel:samples=8", "none"}, {"gptq-int4-64:samples=8", "fused"}};
    for (const auto& [precision, compile] : curves) {
        Curve curve;
        curve.precision = QString::fromLatin1(precision);
        curve.compile = QString::fromLatin1(compile);
        curve.key = curve.precision;
        curve.name = curve.precision + QString::fromUtf8(" · ") + curve.compile;
        curve.points.resize(1);
        set.curves.push_back(curve);
    }
    const std::vector<LegendEntry> entries = legendEntries(set);
    QCOMPARE(entries.size(), std::size_t{2});
    CurveLook look;
    QCOMPARE(nameIn(look, entries[0]), set.curves[0].name);
    look.shortLegend = true;
    QCOMPARE(nameIn(look, entries[0]), QString::fromUtf8("gptq-int4-128:by=kernel · none"));
    QCOMPARE(nameIn(look, entries[1]), QString::fromUtf8("gptq-int4-64 · fused"));
}

// Three models that were linked with three batches: one place for each.
void CurveSeriesTest::modelsHaveTheirOwnSizesWithThem()
{
    const auto shipped = qs::core::readRunFolder(qs::core::locatePrograms().resources /
                                                 "example_runs/llama_sizes_h200");
    QVERIFY(shipped.ok());
    RunData data = shipped.value();
    const Analysis analysis = qs::core::analyse(data, "same-eager");
    const auto first = [](const Analysis& of) { return firstAxis(sweptAxes(of), of); };
    QCOMPARE(first(analysis), QStringLiteral("model"));
    const auto along = [](const Analysis& of, const char* axis) {
        return makeCurves(of, QStringLiteral("same-eager"), metricNamed("throughput"),
                          QString::fromLatin1(axis));
    };
    const CurveSet models = along(analysis, "model");
    QCOMPARE(models.categories.size(), qsizetype{3});
    QVERIFY(models.categories.front().contains(QStringLiteral("te-llama:1b")));
    QVERIFY(models.categories.front().contains(QLatin1Char('4')));  // its batch
    // float8 in four modes and bf16 eager.
    QCOMPARE(models.curves.size(), std::size_t{5});
    for (const Curve& curve : models.curves)
        QCOMPARE(curve.points.size(), std::size_t{3});
    QCOMPARE(along(analysis, "batch").curves.size(), std::size_t{15});
    // One model at a batch that another has: then batches tell cells apart.
    auto twice = data.plan.cells.front();
    twice.id.front() = twice.id.front() == '0' ? '1' : '0';
    twice.config.batch = 64;
    data.plan.cells.push_back(twice);
    const Analysis crossed = qs::core::analyse(data, "same-eager");
    QCOMPARE(first(crossed), QStringLiteral("batch"));
    QCOMPARE(along(crossed, "model").categories.size(), qsizetype{3});
    QVERIFY(along(crossed, "model").curves.size() > 5);
    QCOMPARE(first({}), QStringLiteral("batch"));
}

void CurveSeriesTest::baselineFollowsTheChoice()
{
    const RunData data = qs::tests::sampleRun();
    for (const char* choice : {"best-bf16", "bf16-eager"}) {
        const Analysis analysis = qs::core::analyse(data, choice);
        const CurveSet set = makeCurves(analysis, QString::fromLatin1(choice),
                                        metricNamed("throughput"), QStringLiteral("batch"));
        const Curve* curve = find(set, std::string_view(choice) == "best-bf16" ? "bf16 · cuda-graph"
                                                                               : "bf16 · eager");
        QCOMPARE(set.baseline.size(), std::size_t{3});
        QVERIFY(set.baselineIsLine);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(set.baseline[i].x(), curve->points[i].x);
            QCOMPARE(set.baseline[i].y(), curve->points[i].y);
        }
        QVERIFY(set.baselineName.startsWith(QStringLiteral("baseline: ")));
    }
}

// One batch, and the baseline only there for the noise floor: it is marked all the same, and the
// axis of one value is not offered.
void CurveSeriesTest::baselineOfNoCurveIsMarked()
{
    RunData data = qs::tests::sampleRun();
    std::erase_if(data.plan.cells, [](const auto& cell) { return cell.config.batch != 4; });
    for (auto& cell : data.plan.cells) {
        if (cell.id == "bf16-cuda-graph-b4")
            cell.role = qs::core::CellRole::NoiseFloor;
    }
    const Analysis analysis = qs::core::analyse(data, "best-bf16");
    QCOMPARE(sweptAxes(analysis).join(QLatin1Char(' ')), QStringLiteral("precision compile"));
    const CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"),
                                    metricNamed("throughput"), QStringLiteral("precision"));
    const double best = analysis.find("bf16-cuda-graph-b4")->throughput;
    QCOMPARE(set.baseline.size(), std::size_t{2});
    for (const QPointF& point : set.baseline)
        QCOMPARE(point.y(), best);
    QVERIFY(set.baselineIsLine);
}

void CurveSeriesTest::nothingMeasured()
{
    const CurveSet planned = curvesOf(qs::tests::sampleRun({.rounds = 0}));
    QVERIFY(planned.empty());
    // They are there already, so that colours do not move while points arrive.
    QCOMPARE(planned.curves.size(), std::size_t{4});
    QVERIFY(planned.baseline.empty());
    const CurveSet none = makeCurves({}, QStringLiteral("best-bf16"), metricNamed("throughput"),
                                     QStringLiteral("batch"));
    QVERIFY(none.empty());
    QCOMPARE(sweptAxes({}), QStringList({QStringLiteral("batch")}));
}

void CurveSeriesTest::qualityNeedsTrainedWeights()
{
    QVERIFY(!curvesOf(qs::tests::sampleRun(), "ssim_mean").empty());
    QVERIFY(curvesOf(qs::tests::sampleRun(), "ssim_mean").baseline.empty());
    QVERIFY(curvesOf(qs::tests::sampleRun({.trained = false}), "ssim_mean").empty());
    QVERIFY(curvesOf(qs::tests::sampleRun({.trained = false}), "psnr_mean").empty());
}

void CurveSeriesTest::identicalPicturesHaveNoPsnr()
{
    const CurveSet set = curvesOf(qs::tests::sampleRun(), "psnr_mean");
    QVERIFY(find(set, "bf16 · cuda-graph")->points.empty());
    QCOMPARE(find(set, "int8dq · eager")->points.size(), std::size_t{3});
    QVERIFY(set.note.endsWith(QStringLiteral(": 3 cells identical to the reference.")));
}

void CurveSeriesTest::cellsWithoutTheMetricAreCounted()
{
    const RunData data = qs::tests::sampleRun();
    Analysis analysis = qs::core::analyse(data, "best-bf16");
    const auto noteOf = [&analysis] {
        return makeCurves(analysis, QStringLiteral("best-bf16"), metricNamed("allocated_peak"),
                          QStringLiteral("batch"))
            .note;
    };
    QCOMPARE(noteOf(), QString());
    for (qs::core::CellSummary& cell : analysis.cells) {
        if (cell.cellId == "int8dq-none-b4" || cell.cellId == "int8dq-none-b16")
            cell.memory.allocatedPeak.reset();
    }
    QVERIFY2(noteOf().contains(QStringLiteral(": 2 cells")), qPrintable(noteOf()));
}

void CurveSeriesTest::memoryOfTheProcessWhereNothingElseIsKnown()
{
    const RunData data = qs::tests::sampleRun();
    Analysis analysis = qs::core::analyse(data, "best-bf16");
    const auto make = [&] {
        for (const qs::core::Metric* metric : plottedMetrics(analysis)) {
            if (metric->unit == qs::core::MetricUnit::Bytes)
                return makeCurves(analysis, QStringLiteral("best-bf16"), *metric,
                                  QStringLiteral("batch"));
        }
        return CurveSet();
    };
    QVERIFY(make().yLabel.contains(QStringLiteral("allocated")));
    analysis.cells[0].memory.allocatedPeak.reset();
    analysis.cells[0].memory.processPeak = std::int64_t{3} << 30;
    const CurveSet set = make();
    QVERIFY(set.yLabel.contains(QStringLiteral("process")));
    QCOMPARE(set.curves[0].points[0].y, 3.0);
}

void CurveSeriesTest::hostBoundCellsAreSaid()
{
    const RunData data = qs::tests::hostBoundRun(
        [](const qs::core::CellConfig& config) { return config.compile == "none"; });
    const Analysis analysis = analyse(data, "best-bf16");
    const QString baseline = QStringLiteral("best-bf16");
    const CurveSet speed =
        makeCurves(analysis, baseline, metricNamed("throughput"), QStringLiteral("batch"));
    QCOMPARE(speed.hostBound, 6);  // two precisions at three batches
    QVERIFY(!speed.note.isEmpty());
    const auto linesOf = [&](const char* compile, const char* metric) {
        return pointToolTip(analysis, baseline, metricNamed(metric),
                            *analysis.find(qs::tests::sampleCellId("int8dq", compile, 4)))
            .count(QLatin1Char('\n'));
    };
    QCOMPARE(linesOf("none", "throughput"), linesOf("cuda-graph", "throughput") + 1);
    const CurveSet quality =
        makeCurves(analysis, baseline, metricNamed("ssim_mean"), QStringLiteral("batch"));
    QCOMPARE(quality.hostBound, 0);
}

void CurveSeriesTest::tooltips()
{
    const auto shipped =
        qs::core::readRunFolder(qs::core::locatePrograms().resources / "example_runs/demo_h200");
    QVERIFY(shipped.ok());
    const Analysis analysis = qs::core::analyse(shipped.value(), "best-bf16");
    int open = 0;
    for (const qs::core::CellSummary& cell : analysis.cells) {
        if (!cell.claim || !cell.claim->outlook)
            continue;
        ++open;
        QVERIFY(pointToolTip(analysis, QStringLiteral("best-bf16"), metricNamed("throughput"), cell)
                    .contains(QString::fromStdString(qs::core::outlookText(*cell.claim))));
    }
    QVERIFY(open > 0);
    const qs::core::RunData data = qs::tests::sampleRun();
    const QString tip = toolTipOf(data, find(curvesOf(data), "int8dq · cuda-graph")->points[1]);
    QVERIFY(tip.startsWith(QStringLiteral("int8dq · cuda-graph · batch 4\nThroughput: ")));
    QVERIFY(tip.contains(QStringLiteral("images/s")));
    QVERIFY(tip.contains(QStringLiteral("95 % interval")));
    QVERIFY(tip.contains(QStringLiteral("3 of 3 repeats")));
    QVERIFY(tip.contains(QStringLiteral("Executed: encoder int8dq 56/58 layers, decoder")));
    QVERIFY2(tip.contains(QStringLiteral("\nVerdict: ")), qPrintable(tip));
    qs::core::RunData begun = qs::tests::sampleRun({.rounds = 2});
    begun.plan.preset.rounds = 5;
    const QString waiting =
        toolTipOf(begun, find(curvesOf(begun), "int8dq · cuda-graph")->points[1]);
    QVERIFY2(waiting.contains(QStringLiteral("No verdict with fewer than three repeats: 2 of 5")),
             qPrintable(waiting));
}

void CurveSeriesTest::onlyPlaceIsASingleNumber()
{
    CurveSet set;
    QVERIFY(!onlyPlace(set));
    set.curves.resize(2);
    set.curves[0].points.resize(1);
    set.curves[0].points[0].x = 16.0;
    set.curves[1].ends.resize(1);
    set.curves[1].ends[0].x = 16.0;
    set.planned = {16.0};
    QCOMPARE(onlyPlace(set), std::optional(16.0));
    set.planned.push_back(64.0);  // still to come
    QVERIFY(!onlyPlace(set));
    set.planned.clear();
    set.curves[1].ends[0].x = 64.0;
    QVERIFY(!onlyPlace(set));
    set.curves.pop_back();
    set.categories = {QStringLiteral("math")};
    QVERIFY(!onlyPlace(set));
}

void CurveSeriesTest::aWideIntervalLeavesTheValuesTheirRoom_data()
{
    QTest::addColumn<bool>("logarithmic");
    QTest::newRow("linear") << false;
    QTest::newRow("logarithmic") << true;
}

void CurveSeriesTest::aWideIntervalLeavesTheValuesTheirRoom()
{
    QFETCH(const bool, logarithmic);
    CurveSet set;
    set.metric = &metricNamed("throughput");
    set.yLimits = metricLimits(*set.metric);
    set.curves.resize(1);
    set.curves[0].points.resize(2);
    set.curves[0].points[0].y = 20.0;
    set.curves[0].points[1].y = 80.0;
    const auto seen = [&](double lower, double upper) {
        set.curves[0].points[1].interval = qs::core::Interval{.lower = lower, .upper = upper};
        const QRectF range = fullRange(set, {.logarithmicY = logarithmic});
        return QCPRange(range.top(), range.bottom());
    };
    // One that is read is seen whole.
    QVERIFY(seen(50.0, 120.0).contains(120.0));
    // The values keep a good part of the height.
    const QCPRange wide = seen(1e-6, 4000.0);
    QVERIFY(wide.contains(20.0) && wide.contains(80.0));
    QVERIFY2(wide.upper < 500.0, qPrintable(QString::number(wide.upper)));
    QVERIFY(logarithmic ? wide.lower > 1.0 : wide.lower == 0.0);
    // Of nearly equal values it is the noise that one wants to see.
    set.metric = &metricNamed("ssim_mean");
    set.yLimits = {};
    set.curves[0].points[0].y = 0.9951;
    set.curves[0].points[1].y = 0.9952;
    const QCPRange noise = seen(0.99, 0.999);
    QVERIFY(noise.contains(0.99) && noise.contains(0.999));
}

const tests::GuiTest<CurveSeriesTest> registered(__FILE_NAME__);

}  // namespace qs::tst_curve_series

#include "tst_curve_series.moc"
