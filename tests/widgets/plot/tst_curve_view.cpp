#include "widgets/plot/curve_view.h"

#include "core/record/run_folder.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/models/cell_text.h"
#include "widgets/plot/curve_drawing.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/interval_bars.h"
#include "widgets/plot/metric_list.h"
#include "widgets/plot/qcustomplot.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace qs::tst_curve_view {

using namespace widgets;
using tests::sampleRun;

namespace {

// A view that is shown and painted.
struct Shown {
    RunStore store;
    CurveView view{store};
    CurvePlot& plot = *view.findChild<CurvePlot*>();
    QCustomPlot& canvas = *view.findChild<QCustomPlot*>();

    explicit Shown(qs::core::RunData data = sampleRun())
    {
        store.setRun(std::move(data));
        QCoreApplication::processEvents();
        view.resize(900, 520);
        view.show();
    }
    [[nodiscard]] bool paint()
    {
        const bool exposed = QTest::qWaitForWindowExposed(&view);
        canvas.replot();
        return exposed;
    }
    // In pixels of the canvas, where clicks go.
    [[nodiscard]] QPoint at(const char* cell) const
    {
        return plot.positionOf(QString::fromLatin1(cell)).value_or(QPoint(-1, -1));
    }
    // Not QTest::mouseMove, which moves the cursor of the screen: the offscreen one is smaller than
    // the view.
    void pointAt(const QPoint& position)
    {
        QMouseEvent move(QEvent::MouseMove, position, canvas.mapToGlobal(position), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&canvas, &move);
    }
    [[nodiscard]] QPoint legendItem(int index) const
    {
        return canvas.legend->item(index)->rect().center();
    }
};

}  // namespace

class CurveViewTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }
    void emptyStates();
    void clickSelectsEverywhere();
    void hoverTellsTheNumbers();
    void legendBringsOutAndSelects();
    void onlyWhatChangesIsPainted();
    void titleOfALowPlotIsNeverCut();
    void marksOfALowPlotAreWhole();
    void longNamesLeaveTheAxesTheirRoom();
    void longNamesSayWhatTellsThemApart();
    void numbersOfALowPlotStandApart();
    void legendHides();
    void intervalsBeyondTheAxesGoOn();
    void roofs();
    void showAllIsThereWhenZoomed();
    void wheelZoomsAndLiveUpdatesKeepIt();
    void limitAndFloorOfAQuality();
    void dragPans();
    void keyboard();
    void axesAndScales();
    void categoriesAreNeverJoined_data();
    void categoriesAreNeverJoined();
    void ticksOfASimilarityStayBelowOne();
    void pointsAtOnePlaceAreAllNamed();
    void metricsStandInGroups();
    void menuOfCurves();
    void narrowPutsTheLegendBelow();
    void aLegendBesideALowPlotFitsOrLeaves();
    void aShortPlotKeepsItsAxes();
    void paletteChanges();
    void exports_data();
    void exports();
    void exportRefuses();
    void pictures();
};

void CurveViewTest::init()
{
    qs::tests::failOnQtWarnings();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::setPalette(qs::tests::lightPalette());
}

void CurveViewTest::emptyStates()
{
    RunStore store;
    CurveView view(store);
    const auto* label = view.findChild<QLabel*>(QStringLiteral("curveEmpty"));
    QVERIFY(label->text().startsWith(QStringLiteral("Nothing measured yet")));
    store.setRun(sampleRun({.rounds = 0}));
    QCoreApplication::processEvents();
    QVERIFY(label->text().startsWith(QStringLiteral("Nothing measured yet")));
    view.setRunning(true);
    QCOMPARE(label->text(), QStringLiteral("Waiting for the first cell…"));
    // The axes of the plan are there before the first point; a line under them says so.
    view.show();
    QVERIFY(!label->isVisible());
    const auto* note = view.findChild<QLabel*>(QStringLiteral("curveNote"));
    QVERIFY(note->text().contains(QStringLiteral("Waiting for the first cell")));
    view.resize(470, 400);
    const auto* plot = view.findChild<QCustomPlot*>();
    QTRY_VERIFY2(plot->axisRect()->width() > plot->width() * 3 / 4,
                 qPrintable(QString::number(plot->axisRect()->width())));
    store.setRun(sampleRun({.trained = false}));
    QCoreApplication::processEvents();
    QVERIFY(!label->isVisible());
    view.setRunning(false);
    view.setMetric(QStringLiteral("ssim_mean"));
    QVERIFY(label->isVisible());
    QVERIFY(label->text().contains(QStringLiteral("random")));
}

void CurveViewTest::clickSelectsEverywhere()
{
    Shown shown;
    QVERIFY(shown.paint());
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at("int8dq-cuda-graph-b4"));
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("int8dq-cuda-graph-b4"));
    QCOMPARE(shown.plot.look().selectedCell, QStringLiteral("int8dq-cuda-graph-b4"));
    // From elsewhere as well.
    shown.store.selectCell(QStringLiteral("bf16-none-b16"));
    QCOMPARE(shown.plot.look().selectedCell, QStringLiteral("bf16-none-b16"));
    // Beside all points nothing is selected.
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {},
                      shown.canvas.axisRect()->rect().topLeft() + QPoint(5, 5));
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b16"));
}

void CurveViewTest::hoverTellsTheNumbers()
{
    Shown shown;
    QVERIFY(shown.paint());
    shown.pointAt(shown.at("bf16-none-b4"));
    QTRY_VERIFY(QToolTip::text().startsWith(QStringLiteral("bf16 · eager · batch 4")));
    QVERIFY(QToolTip::text().contains(QStringLiteral("images/s")));
    QToolTip::hideText();
    QTRY_VERIFY(!QToolTip::isVisible());
}

