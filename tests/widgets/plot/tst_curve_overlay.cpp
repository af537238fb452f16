#include "widgets/plot/curve_overlay.h"

#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/other_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_view.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/qcustomplot.h"

#include <QLabel>

#include <algorithm>

namespace qs::tst_curve_overlay {

using namespace widgets;
using tests::otherRun;
using tests::sampleRun;

namespace {

// Batch 64 in place of batch 1.
qs::core::RunData changedRun()
{
    qs::core::RunData data = sampleRun();
    for (qs::core::PlannedCell& cell : data.plan.cells) {
        if (cell.config.batch == 1)
            cell.config.batch = 64;
    }
    return data;
}

struct Shown {
    RunStore store;
    CurveView view{store};
    CurvePlot& plot = *view.findChild<CurvePlot*>();
    QCustomPlot& canvas = *view.findChild<QCustomPlot*>();

    explicit Shown(qs::core::RunData other = sampleRun())
    {
        store.setRun(sampleRun());
        QCoreApplication::processEvents();
        view.resize(1000, 560);
        view.show();
        store.others().lay({otherRun("yesterday", std::move(other))});
    }
    [[nodiscard]] bool paint()
    {
        const bool drawn = QTest::qWaitFor([this] { return !plot.curves().otherRuns.isEmpty(); }) &&
                           QTest::qWaitForWindowExposed(&view);
        canvas.replot();
        return drawn;
    }
    // In pixels of the canvas, where clicks go.
    [[nodiscard]] QPoint at(const QString& point) const
    {
        return plot.positionOf(point).value_or(QPoint(-1, -1));
    }
    [[nodiscard]] std::ptrdiff_t curvesOf(int run) const
    {
        const auto& curves = plot.curves().curves;
        return std::count_if(curves.begin(), curves.end(),
                             [run](const Curve& curve) { return curve.run == run; });
    }
};

}  // namespace

// Curves of several runs in one plot.
class TestCurveOverlay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        qs::tests::failOnQtWarnings();
        QApplication::setPalette(qs::tests::lightPalette());
    }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void namesOfPoints()
    {
        QVERIFY(!overlaidCell(QStringLiteral("int8dq-none-b4")));
        const auto cell = overlaidCell(overlaidId({2, QStringLiteral("int8dq-none-b4")}));
        QVERIFY(cell.has_value());
        QCOMPARE(cell->run, std::size_t{2});
        QCOMPARE(cell->cellId, QStringLiteral("int8dq-none-b4"));
    }

    // One colour for a precision in all runs, another mark for another run.
    void looksOfRuns()
    {
        Shown shown;
        QVERIFY(shown.paint());
        QVERIFY(shown.curvesOf(0) > 1);
        QCOMPARE(shown.curvesOf(1), shown.curvesOf(0));
        const CurveSet& set = shown.plot.curves();
        const std::vector<CurveStyle> styles = curveStyles(set, shown.plot.look().theme);
        for (std::size_t i = 0; i < set.curves.size(); ++i) {
            for (std::size_t j = 0; j < set.curves.size(); ++j) {
                if (set.curves[i].precision != set.curves[j].precision ||
                    set.curves[i].compile != set.curves[j].compile)
                    continue;
                QCOMPARE(styles[i].color, styles[j].color);
                QCOMPARE(styles[i].dashes, styles[j].dashes);
                QCOMPARE(styles[i].marker == styles[j].marker,
                         set.curves[i].run == set.curves[j].run);
            }
        }
        const std::vector<LegendEntry> entries = legendEntries(set);
        const auto runs = std::count_if(entries.begin(), entries.end(), [](const auto& entry) {
            return entry.part == LegendPart::Run;
        });
        QCOMPARE(runs, 2);
        QCOMPARE(entries.back().name, QStringLiteral("yesterday"));
        // The other run adds two lines to the legend and no more.
        const CurveSet alone =
            makeCurves(shown.store.analysis(), shown.store.baseline(), *set.metric, set.axis);
        QVERIFY(entries.size() <= legendEntries(alone).size() + 2);
        QCOMPARE(shown.canvas.legend->itemCount(), static_cast<int>(entries.size()) + 1);
        qs::tests::screenshot(shown.view, QStringLiteral("curves-of-two-runs"));
    }

    void aPointOfEitherIsItsCell()
    {
        qs::core::RunData slower = sampleRun();
        for (qs::core::Measurement& row : slower.measurements) {
            for (double& seconds : row.result.deviceSeconds)
                seconds *= 1.5;
        }
        Shown shown(std::move(slower));
        QVERIFY(shown.paint());
        const QString id = QStringLiteral("int8dq-none-b4");
        const QString there = overlaidId({0, id});
        QVERIFY(shown.at(id) != shown.at(there));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(there));
        QCOMPARE(shown.store.selectedCell(), id);
        QCOMPARE(shown.plot.look().selectedCell, there);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(id));
        QCOMPARE(shown.store.selectedCell(), id);
        QCOMPARE(shown.plot.look().selectedCell, id);
        // Keys go over the points of both.
        QTRY_VERIFY(shown.plot.hasFocus());
        QTest::keyClick(&shown.plot, Qt::Key_Down);
        QTest::keyClick(&shown.plot, Qt::Key_Up);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(there));
        // Whatever is selected elsewhere has the ring.
        shown.store.selectCell(QStringLiteral("bf16-none-b16"));
        QCOMPARE(shown.plot.look().selectedCell, QStringLiteral("bf16-none-b16"));
    }

    void cellsOfOneRunAlone()
    {
        Shown shown(changedRun());
        QVERIFY(shown.paint());
        shown.store.selectCell(QStringLiteral("bf16-none-b16"));
        // Its id is that of batch 1, which the run in view has: it is another cell all the same.
        const QString there = overlaidId({0, QStringLiteral("int8dq-none-b1")});
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(there));
        QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b16"));
        const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("curveNote"));
        QVERIFY(note->text().contains(QStringLiteral("yesterday")));
        const auto& planned = shown.plot.curves().planned;
        QVERIFY(std::find(planned.begin(), planned.end(), 64.0) != planned.end());
    }

    // The legend, the points and the line under the plot name what differs.
    void whatChangedIsSaid()
    {
        qs::core::RunData data = sampleRun();
        data.environments.front().devices.front().name = "NVIDIA X1";
        for (qs::core::Measurement& row : data.measurements)
            row.environmentId = data.environments.front().id();
        Shown shown(std::move(data));
        QVERIFY(shown.paint());
        const QString changed = QStringLiteral("NVIDIA X1");
        const CurveSet& set = shown.plot.curves();
        QVERIFY(set.note.contains(changed));
        QVERIFY(legendEntries(set).back().changed.contains(changed));
        const QString tip = overlaidToolTip(shown.store.others().beside(),
                                            {0, QStringLiteral("int8dq-none-b4")}, *set.metric);
        QVERIFY2(tip.contains(changed), qPrintable(tip));
    }

    // Images and tokens a second are not one axis; times are.
    void runsOfAnotherUnitAreLeftOut()
    {
        qs::core::RunData tokens = sampleRun();
        for (qs::core::PlannedCell& cell : tokens.plan.cells)
            cell.unit = qs::core::WorkUnit::Token;
        Shown shown(std::move(tokens));
        QTRY_VERIFY(shown.plot.curves().note.contains(QStringLiteral("yesterday")));
        QCOMPARE(shown.plot.curves().metric->name, std::string("throughput"));
        QCOMPARE(shown.curvesOf(1), 0);
        QVERIFY(shown.plot.curves().otherRuns.isEmpty());
        QVERIFY(shown.plot.curves().note.contains(QStringLiteral("tokens/s")));
        shown.view.setMetric(QStringLiteral("latency"));
        QCOMPARE(shown.curvesOf(1), shown.curvesOf(0));
    }

    void leavingBringsBackThePlot()
    {
        Shown shown;
        QVERIFY(shown.paint());
        const auto own = shown.curvesOf(0);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {},
                          shown.at(overlaidId({0, QStringLiteral("int8dq-none-b4")})));
        shown.store.others().leave();
        QTRY_COMPARE(shown.curvesOf(1), 0);
        QCOMPARE(shown.curvesOf(0), own);
        QTRY_COMPARE(shown.plot.look().selectedCell, QStringLiteral("int8dq-none-b4"));
        const std::vector<LegendEntry> entries = legendEntries(shown.plot.curves());
        QVERIFY(std::none_of(entries.begin(), entries.end(),
                             [](const auto& entry) { return entry.part == LegendPart::Run; }));
    }

    // An axis of texts: places are shared, and what only the other run has comes after them.
    void textsOfTheAxis()
    {
        Shown shown;
        QVERIFY(shown.paint());
        shown.view.setAxis(QStringLiteral("precision"));
        const CurveSet& set = shown.plot.curves();
        QVERIFY(!set.categories.isEmpty());
        QCOMPARE(QStringList(set.categories).removeDuplicates(), qsizetype{0});
        for (const Curve& curve : set.curves) {
            for (const CurvePoint& point : curve.points)
                QVERIFY(point.x >= 0.0 && point.x < static_cast<double>(set.categories.size()));
        }
    }
};

const tests::GuiTest<TestCurveOverlay> registered(__FILE_NAME__);

}  // namespace qs::tst_curve_overlay

#include "tst_curve_overlay.moc"
