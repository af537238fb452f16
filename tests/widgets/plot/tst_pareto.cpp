#include "core/record/run_folder.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/other_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plot/curve_axes.h"
#include "widgets/plot/curve_overlay.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/pareto_drawing.h"
#include "widgets/plot/pareto_series.h"
#include "widgets/plot/pareto_view.h"
#include "widgets/plot/qcustomplot.h"

#include <QComboBox>
#include <QLabel>

#include <algorithm>
#include <set>

namespace qs::tst_pareto {

using namespace widgets;
using tests::sampleRun;

namespace {

const qs::core::Metric& metric(const char* name)
{
    return *qs::core::metricRegistry().find(name);
}

struct Point {
    double x = 0.0;
    double y = 0.0;
};

std::vector<Point> pointsOf(const CurveSet& set)
{
    std::vector<Point> points;
    for (const Curve& curve : set.curves) {
        for (const CurvePoint& point : curve.points)
            points.push_back({point.x, point.y});
    }
    return points;
}

struct Shown {
    RunStore store;
    ParetoView view{store};
    CurvePlot& plot = *view.findChild<CurvePlot*>();
    QCustomPlot& canvas = *view.findChild<QCustomPlot*>();

    Shown()
    {
        store.setRun(sampleRun());
        view.resize(700, 500);
        view.show();
    }
    [[nodiscard]] bool paint()
    {
        const bool exposed = QTest::qWaitForWindowExposed(&view);
        const bool filled = QTest::qWaitFor([this] { return !plot.curves().empty(); });
        canvas.replot();
        return exposed && filled;
    }
};

// int8dq has lost half of its speed-up.
qs::core::RunData slowerRun()
{
    qs::core::RunData data = sampleRun();
    for (qs::core::Measurement& row : data.measurements) {
        for (double& seconds : row.result.deviceSeconds)
            seconds *= row.cellId.starts_with("int8dq") ? 1.5 : 1.0;
    }
    return data;
}

// Three precisions in these compile modes at one batch.
CurveSet factored(const std::vector<const char*>& modes = {"none", "cuda-graph"})
{
    CurveSet set;
    set.metric = &metric("throughput");
    set.axis = QStringLiteral("batch");
    double y = 1.0;
    for (const char* precision : {"bf16", "int8dq", "int8wo"}) {
        for (const char* compile : modes) {
            Curve curve;
            curve.precision = QString::fromLatin1(precision);
            curve.compile = QString::fromLatin1(compile);
            curve.key = curve.precision + curve.compile;
            curve.name = curve.key;
            curve.points.push_back({curve.key, 4.0, y++, {}, true});
            set.curves.push_back(curve);
        }
    }
    return set;
}

}  // namespace

class ParetoTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { qs::tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    // By brute force: nothing beats a point of the frontier in both, and something beats, or
    // equals, every other.
    void frontierIsOfThoseThatNothingBeats_data()
    {
        QTest::addColumn<QString>("over");
        QTest::newRow("faster is better") << QStringLiteral("throughput");
        QTest::newRow("less is better") << QStringLiteral("latency");
    }

    void frontierIsOfThoseThatNothingBeats()
    {
        QFETCH(const QString, over);
        const qs::core::RunData data = sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        const qs::core::Metric& y = metric(over.toLatin1().constData());
        const CurveSet set =
            makePareto(analysis, QStringLiteral("best-bf16"), y, metric("ssim_mean"), {});
        const std::vector<Point> points = pointsOf(set);
        QVERIFY(points.size() >= 8);
        const double way = y.better == qs::core::Better::Higher ? 1.0 : -1.0;
        const auto beaten = [&](const Point& point) {
            return std::any_of(points.begin(), points.end(), [&](const Point& other) {
                return other.x >= point.x && way * other.y >= way * point.y &&
                       (other.x > point.x || way * other.y > way * point.y);
            });
        };
        std::set<std::pair<double, double>> expected;
        for (const Point& point : points) {
            if (!beaten(point))
                expected.emplace(point.x, point.y);
        }
        std::set<std::pair<double, double>> found;
        for (const QPointF& point : set.frontier)
            found.emplace(point.x(), point.y());
        QVERIFY(found == expected);
    }