void CurveViewTest::legendBringsOutAndSelects()
{
    Shown shown;
    QVERIFY(shown.paint());
    const int baselineItems = shown.plot.curves().baseline.empty() ? 0 : 1;
    const QStringList keys = legendKeys(shown.plot.curves());
    shown.pointAt(shown.legendItem(baselineItems));
    QCOMPARE(shown.plot.look().highlighted, keys[0]);
    // Nothing is selected yet: the best of the curve is.
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.legendItem(baselineItems));
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b16"));
    QVERIFY(shown.plot.look().hidden.isEmpty());
    shown.pointAt(QPoint(1, 1));
    QCOMPARE(shown.plot.look().highlighted, keys[0]);  // it stays out
    // The next curve is looked at above the same place.
    shown.store.selectCell(QStringLiteral("bf16-none-b4"));
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.legendItem(baselineItems + 1));
    QVERIFY2(shown.store.selectedCell().endsWith(QStringLiteral("-b4")),
             qPrintable(shown.store.selectedCell()));
    QVERIFY(shown.store.selectedCell() != QStringLiteral("bf16-none-b4"));
    QCOMPARE(shown.plot.look().highlighted, keys[1]);
    // A cell of another curve, selected anywhere, ends it.
    shown.store.selectCell(QStringLiteral("bf16-none-b1"));
    QVERIFY(shown.plot.look().highlighted.isEmpty());
    // So does a second click.
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.legendItem(baselineItems));
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.legendItem(baselineItems));
    shown.pointAt(QPoint(1, 1));
    QVERIFY(shown.plot.look().highlighted.isEmpty());
}

void CurveViewTest::legendHides()
{
    Shown shown;
    QVERIFY(shown.paint());
    const int baselineItems = shown.plot.curves().baseline.empty() ? 0 : 1;
    const QString key = legendKeys(shown.plot.curves())[0];
    // Without a repaint in between: the new legend has to be where the old one was.
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, Qt::ControlModifier,
                      shown.legendItem(baselineItems));
    QVERIFY(shown.plot.look().hidden.contains(key));
    QVERIFY(shown.store.selectedCell().isEmpty());
    // What is hidden cannot be brought out; any click shows it again.
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.legendItem(baselineItems));
    QVERIFY(!shown.plot.look().hidden.contains(key));
}

void CurveViewTest::roofs()
{
    // Of a device that nobody published a peak of, there is no roof of speed.
    qs::core::RunData elsewhere = sampleRun();
    for (auto& environment : elsewhere.environments) {
        for (auto& device : environment.devices)
            device.name = "A device of tomorrow";
    }
    Shown unknown(elsewhere);
    QVERIFY(unknown.plot.curves().roofs.empty());
    QVERIFY(!unknown.view.findChild<QCheckBox*>(QStringLiteral("curveRoof"))->isEnabled());

    qs::core::RunData data = sampleRun();
    qs::core::DeviceDescription device;
    device.id = "cuda:0";
    device.name = "NVIDIA H200";
    device.kind = qs::core::DeviceKind::Cuda;
    for (auto& environment : data.environments)
        environment.devices = {device};
    for (auto& cell : data.plan.cells) {
        cell.config.device = "cuda:0";
        cell.flops = 1e11 * static_cast<double>(cell.config.batch);
    }
    Shown shown(data);
    QVERIFY(shown.paint());
    QCOMPARE(shown.plot.curves().roofs.size(), std::size_t{2});
    const auto* roof = shown.view.findChild<QCheckBox*>(QStringLiteral("curveRoof"));
    QVERIFY(roof->isEnabled());
    const int without = shown.canvas.legend->itemCount();
    const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("curveNote"));
    // No line of it ends inside a unit.
    QVERIFY2(note->text().contains(QStringLiteral("peak, 16 bit: 989.4 TFLOP/\u2060s")),
             qPrintable(note->text()));
    shown.view.findChild<QCheckBox*>(QStringLiteral("curveRoof"))->click();
    QVERIFY(note->text().isEmpty());
    shown.view.findChild<QCheckBox*>(QStringLiteral("curveRoof"))->click();
    // Near enough to be seen, it is named beside the curves.
    const double top = shown.store.analysis().find("int8dq-cuda-graph-b16")->throughput;
    for (auto& cell : data.plan.cells)
        cell.flops = 989.4e12 / (1.2 * top) * static_cast<double>(cell.config.batch);
    shown.store.setRun(data);
    QCoreApplication::processEvents();
    QCOMPARE(shown.canvas.legend->itemCount(), without + 1);
    QVERIFY(shown.plot.visibleRange().bottom() > 1.2 * top);
}

void CurveViewTest::showAllIsThereWhenZoomed()
{
    Shown shown;
    QVERIFY(shown.paint());
    auto* reset = shown.view.findChild<QToolButton*>(QStringLiteral("curveReset"));
    QVERIFY(!reset->isVisible());
    const QRectF before = shown.plot.visibleRange();
    QTest::keyClick(&shown.plot, Qt::Key_Plus);
    QVERIFY(reset->isVisible());
    QVERIFY(shown.plot.rect().contains(reset->geometry()));
    reset->click();
    QCOMPARE(shown.plot.visibleRange(), before);
    QVERIFY(!reset->isVisible());
}

void CurveViewTest::wheelZoomsAndLiveUpdatesKeepIt()
{
    qs::core::RunData data = sampleRun({.rounds = 2});
    const qs::core::RunData whole = sampleRun({.rounds = 3});
    Shown shown(std::move(data));
    QVERIFY(shown.paint());
    const QRectF before = shown.plot.visibleRange();
    const QPointF middle = shown.canvas.axisRect()->rect().center();
    QWheelEvent wheel(middle, shown.canvas.mapToGlobal(middle), {}, QPoint(0, 240), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&shown.canvas, &wheel);
    const QRectF zoomed = shown.plot.visibleRange();
    QVERIFY(zoomed.height() < before.height());
    QVERIFY(shown.plot.isZoomed());
    // What is no longer seen is counted.
    const auto* note = shown.view.findChild<QLabel*>(QStringLiteral("curveNote"));
    const int outside =
        pointsOutside(shown.plot.curves(), shown.plot.look(), shown.plot.visibleRange());
    QVERIFY(outside > 0);
    QVERIFY2(note->text().startsWith(QString::number(outside)), qPrintable(note->text()));

    QVERIFY(!shown.plot.curves().curves[0].points[0].settled);
    for (std::size_t i = shown.store.data().measurements.size(); i < whole.measurements.size(); ++i)
        shown.store.addMeasurement(whole.measurements[i]);
    QTRY_VERIFY(shown.plot.curves().curves[0].points[0].settled);
    QCOMPARE(shown.plot.visibleRange(), zoomed);

    QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {},
                       shown.canvas.axisRect()->rect().topLeft() + QPoint(5, 5));
    QVERIFY(!shown.plot.isZoomed());
    QVERIFY(shown.plot.visibleRange().height() > zoomed.height());
    QCOMPARE(pointsOutside(shown.plot.curves(), shown.plot.look(), shown.plot.visibleRange()), 0);
    QVERIFY(!note->text().startsWith(QString::number(outside)));
}

void CurveViewTest::limitAndFloorOfAQuality()
{
    Shown shown;
    shown.view.setQuestion(
        {.limit = qs::core::QualityLimit::MinimumLikeness, .minimumLikeness = 0.97});
    QVERIFY(shown.plot.curves().rules.empty());  // of throughput there is no limit
    shown.view.setMetric(QStringLiteral("ssim_mean"));
    QVERIFY(shown.paint());
    const std::vector<CurveRule>& rules = shown.plot.curves().rules;
    QCOMPARE(rules.size(), std::size_t{2});
    QVERIFY(rules[0].wanted && rules[0].level);
    QCOMPARE(rules[0].at, 0.97);
    QVERIFY(!rules[1].wanted && rules[1].level);
    // Both are inside the axes, and drawn from side to side at their heights.
    const QCPRange heights = shown.canvas.yAxis->range();
    int lines = 0;
    for (int i = 0; i < shown.canvas.itemCount(); ++i) {
        if (const auto* line = qobject_cast<QCPItemStraightLine*>(shown.canvas.item(i))) {
            const QPointF from = line->point1->pixelPosition();
            const QPointF to = line->point2->pixelPosition();
            QCOMPARE(from.y(), to.y());
            QVERIFY(to.x() - from.x() > shown.canvas.axisRect()->width() / 2.0);
            QCOMPARE(from.y(),
                     shown.canvas.yAxis->coordToPixel(rules[static_cast<std::size_t>(lines++)].at));
        }
    }
    QCOMPARE(lines, 2);
    QVERIFY(heights.contains(0.97) && heights.contains(rules[1].at));
    shown.view.setQuestion({.limit = qs::core::QualityLimit::None});
    QCOMPARE(shown.plot.curves().rules.size(), std::size_t{1});
}

void CurveViewTest::dragPans()
{
    Shown shown;
    QVERIFY(shown.paint());
    const QRectF before = shown.plot.visibleRange();
    const QPoint start = shown.canvas.axisRect()->rect().center();
    QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, start);
    QMouseEvent move(QEvent::MouseMove, start + QPoint(0, 60),
                     shown.canvas.mapToGlobal(start + QPoint(0, 60)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&shown.canvas, &move);
    QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, start + QPoint(0, 60));
    QVERIFY(shown.plot.visibleRange().top() > before.top());
    QVERIFY(shown.plot.isZoomed());
    QVERIFY(shown.store.selectedCell().isEmpty());  // a drag is no click
}

void CurveViewTest::keyboard()
{
    Shown shown;
    QVERIFY(shown.paint());
    QTest::keyClick(&shown.plot, Qt::Key_Right);
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b1"));
    QTest::keyClick(&shown.plot, Qt::Key_Right);
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b4"));
    QTest::keyClick(&shown.plot, Qt::Key_Up);
    QVERIFY(shown.store.selectedCell() != QStringLiteral("bf16-none-b4"));
    QVERIFY(shown.store.selectedCell().endsWith(QStringLiteral("-b4")));
    QTest::keyClick(&shown.plot, Qt::Key_Down);
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b4"));
    QTest::keyClick(&shown.plot, Qt::Key_Left);
    QTest::keyClick(&shown.plot, Qt::Key_Left);  // the end of the curve
    QCOMPARE(shown.store.selectedCell(), QStringLiteral("bf16-none-b1"));
    const double height = shown.plot.visibleRange().height();
    QTest::keyClick(&shown.plot, Qt::Key_Plus);
    QVERIFY(shown.plot.visibleRange().height() < height);
    QTest::keyClick(&shown.plot, Qt::Key_Home);
    QCOMPARE(shown.plot.visibleRange().height(), height);
}