    void sizesFollowTheMemory()
    {
        const qs::core::RunData data = sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        const CurveSet set = makePareto(analysis, QStringLiteral("best-bf16"), metric("throughput"),
                                        metric("ssim_mean"), {});
        std::vector<std::pair<std::int64_t, double>> sizes;
        for (const Curve& curve : set.curves) {
            for (const CurvePoint& point : curve.points) {
                const auto* cell = analysis.find(point.cellId.toStdString());
                QVERIFY(cell->memory.allocatedPeak.has_value());
                sizes.emplace_back(*cell->memory.allocatedPeak, point.size);
            }
        }
        std::sort(sizes.begin(), sizes.end());
        QVERIFY(std::is_sorted(sizes.begin(), sizes.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; }));
        QVERIFY(sizes.front().second < sizes.back().second);
    }

    void limitAndFloorAreDrawn()
    {
        const qs::core::RunData data = sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        const auto rules = [&](const qs::core::AnswerQuestion& question) {
            return makePareto(analysis, QStringLiteral("best-bf16"), metric("speedup"),
                              metric("ssim_mean"), question)
                .rules;
        };
        const std::vector<CurveRule> floor = rules({});
        QCOMPARE(floor.size(), std::size_t{1});
        double distance = 0.0;
        for (const auto& each : analysis.floors)
            distance = std::max(distance, each.distance);
        QCOMPARE(floor[0].at, 1.0 - distance);
        QVERIFY(!floor[0].wanted);
        const std::vector<CurveRule> ssim =
            rules({.limit = qs::core::QualityLimit::MinimumLikeness, .minimumLikeness = 0.97});
        QCOMPARE(ssim.size(), std::size_t{2});
        QCOMPARE(ssim[0].at, 0.97);
        QVERIFY(ssim[0].wanted);
        const std::vector<CurveRule> noise = rules({.limit = qs::core::QualityLimit::WithinNoise});
        QCOMPARE(noise.size(), std::size_t{2});
        QCOMPARE(noise[1].at, 1.0 - qs::core::kNoiseLimit * distance);
    }