void CurveViewTest::axesAndScales()
{
    Shown shown;
    QVERIFY(shown.paint());
    QCOMPARE(shown.canvas.xAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(shown.canvas.yAxis->scaleType(), QCPAxis::stLinear);
    QVERIFY(shown.canvas.xAxis->tickVectorLabels().contains(QStringLiteral("16")));
    shown.view.findChild<QCheckBox*>(QStringLiteral("curveLogY"))->click();
    QCOMPARE(shown.canvas.yAxis->scaleType(), QCPAxis::stLogarithmic);
    QVERIFY(shown.plot.visibleRange().top() > 0.0);

    shown.view.setAxis(QStringLiteral("precision"));
    QCOMPARE(shown.view.axis(), QStringLiteral("precision"));
    QCOMPARE(shown.canvas.xAxis->scaleType(), QCPAxis::stLinear);
    QVERIFY(!shown.view.findChild<QCheckBox*>(QStringLiteral("curveLogX"))->isEnabled());
    shown.canvas.replot();
    QCOMPARE(shown.canvas.xAxis->tickVectorLabels(),
             QVector<QString>({QStringLiteral("bf16"), QStringLiteral("int8dq")}));
    // The choice outlives a new run that has this axis too.
    shown.store.setRun(sampleRun({.rounds = 1}));
    QCoreApplication::processEvents();
    QCOMPARE(shown.view.axis(), QStringLiteral("precision"));
}

void CurveViewTest::categoriesAreNeverJoined_data()
{
    QTest::addColumn<QString>("axis");
    QTest::addColumn<QString>("metric");
    for (const char* axis : {"precision", "compile"}) {
        for (const char* metric : {"throughput", "latency", "speedup"})
            QTest::addRow("%s %s", axis, metric)
                << QString::fromLatin1(axis) << QString::fromLatin1(metric);
    }
}

// Nothing lies between two names: what is joined is a level for all of them, or an interval.
void CurveViewTest::categoriesAreNeverJoined()
{
    QFETCH(const QString, axis);
    QFETCH(const QString, metric);
    Shown shown;
    QVERIFY(shown.paint());
    shown.view.setMetric(metric);
    const auto joined = [&shown] {
        shown.canvas.replot();
        int lines = 0;
        for (int i = 0; i < shown.canvas.graphCount(); ++i) {
            const QCPGraph& graph = *shown.canvas.graph(i);
            if (graph.lineStyle() == QCPGraph::lsNone || !graph.visible())
                continue;
            bool level = true;
            for (const QCPGraphData& point : *graph.data())
                level = level && point.value == graph.data()->constBegin()->value;
            lines += level ? 0 : 1;
        }
        return lines;
    };
    QVERIFY(joined() > 0);  // over the batches
    shown.view.setAxis(axis);
    QCOMPARE(shown.view.axis(), axis);
    QVERIFY(shown.plot.curves().categories.size() > 1);
    QCOMPARE(joined(), 0);
}

// An arrow at the edge, also after a zoom; nothing for one that ends in the axes.
void CurveViewTest::intervalsBeyondTheAxesGoOn()
{
    Shown shown;
    QVERIFY(shown.paint());
    const auto cut = [&shown](bool above) {
        shown.canvas.replot();
        qsizetype count = 0;
        for (int i = 0; i < shown.canvas.plottableCount(); ++i) {
            if (const auto* bars = dynamic_cast<IntervalBars*>(shown.canvas.plottable(i)))
                count += (above ? bars->cutAbove() : bars->cutBelow()).size();
        }
        return count;
    };
    QCOMPARE(cut(true), qsizetype{0});
    QCOMPARE(cut(false), qsizetype{0});
    CurveSet wide = shown.plot.curves();
    CurvePoint& point = wide.curves[0].points[0];
    point.interval = qs::core::Interval{.lower = -100.0 * point.y, .upper = 1e9 * point.y};
    const QString cell = point.cellId;
    shown.plot.setCurves(wide);
    QCOMPARE(cut(true), qsizetype{1});
    QCOMPARE(cut(false), qsizetype{1});
    // The arrow is painted: above the mark, at the very edge, it is wider than the bar.
    const QRect axes = axesPlace(shown.plot);
    const QPoint at = shown.plot.positionOf(cell).value_or(QPoint());
    const QImage image = shown.plot.grab().toImage();
    const auto inked = [&](int y) {
        const double scale = image.devicePixelRatio();
        int count = 0;
        for (int dx = -4; dx <= 4; ++dx) {
            const QColor color =
                image.pixelColor(static_cast<int>(std::lround((at.x() + dx) * scale)),
                                 static_cast<int>(std::lround(y * scale)));
            count += color.lightness() < 180 || color.saturation() > 100 ? 1 : 0;
        }
        return count;
    };
    QVERIFY(inked(axes.top() + 2) > inked(axes.top() + 14));
    qs::tests::screenshot(shown.view, QStringLiteral("curves-interval-cut"));
    shown.plot.setLogarithmic(shown.plot.look().logarithmicX, true);
    QCOMPARE(cut(true), qsizetype{1});
}

// On both scales, and from afar: a similarity ends at 1, and each number stands at its own height.
void CurveViewTest::ticksOfASimilarityStayBelowOne()
{
    Shown shown;
    shown.view.setMetric(QStringLiteral("ssim_mean"));
    QVERIFY(shown.paint());
    const QCPAxis& axis = *shown.canvas.yAxis;
    const auto check = [&] {
        shown.canvas.replot();
        int seen = 0;
        for (qsizetype i = 0; i < axis.tickVector().size(); ++i) {
            const double tick = axis.tickVector()[i];
            if (!axis.range().contains(tick))
                continue;
            ++seen;
            QVERIFY2(tick <= 1.0 + 1e-9, qPrintable(axis.tickVectorLabels()[i]));
            bool isNumber = false;
            const double said = axis.tickVectorLabels()[i].toDouble(&isNumber);
            QVERIFY2(isNumber && qAbs(said - tick) < 1e-6, qPrintable(axis.tickVectorLabels()[i]));
        }
        QVERIFY2(seen >= 2, qPrintable(QString::number(seen)));
    };
    for (const bool logarithmic : {false, true}) {
        if (logarithmic)
            shown.view.findChild<QCheckBox*>(QStringLiteral("curveLogY"))->click();
        QCOMPARE(axis.scaleType() == QCPAxis::stLogarithmic, logarithmic);
        check();
        shown.plot.zoomBy(6.0);
        check();
        shown.plot.resetZoom();
    }
}

// A point that lies under another is told with it, but for one whose curve was hidden.
void CurveViewTest::pointsAtOnePlaceAreAllNamed()
{
    qs::core::RunData data = sampleRun();
    const auto rowOf = [&data](const char* cell, int round) {
        return std::find_if(
            data.measurements.begin(), data.measurements.end(),
            [&](const auto& row) { return row.cellId == cell && row.round == round; });
    };
    for (int round = 0; round < 3; ++round)
        rowOf("int8dq-none-b4", round)->result.hostSeconds =
            rowOf("bf16-none-b4", round)->result.hostSeconds;
    for (int round = 0; round < 3; ++round)
        rowOf("int8dq-none-b4", round)->result.deviceSeconds =
            rowOf("bf16-none-b4", round)->result.deviceSeconds;
    Shown shown(std::move(data));
    QVERIFY(shown.paint());
    QCOMPARE(shown.at("int8dq-none-b4"), shown.at("bf16-none-b4"));
    const auto title = [&shown](const char* cell) {
        return cellTitle(shown.store.data().plan.find(cell)->config);
    };
    const auto told = [&shown] {
        QToolTip::hideText();
        shown.pointAt(QPoint(1, 1));
        shown.pointAt(shown.at("bf16-none-b4"));
        return QToolTip::text();
    };
    QTRY_VERIFY2(told().contains(title("bf16-none-b4")) && told().contains(title("int8dq-none-b4")),
                 qPrintable(told()));
    QVERIFY(!told().contains(title("bf16-none-b16")));
    // A click on the place goes from one to the other.
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at("bf16-none-b4"));
    const QString first = shown.store.selectedCell();
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at("bf16-none-b4"));
    QVERIFY(shown.store.selectedCell() != first);
    for (const Curve& curve : shown.plot.curves().curves) {
        const bool own =
            std::any_of(curve.points.begin(), curve.points.end(), [](const auto& each) {
                return each.cellId == QStringLiteral("int8dq-none-b4");
            });
        if (own)
            shown.plot.setCurveShown(QString(curve.key), false);
    }
    shown.canvas.replot();
    QTRY_VERIFY2(told().contains(title("bf16-none-b4")), qPrintable(told()));
    QVERIFY2(!told().contains(title("int8dq-none-b4")), qPrintable(told()));
    QToolTip::hideText();
    QTRY_VERIFY(!QToolTip::isVisible());
}

// Headings say what an entry belongs to; nobody can choose one, by mouse, arrows or typing.
void CurveViewTest::metricsStandInGroups()
{
    Shown shown;
    QVERIFY(shown.paint());
    auto& box = *shown.view.findChild<QComboBox*>(QStringLiteral("curveMetric"));
    std::vector<MetricGroup> groups;
    int headings = 0;
    for (int i = 0; i < box.count(); ++i) {
        const auto* metric =
            qs::core::metricRegistry().find(box.itemData(i).toString().toStdString());
        const bool chosen =
            box.model()->flags(box.model()->index(i, 0)).testFlag(Qt::ItemIsEnabled);
        QCOMPARE(metric != nullptr, chosen);
        headings += metric == nullptr ? 1 : 0;
        if (metric != nullptr && (groups.empty() || groups.back() != groupOf(*metric)))
            groups.push_back(groupOf(*metric));
    }
    // Each in one piece below its heading.
    QVERIFY(groups.size() > 2);
    QCOMPARE(headings, static_cast<int>(groups.size()));
    QCOMPARE(std::set<MetricGroup>(groups.begin(), groups.end()).size(), groups.size());
    QCOMPARE(box.currentData().toString(), QStringLiteral("throughput"));

    // All the way down and up again by key.
    box.setFocus();
    std::set<QString> met;
    for (int i = 0; i < box.count(); ++i) {
        met.insert(box.currentData().toString());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    }
    QCOMPARE(static_cast<int>(met.size()), box.count() - headings);
    QVERIFY(!met.contains(QString()));
    // "Memory", "Quality" and "Speed" are headings: typing their letters finds a metric or nothing.
    for (const char* typed : {"Speed", "Mem", "SSIM"}) {
        QTest::keyClicks(QApplication::focusWidget(), QString::fromLatin1(typed));
        QVERIFY(box.currentData().isValid());
        QTest::qWait(QApplication::keyboardInputInterval() + 100);
    }
    QVERIFY(box.currentText().startsWith(QLatin1String("SSIM")));

    box.showPopup();
    QTRY_VERIFY(box.view()->isVisible());
    qs::tests::screenshot(*box.view()->window(), QStringLiteral("metric_list"));
    QVERIFY(box.view()->height() < box.fontMetrics().height() * 40);
    // No name is cut, however narrow the closed box is.
    for (int i = 0; i < box.count(); ++i)
        QVERIFY(box.fontMetrics().horizontalAdvance(box.itemText(i)) <
                box.view()->viewport()->width());
    const QModelIndex heading = box.model()->index(0, 0);
    box.view()->scrollTo(heading);
    const QString before = box.currentData().toString();
    QTest::mouseClick(box.view()->viewport(), Qt::LeftButton, {},
                      box.view()->visualRect(heading).center());
    QCOMPARE(box.currentData().toString(), before);
    box.hidePopup();
}