    void pointsBeyondTheAxesAreCounted()
    {
        Shown shown;
        QVERIFY(shown.paint());
        QCOMPARE(pointsOutside(shown.plot.curves(), shown.plot.look(), shown.plot.visibleRange()),
                 0);
        const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("paretoNote"));
        const QString before = note->text();
        shown.plot.zoomBy(0.2);
        const int outside =
            pointsOutside(shown.plot.curves(), shown.plot.look(), shown.plot.visibleRange());
        QVERIFY(outside > 0);
        QVERIFY2(note->text().startsWith(QString::number(outside)), qPrintable(note->text()));
        // What is hidden is not missed.
        for (const Curve& curve : shown.plot.curves().curves)
            shown.plot.setCurveShown(curve.key, false);
        QCOMPARE(pointsOutside(shown.plot.curves(), shown.plot.look(), shown.plot.visibleRange()),
                 0);
        shown.plot.resetZoom();
        QCOMPARE(note->text(), before);
    }

    void aFarLimitLeavesTheCellsTheirRoom()
    {
        Shown shown;
        const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("paretoNote"));
        const auto ask = [&](double limit) {
            shown.view.setQuestion(
                {.limit = qs::core::QualityLimit::MinimumLikeness, .minimumLikeness = limit});
            return shown.paint();
        };
        QVERIFY(ask(0.97));
        const CurveRule near = shown.plot.curves().rules.at(0);
        QVERIFY(shown.plot.visibleRange().left() <= 0.97);
        QVERIFY(!note->text().contains(near.name));
        QVERIFY(ask(0.1));
        const CurveRule far = shown.plot.curves().rules.at(0);
        QCOMPARE(far.at, 0.1);
        QVERIFY(shown.plot.visibleRange().left() > 0.1);
        QVERIFY(note->text().contains(far.name));
        QCOMPARE(pointsOutside(shown.plot.curves(), shown.plot.look(), shown.plot.visibleRange()),
                 0);
    }

    // An SSIM of 1.05 is none.
    void axesEndWhereTheMetricEnds()
    {
        Shown shown;
        QVERIFY(shown.paint());
        const QRectF range = shown.plot.visibleRange();
        QVERIFY2(range.right() <= 1.0 + 0.05 * range.width(),
                 qPrintable(QString::number(range.right())));
        const QVector<double> ticks = shown.canvas.xAxis->tickVector();
        QVERIFY(!ticks.isEmpty());
        for (const double tick : ticks)
            QVERIFY2(tick <= 1.0 + 1e-6, qPrintable(QString::number(tick)));
        // Nor by dragging.
        const QPoint start = shown.canvas.axisRect()->rect().center();
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, start);
        for (const int far : {100, 400, 4000}) {
            const QPoint to = start - QPoint(far, 0);
            QMouseEvent move(QEvent::MouseMove, to, shown.canvas.mapToGlobal(to), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&shown.canvas, &move);
        }
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, start - QPoint(4000, 0));
        QVERIFY(shown.plot.visibleRange().left() < 1.0);
        QVERIFY(shown.plot.visibleRange().right() <= 1.0 + 0.11 * range.width());
    }

    void aPointIsItsCell()
    {
        Shown shown;
        QVERIFY(shown.paint());
        const QString cell = QStringLiteral("int8dq-cuda-graph-b16");
        const auto place = shown.plot.positionOf(cell);
        QVERIFY(place.has_value());
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, *place);
        // Another one may lie there too: the next click is the next.
        for (int i = 0; i < 12 && shown.store.selectedCell() != cell; ++i)
            QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, *place);
        QCOMPARE(shown.store.selectedCell(), cell);
        shown.store.selectCell(QStringLiteral("int8dq-none-b4"));
        QCOMPARE(shown.plot.look().selectedCell, QStringLiteral("int8dq-none-b4"));
    }

    // The points of another run lie in the same plot, with a frontier of their own.
    void otherRunsLieOverIt()
    {
        Shown shown;
        shown.store.others().lay({qs::tests::otherRun("yesterday", slowerRun())});
        QVERIFY(shown.paint());
        QTRY_VERIFY(!shown.plot.curves().otherRuns.isEmpty());
        shown.canvas.replot();
        const CurveSet& set = shown.plot.curves();
        const auto beside = shown.store.others().beside();
        const CurveSet alone =
            makePareto(beside.front()->run->analysis, QStringLiteral("best-bf16"), *set.metric,
                       metric("ssim_mean"), {});
        const auto pointsOfRun = [](const CurveSet& from, int run) {
            std::size_t count = 0;
            for (const Curve& curve : from.curves)
                count += curve.run == run ? curve.points.size() : 0;
            return count;
        };
        QVERIFY(pointsOfRun(alone, 0) > 4);
        QCOMPARE(pointsOfRun(set, 1), pointsOfRun(alone, 0));
        QCOMPARE(pointsOfRun(set, 0), pointsOfRun(alone, 0));
        QVERIFY(!set.otherRuns.front().frontier.empty());
        QCOMPARE(set.otherRuns.front().frontier, alone.frontier);
        QVERIFY(set.frontier != alone.frontier);
        const auto frontiers = frontiersOf(set, shown.plot.look());
        QCOMPARE(frontiers.size(), std::size_t{2});
        const std::vector<LegendEntry> entries = legendEntries(set);
        QCOMPARE(entries.back().part, LegendPart::Run);
        // Lines of the legend: those entries, baseline, noise floor and both frontiers.
        QCOMPARE(shown.canvas.legend->itemCount(), static_cast<int>(entries.size()) + 4);

        const QString there = overlaidId({0, QStringLiteral("int8dq-cuda-graph-b16")});
        const auto place = shown.plot.positionOf(there);
        QVERIFY(place.has_value());
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, *place);
        for (int i = 0; i < 24 && shown.plot.look().selectedCell != there; ++i)
            QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, *place);
        QCOMPARE(shown.plot.look().selectedCell, there);
        QCOMPARE(shown.store.selectedCell(), QStringLiteral("int8dq-cuda-graph-b16"));
        qs::tests::screenshot(shown.view, QStringLiteral("pareto-of-two-runs"));

        // Its frontier goes with its points.
        for (const Curve& curve : shown.plot.curves().curves) {
            if (curve.run == 1)
                shown.plot.setCurveShown(curve.key, false);
        }
        QCOMPARE(frontiersOf(shown.plot.curves(), shown.plot.look()).size(), std::size_t{1});
        shown.store.others().leave();
        QTRY_VERIFY(shown.plot.curves().otherRuns.isEmpty());
        QCOMPARE(shown.plot.look().selectedCell, QStringLiteral("int8dq-cuda-graph-b16"));
    }

    // Points without a legend are colours without a meaning.
    void aMissingLegendIsSaid()
    {
        Shown shown;
        QVERIFY(shown.paint());
        const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("paretoNote"));
        const QString before = note->text();
        QVERIFY(shown.plot.look().legend != LegendPlace::None);
        shown.view.resize(360, 260);
        QTRY_COMPARE(shown.plot.look().legend, LegendPlace::None);
        QTRY_VERIFY(note->text() != before);
        shown.view.resize(700, 500);
        QTRY_COMPARE(note->text(), before);
    }

    void metricsAreChosen()
    {
        Shown shown;
        QVERIFY(shown.paint());
        auto* over = shown.view.findChild<QComboBox*>(QStringLiteral("paretoMetric"));
        QCOMPARE(over->currentData().toString(), QStringLiteral("speedup"));
        over->setCurrentIndex(over->findData(QStringLiteral("throughput")));
        QCOMPARE(QString::fromStdString(shown.plot.curves().metric->name),
                 QStringLiteral("throughput"));
        auto* quality = shown.view.findChild<QComboBox*>(QStringLiteral("paretoQuality"));
        QCOMPARE(quality->currentData().toString(), QStringLiteral("ssim_mean"));
        const int psnr = quality->findData(QStringLiteral("psnr_mean"));
        QVERIFY(psnr >= 0);
        quality->setCurrentIndex(psnr);
        QVERIFY(shown.plot.curves().rules.empty());
        QVERIFY(!shown.plot.curves().empty());
    }

    void legendsAreFactored()
    {
        const CurveSet set = factored();
        const std::vector<LegendEntry> entries = legendEntries(set);
        QCOMPARE(entries.size(), std::size_t{5});  // three colours and two lines for six curves
        QCOMPARE(std::count_if(entries.begin(), entries.end(),
                               [](const auto& each) { return each.part == LegendPart::Precision; }),
                 std::ptrdiff_t{3});
        // The entry of a precision is all of its curves.
        const QString int8 = entries[1].key;
        QCOMPARE(std::count_if(set.curves.begin(), set.curves.end(),
                               [&](const Curve& curve) { return isOf(curve, int8); }),
                 std::ptrdiff_t{2});
        QCOMPARE(cellOfKey(set, int8, {}), QStringLiteral("int8dqcuda-graph"));  // its best

        CurvePlot plot;
        plot.resize(700, 500);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setCurves(set);
        auto& canvas = *plot.findChild<QCustomPlot*>();
        canvas.replot();
        QCOMPARE(canvas.legend->itemCount(), 5);
        QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ControlModifier,
                          canvas.legend->item(1)->rect().center());
        QCOMPARE(plot.look().hidden,
                 QSet<QString>({QStringLiteral("int8dqnone"), QStringLiteral("int8dqcuda-graph")}));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.legend->item(1)->rect().center());
        QVERIFY(plot.look().hidden.isEmpty());
        // With something else that differs, each curve is named.
        CurveSet more = set;
        more.curves[1].variant = 1;
        QCOMPARE(legendEntries(more).size(), std::size_t{6});
    }

    // Half of the height is that of the axes, on the half of a small screen that the plot has.
    void aLegendOfManyModesLeavesTheAxesTheirRoom()
    {
        const std::vector<const char*> modes{"none",
                                             "cuda-graph",
                                             "inductor-default",
                                             "inductor-reduce-overhead",
                                             "inductor-max-autotune",
                                             "inductor-max-autotune-no-cudagraphs",
                                             "fused"};
        CurvePlot plot;
        plot.resize(462, 285);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setCurves(factored(modes));
        auto& canvas = *plot.findChild<QCustomPlot*>();
        canvas.replot();
        qs::tests::screenshot(plot, QStringLiteral("legend_of_many_modes"));
        QCOMPARE(plot.look().legend, LegendPlace::Below);
        QVERIFY(plot.look().shortLegend);
        const auto named = [&] {
            QSet<QString> names;
            for (int i = 0; i < canvas.legend->itemCount(); ++i)
                names << qobject_cast<QCPPlottableLegendItem*>(canvas.legend->item(i))
                             ->plottable()
                             ->name();
            return names;
        };
        // Three precisions and the modes: short, and none of them like another.
        QCOMPARE(named().size(), static_cast<qsizetype>(3 + modes.size()));
        QVERIFY(named().contains(QStringLiteral("reduce-overhead")));
        QVERIFY(named().contains(QStringLiteral("inductor-default")));
        QVERIFY(canvas.axisRect()->height() * 2 >= plot.height());
        QVERIFY(canvas.legend->rect().bottom() <= canvas.height());
        // With room they have their names.
        plot.resize(1100, 600);
        QTRY_VERIFY(!plot.look().shortLegend);
        canvas.replot();
        QVERIFY(named().contains(QStringLiteral("inductor-reduce-overhead")));
    }

    // Long names of many curves: they are cut, and so is the list of them, not the axes.
    void aLegendBelowKeepsToItsThirdOfThePlot()
    {
        CurveSet set;
        set.metric = &metric("throughput");
        set.axis = QStringLiteral("precision");
        for (int i = 0; i < 12; ++i) {
            Curve curve;
            curve.key = QString::number(i);
            curve.name =
                QStringLiteral("float8-delayed:history=1:amax=recent:rest=fp32 · mode %1").arg(i);
            curve.points.push_back({curve.key, 4.0, i + 1.0, {}, true});
            set.curves.push_back(curve);
        }
        CurvePlot plot;
        plot.resize(320, 380);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setCurves(set);
        auto& canvas = *plot.findChild<QCustomPlot*>();
        canvas.replot();
        QCOMPARE(plot.look().legend, LegendPlace::Below);
        QVERIFY(plot.look().legendEntries < curvesToName(set));
        QCOMPARE(canvas.legend->itemCount(), plot.look().legendEntries);
        QVERIFY(canvas.legend->rect().height() * 3 <= plot.height());
        for (int i = 0; i < canvas.legend->itemCount(); ++i) {
            auto* item = qobject_cast<QCPPlottableLegendItem*>(canvas.legend->item(i));
            const QString name = item->plottable()->name();
            QVERIFY(QFontMetrics(item->font()).horizontalAdvance(name) < canvas.width());
            QVERIFY(name.endsWith(QStringLiteral("mode %1").arg(i)));
        }
    }

    void aLegendWithoutRoomBesideStandsBelow()
    {
        CurveSet set;
        set.metric = &metric("throughput");
        set.axis = QStringLiteral("batch");
        for (int i = 0; i < 14; ++i) {
            for (const char* compile : {"none", "cuda-graph"}) {
                Curve curve;
                curve.precision = QStringLiteral("precision %1").arg(i);
                curve.compile = QString::fromLatin1(compile);
                curve.key = curve.precision + curve.compile;
                curve.name = curve.key;
                curve.points.push_back({curve.key, 4.0, i + 1.0, {}, true});
                set.curves.push_back(curve);
            }
        }
        CurvePlot plot;
        plot.resize(1300, 270);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setCurves(set);
        QCOMPARE(plot.look().legend, LegendPlace::Below);
        plot.resize(1300, 600);
        QTRY_COMPARE(plot.look().legend, LegendPlace::Right);
    }

    void aCutLegendIsSaid()
    {
        Shown shown;
        shown.store.setRun(qs::core::readRunFolder(qs::core::locatePrograms().resources /
                                                   "example_runs/resnet_guide_h200")
                               .value());
        shown.view.resize(340, 420);
        QVERIFY(shown.paint());
        const int all = curvesToName(shown.plot.curves());
        QTRY_VERIFY(shown.plot.look().legend == LegendPlace::Below &&
                    shown.plot.look().legendEntries < all);
        const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("paretoNote"));
        QTRY_VERIFY(note->text().contains(QString::number(all)));
        shown.view.resize(1300, 900);
        QTRY_VERIFY(!note->text().contains(QString::number(all)));
    }

    void hiddenPointsAreSaid()
    {
        CurveSet set = factored();
        for (Curve& curve : set.curves)
            curve.points[0].y = 2.0;  // all at one place
        CurvePlot plot;
        plot.setToolTips([](const QString& id) { return id; });
        plot.resize(700, 500);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.setCurves(set);
        auto& canvas = *plot.findChild<QCustomPlot*>();
        canvas.replot();
        QSet<QString> clicked;
        connect(&plot, &CurvePlot::cellClicked, &plot, [&](const QString& cell) {
            clicked << cell;
            plot.setSelectedCell(cell);
        });
        const QPoint place = *plot.positionOf(set.curves[0].points[0].cellId);
        for (std::size_t i = 0; i < set.curves.size(); ++i)
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, place);
        QCOMPARE(clicked.size(), static_cast<qsizetype>(set.curves.size()));
    }

    void pictures()
    {
        for (const bool dark : {false, true}) {
            QApplication::setPalette(dark ? qs::tests::darkPalette() : qs::tests::lightPalette());
            Shown shown;
            QVERIFY(shown.paint());
            const QImage image = qs::tests::screenshot(
                shown.view, dark ? QStringLiteral("pareto-dark") : QStringLiteral("pareto-light"));
            QVERIFY(!image.isNull());
        }
        QApplication::setPalette(qs::tests::lightPalette());
    }
};

const tests::GuiTest<ParetoTest> registered(__FILE_NAME__);

}  // namespace qs::tst_pareto

#include "tst_pareto.moc"