void CurveViewTest::menuOfCurves()
{
    Shown shown;
    const QMenu* menu = shown.view.findChild<QToolButton*>(QStringLiteral("curveMenu"))->menu();
    QCOMPARE(menu->actions().size(), 4);
    QCOMPARE(menu->actions()[0]->text(), QStringLiteral("bf16 · eager"));
    menu->actions()[0]->trigger();
    QCOMPARE(shown.plot.look().hidden.size(), 1);
    // The curve that was hidden stays so when more comes in.
    shown.store.addMeasurement(sampleRun().measurements.back());
    QCoreApplication::processEvents();
    QCOMPARE(shown.plot.look().hidden.size(), 1);
}

void CurveViewTest::narrowPutsTheLegendBelow()
{
    Shown shown;
    QVERIFY(shown.paint());
    QCOMPARE(shown.plot.look().legend, LegendPlace::Right);
    QVERIFY(shown.canvas.legend->rect().left() >= shown.canvas.axisRect()->rect().right());
    shown.view.resize(500, 520);
    QVERIFY(shown.view.width() < 600);  // the bar leaves the window free to be narrow
    QTRY_COMPARE(shown.plot.look().legend, LegendPlace::Below);
    shown.canvas.replot();
    QVERIFY(shown.canvas.legend->rect().top() >= shown.canvas.axisRect()->rect().bottom());
}

// Entries that have no room would lie over one another.
void CurveViewTest::aLegendBesideALowPlotFitsOrLeaves()
{
    Shown shown(
        qs::core::readRunFolder(qs::core::locatePrograms().resources / "example_runs/demo_h200")
            .value());
    QVERIFY(shown.paint());
    std::set<LegendPlace> places;
    for (const int height : {190, 240, 300, 380, 560}) {
        shown.view.resize(1100, height);
        QVERIFY(shown.paint());
        shown.canvas.replot();
        places.insert(shown.plot.look().legend);
        if (shown.plot.look().legend == LegendPlace::None)
            continue;
        QCPLegend& legend = *shown.canvas.legend;
        for (int i = 1; i < legend.itemCount(); ++i)
            QVERIFY2(legend.item(i)->rect().top() >= legend.item(i - 1)->rect().bottom(),
                     qPrintable(QString::number(height)));
        QVERIFY(legend.item(legend.itemCount() - 1)->rect().bottom() <= shown.canvas.height());
    }
    QCOMPARE(places, (std::set{LegendPlace::Right, LegendPlace::None}));
}

// In a small window the curves are what one looks at: the legend leaves before they get flat.
void CurveViewTest::aShortPlotKeepsItsAxes()
{
    Shown shown;
    shown.view.resize(430, 240);
    QVERIFY(shown.paint());
    QTRY_COMPARE(shown.plot.look().legend, LegendPlace::None);
    shown.canvas.replot();
    QVERIFY(!shown.canvas.legend->visible());
    QVERIFY(shown.canvas.axisRect()->height() > shown.plot.height() / 2);
    // Where the names are is said.
    QVERIFY(shown.view.findChild<QLabel*>(QStringLiteral("curveNote"))->isVisible());
    shown.view.resize(430, 620);
    QTRY_COMPARE(shown.plot.look().legend, LegendPlace::Below);
}

void CurveViewTest::paletteChanges()
{
    Shown shown;
    QVERIFY(shown.paint());
    QVERIFY(!shown.plot.look().theme.dark);
    QApplication::setPalette(qs::tests::darkPalette());
    QTRY_VERIFY(shown.plot.look().theme.dark);
    const QImage image = shown.view.grab().toImage();
    // A pixel may lie in a letter: most of a line does not.
    int dark = 0;
    for (int x = 0; x < image.width(); ++x)
        dark += qGray(image.pixel(x, image.height() - 30)) < 80 ? 1 : 0;
    QVERIFY(dark > image.width() / 2);
}

void CurveViewTest::exports_data()
{
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<double>("width");
    for (const char* suffix : {"png", "svg", "pdf"}) {
        QTest::addRow("%s column", suffix) << QString::fromLatin1(suffix) << kColumnMillimetres;
        QTest::addRow("%s page", suffix) << QString::fromLatin1(suffix) << kPageMillimetres;
    }
}

void CurveViewTest::exports()
{
    QFETCH(QString, suffix);
    QFETCH(double, width);
    QApplication::setPalette(qs::tests::darkPalette());
    Shown shown(sampleRun({.withFailures = true}));
    QVERIFY(shown.paint());
    const QString file = QStringLiteral("%1/export-%2.%3")
                             .arg(QStringLiteral(QS_SCREENSHOT_DIR))
                             .arg(width)
                             .arg(suffix);
    const std::filesystem::path path = file.toStdString();
    std::filesystem::remove(path);
    const ExportFormat format = suffix == QStringLiteral("png")   ? ExportFormat::Png
                                : suffix == QStringLiteral("svg") ? ExportFormat::Svg
                                                                  : ExportFormat::Pdf;
    const std::string preset = R"({"name":"é × <b>&","x":"]]>"})";
    const auto figure = shown.view.paintFigure(
        {.format = format, .widthMillimetres = width, .provenance = {{"Some-Preset", preset}}});
    QVERIFY(figure.ok());
    QVERIFY(writeFigure(figure.value(), path).ok());
    const double inches = width / 25.4;
    const QString escaped = QStringLiteral(R"({"name":"\u00e9 \u00d7 <b>&","x":"]]>"})");
    if (suffix == QStringLiteral("png")) {
        const QImage image(file);
        QVERIFY(qAbs(image.width() - inches * 300.0) < 3.0);
        QCOMPARE(qRound(image.width() / (image.dotsPerMeterX() / 1000.0)), qRound(width));
        QCOMPARE(image.text(QStringLiteral("Some-Preset")), escaped);
        QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));  // light although the window is dark
    } else if (suffix == QStringLiteral("svg")) {
        QSvgRenderer renderer(file);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox().width(), qRound(inches * kPrintUnitsPerInch));
        QFile svg(file);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&svg);
        QString description;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement &&
                xml.name() == QLatin1String("desc"))
                description = xml.readElementText();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(description, QStringLiteral("Some-Preset: ") + escaped);
    } else {
        QFile pdf(file);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const QByteArray bytes = pdf.readAll();
        QVERIFY(bytes.startsWith("%PDF-"));
        QVERIFY(bytes.contains("/Type /Page"));
        QVERIFY(bytes.contains("/EmbeddedFile"));
    }
}

void CurveViewTest::exportRefuses()
{
    RunStore store;
    const CurveView view(store);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("a.png")).toStdString();
    QVERIFY(!view.paintFigure({.widthMillimetres = kColumnMillimetres}).ok());
    store.setRun(sampleRun());
    QCoreApplication::processEvents();
    QVERIFY(!view.paintFigure({.widthMillimetres = 3.0}).ok());
    const auto figure = view.paintFigure({.widthMillimetres = kColumnMillimetres});
    QVERIFY(figure.ok());
    QVERIFY(!writeFigure(figure.value(), "/nowhere/at/all.png").ok());
    QVERIFY(!writeFigure({}, path).ok());
    QVERIFY(!std::filesystem::exists(path));
}

// For looking at; what can be checked without eyes is that the plot is painted at all.
void CurveViewTest::pictures()
{
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? qs::tests::darkPalette() : qs::tests::lightPalette());
        const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
        Shown shown(sampleRun({.withFailures = true}));
        shown.store.selectCell(QStringLiteral("int8dq-cuda-graph-b16"));
        QVERIFY(shown.paint());
        const QImage image = qs::tests::screenshot(shown.view, QStringLiteral("curves-") + theme);
        QCOMPARE(image.width(), qRound(900 * shown.view.devicePixelRatioF()));
        QSet<QRgb> colors;
        for (int x = 0; x < image.width(); x += 2) {
            for (int y = 0; y < image.height(); y += 2)
                colors << image.pixel(x, y);
        }
        QVERIFY(colors.size() > 40);
        shown.view.setMetric(QStringLiteral("ssim_mean"));
        shown.canvas.replot();
        qs::tests::screenshot(shown.view, QStringLiteral("curves-ssim-") + theme);
    }
    QApplication::setPalette(qs::tests::lightPalette());
    Shown hollow(sampleRun({.rounds = 2, .withFailures = true}));
    hollow.view.setAxis(QStringLiteral("precision"));
    hollow.view.resize(500, 520);
    QVERIFY(hollow.paint());
    hollow.plot.setHighlighted(legendKeys(hollow.plot.curves())[2]);
    hollow.canvas.replot();
    qs::tests::screenshot(hollow.view, QStringLiteral("curves-narrow"));
    Shown empty(sampleRun({.rounds = 0}));
    empty.view.setRunning(true);
    QVERIFY(QTest::qWaitForWindowExposed(&empty.view));
    qs::tests::screenshot(empty.view, QStringLiteral("curves-empty"));
}

// Of ten thousand points none is painted again because another one is selected, and nothing is
// painted that nobody sees.
void CurveViewTest::onlyWhatChangesIsPainted()
{
    Shown shown;
    QVERIFY(shown.paint());
    QCoreApplication::processEvents();
    const QString layer = QString::fromLatin1(kSelectionLayer);
    const auto ring = [&] {
        return qobject_cast<QCPGraph*>(shown.canvas.layer(layer)->children().value(0));
    };
    const QSignalSpy painted(&shown.canvas, &QCustomPlot::afterReplot);
    for (const char* cell : {"int8dq-cuda-graph-b4", "bf16-none-b4"}) {
        shown.plot.setSelectedCell(QString::fromLatin1(cell));
        QCoreApplication::processEvents();
        QVERIFY(ring() != nullptr && ring()->dataCount() == 1);
        QCOMPARE(shown.canvas.mapToParent(
                     QPointF(shown.canvas.xAxis->coordToPixel(ring()->dataMainKey(0)),
                             shown.canvas.yAxis->coordToPixel(ring()->dataMainValue(0)))
                         .toPoint()),
                 shown.at(cell));
    }
    QCOMPARE(painted.size(), qsizetype{0});
    shown.view.resize(800, 500);
    QCoreApplication::processEvents();
    QCOMPARE(painted.size(), qsizetype{1});
    shown.view.hide();
    shown.view.resize(900, 520);
    shown.plot.setRoofsShown(false);
    QCoreApplication::processEvents();
    QCOMPARE(painted.size(), qsizetype{1});
    shown.view.show();
    QTRY_COMPARE(painted.size(), qsizetype{2});
}

void CurveViewTest::numbersOfALowPlotStandApart()
{
    Shown shown;
    for (const int height : {520, 300, 240, 210, 190, 170}) {
        shown.view.resize(900, height);
        QVERIFY(shown.paint());
        const QCPAxis& axis = *shown.canvas.yAxis;
        const int line = QFontMetrics(axis.tickLabelFont()).height();
        const QVector<double> ticks = axis.tickVector();
        for (qsizetype i = 1; i < ticks.size(); ++i) {
            const double apart = axis.coordToPixel(ticks[i - 1]) - axis.coordToPixel(ticks[i]);
            QVERIFY2(
                apart >= 1.2 * line,
                qPrintable(QStringLiteral("%1 of %2, height %3").arg(apart).arg(line).arg(height)));
        }
    }
}

// Names as those of calibrated schemes: each is said, and none pushes the axes out of the plot.
void CurveViewTest::longNamesLeaveTheAxesTheirRoom()
{
    core::RunData data = sampleRun();
    const std::vector<std::string> scheme = {"gptq-int4-128:by=compiled:samples=16:set=inputs"};
    for (core::PlannedCell& cell : data.plan.cells) {
        if (cell.config.precision.front() == "int8dq")
            cell.config.precision = scheme;
    }
    Shown shown(std::move(data));
    shown.view.setAxis(QStringLiteral("precision"));
    for (const QSize size : {QSize(900, 520), QSize(420, 300), QSize(420, 220)}) {
        shown.view.resize(size);
        QVERIFY(shown.paint());
        const QCPAxis& across = *shown.canvas.xAxis;
        QCOMPARE(across.tickVectorLabels().size(), 2);
        QVERIFY(!across.tickVectorLabels().contains(QString()));
        const QRect axes = across.axisRect()->rect();
        QVERIFY2(axes.height() * 3 >= shown.canvas.height(),
                 qPrintable(QString::number(axes.height())));
        if (across.tickLabelRotation() == 0.0)
            continue;
        // What would leave the plot is not drawn at all.
        const QFontMetrics metrics(across.tickLabelFont());
        const QString last = across.tickVectorLabels().last();
        const double length = metrics.horizontalAdvance(last);
        QVERIFY(across.coordToPixel(1.0) - length * 0.87 >= 0.0);
        QVERIFY2(last.size() >= 9, qPrintable(last));
    }
}

void CurveViewTest::longNamesSayWhatTellsThemApart()
{
    core::RunData data = sampleRun();
    for (core::PlannedCell& cell : data.plan.cells) {
        const bool other = cell.config.precision.front() == "int8dq";
        cell.config.precision = {other ? "gptq-int4-128:by=kernel:samples=256:set=inputs"
                                       : "gptq-int4-128:by=straight:samples=256:set=inputs"};
    }
    Shown shown(std::move(data));
    shown.view.setAxis(QStringLiteral("precision"));
    shown.view.resize(520, 420);
    QVERIFY(shown.paint());
    const QVector<QString> names = shown.canvas.xAxis->tickVectorLabels();
    QCOMPARE(names.size(), 2);
    QVERIFY2(names[0].endsWith(QLatin1String("straight")), qPrintable(names[0]));
    QVERIFY2(names[1].endsWith(QLatin1String("kernel")), qPrintable(names[1]));
}

void CurveViewTest::titleOfALowPlotIsNeverCut()
{
    Shown shown;
    QVERIFY(shown.paint());
    const QString whole = shown.canvas.yAxis->label();
    for (const int height : {420, 300, 240, 200, 170}) {
        shown.view.resize(900, height);
        QVERIFY(shown.paint());
        const QCPAxis& axis = *shown.canvas.yAxis;
        const int length = QFontMetrics(axis.labelFont()).horizontalAdvance(axis.label());
        QVERIFY2(length <= axis.axisRect()->height(), qPrintable(axis.label()));
        QVERIFY(!axis.label().isEmpty());
    }
    QVERIFY(shown.canvas.yAxis->label() != whole);
    // A single letter and dots are no unit.
    shown.view.resize(900, 130);
    QVERIFY(shown.paint());
    QVERIFY2(shown.canvas.yAxis->label().isEmpty(), qPrintable(shown.canvas.yAxis->label()));
    const QRect axes = shown.canvas.axisRect()->rect();
    QTest::mouseMove(&shown.canvas, {axes.left() / 2, axes.center().y()});
    QTRY_VERIFY(QToolTip::text().contains(whole));
    shown.view.resize(900, 520);
    QVERIFY(shown.paint());
    QCOMPARE(shown.canvas.yAxis->label(), whole);
}

void CurveViewTest::marksOfALowPlotAreWhole()
{
    Shown shown;
    for (const int height : {520, 200, 150, 130}) {
        shown.view.resize(900, height);
        QVERIFY(shown.paint());
        const QCPAxis& axis = *shown.canvas.yAxis;
        double highest = 0.0;
        for (const Curve& curve : shown.plot.curves().curves) {
            for (const CurvePoint& point : curve.points)
                highest = std::max(highest, point.y);
        }
        // The disc of a baseline is the largest of them.
        const double above = axis.coordToPixel(highest) - axis.axisRect()->top();
        const double radius = shown.plot.look().theme.markerSize;
        QVERIFY2(above >= radius,
                 qPrintable(QStringLiteral("%1, height %2").arg(above).arg(height)));
    }
}

const tests::GuiTest<CurveViewTest> registered(__FILE_NAME__);

}  // namespace qs::tst_curve_view

#include "tst_curve_view.moc"
