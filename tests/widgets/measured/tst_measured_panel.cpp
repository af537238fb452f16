#include "core/record/run_folder.h"
#include "core/report/words/evidence_text.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/measured/traced_row.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/measured/measured_panel.h"
#include "widgets/measured/phase_strip.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QToolButton>

namespace qs::tst_measured_panel {

using namespace widgets;
using tests::child;

namespace {

QString cellId(const char* precision)
{
    return QString::fromStdString(tests::sampleCellId(precision, "none", 4));
}

QString factText(const MeasuredPanel& panel, const char* name)
{
    const auto* label =
        panel.findChild<QLabel*>(QStringLiteral("fact: ") + QString::fromLatin1(name));
    return label == nullptr ? QString() : label->text();
}

QString factOf(const core::Measurement& row, const char* name)
{
    const core::MeasuredCourse course = core::courseOf(row.result);
    const auto summary = core::summarize(row.result.passSeconds());
    for (const MeasuredFact& fact : measuredFacts({row, course, summary})) {
        if (fact.name == QLatin1String(name))
            return fact.text;
    }
    return {};
}

}  // namespace

class TestMeasuredPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void emptyStates();
    void showsARowWithEverything();
    void callsAreCountedAsWhatTheyAre();
    void rowsWithoutTimesSaySo();
    void roundsAreChosen();
    void pointsTellTheirValues();
    void keysMoveAlongTime();
    void factsInWords();
    void remarksOnAllRepeats();
    void hostileRowsDoNoHarm();
    void manySamples();
    void rowsOfAGpu();
    void looksRightOnDarkGround();
};

void TestMeasuredPanel::emptyStates()
{
    RunStore store;
    MeasuredPanel panel(store);
    panel.show();
    const auto* empty = child<QLabel>(panel, "measuredEmpty");
    QVERIFY(empty->isVisible());
    QVERIFY(empty->text().startsWith(QStringLiteral("Open or start a run")));
    store.setRun(tests::sampleRun({.rounds = 0}));
    QVERIFY(empty->text().startsWith(QStringLiteral("Click a point")));
    store.selectCell(cellId("int8dq"));
    QVERIFY2(empty->text().endsWith(QStringLiteral("not measured yet")), qPrintable(empty->text()));
}

void TestMeasuredPanel::showsARowWithEverything()
{
    RunStore store;
    store.setRun(tests::tracedRun());
    MeasuredPanel panel(store);
    panel.resize(1180, 680);
    panel.show();
    store.selectCell(cellId("int8dq"));
    QCOMPARE(child<QLabel>(panel, "measuredTitle")->text(),
             QStringLiteral("int8dq · eager · batch 4"));
    // Samples, clock, power, temperature and caps above each other, on one axis.
    QCOMPARE(panel.plot().strips(), 5);
    const auto* strip = child<PhaseStrip>(panel, "phaseStrip");
    QVERIFY2(strip->accessibleDescription().contains(QStringLiteral("warm-up 2.50 s from 5.45 s")),
             qPrintable(strip->accessibleDescription()));
    QVERIFY(child<QLabel>(panel, "measuredMarks")->text().contains(QStringLiteral("warm-up")));
    QVERIFY(child<QLabel>(panel, "measuredMarks")
                ->text()
                .contains(QStringLiteral("by&nbsp;temperature")));
    QVERIFY(child<QLabel>(panel, "measuredRemark")->isHidden());
    QCOMPARE(factText(panel, "Sampling ended by"),
             QString::fromStdString(core::stopReasonText(core::StopReason::QuietEnough)));
    // Words, so that a narrow column can break them; the files keep the names.
    QCOMPARE(factText(panel, "Operations"), QStringLiteral("int mm int32 ×28, linear bfloat16 ×4"));
    QVERIFY(factText(panel, "Discarded")
                .contains(QString::fromStdString(core::slowdownText(core::Slowdown::PowerCap))));
    QCOMPARE(factText(panel, "Foreign processes"), QStringLiteral("python3 (pid 812), 1.500 GiB"));
    QVERIFY2(factText(panel, "Clock").startsWith(QStringLiteral("1650 … 1980 MHz of 1980")),
             qPrintable(factText(panel, "Clock")));
    QVERIFY(panel.findChild<QLabel*>(QStringLiteral("fact: Clock"))
                ->toolTip()
                .contains(QStringLiteral("20 times a second and interpolated")));
    QVERIFY2(factText(panel, "Throttled share").startsWith(QStringLiteral("power ")),
             qPrintable(factText(panel, "Throttled share")));
    QVERIFY(factText(panel, "Throttled share").endsWith(QStringLiteral("temperature 0 %")));
    QVERIFY(!factText(panel, "Device time").isEmpty());
    QVERIFY(!factText(panel, "Host time").isEmpty());
    QVERIFY(factText(panel, "Device time") != factText(panel, "Host time"));
    QCoreApplication::processEvents();
    tests::screenshot(panel, QStringLiteral("measured-light"));
    QSignalSpy wanted(&panel, &MeasuredPanel::environmentsWanted);
    Q_EMIT child<QLabel>(panel, "measuredEnvironment")->linkActivated({});
    QCOMPARE(wanted.size(), 1);
}

void TestMeasuredPanel::rowsWithoutTimesSaySo()
{
    RunStore store;
    core::RunData data = tests::sampleRun();
    store.setRun(data);
    MeasuredPanel panel(store);
    panel.resize(1180, 680);
    panel.show();
    store.selectCell(cellId("bf16"));
    QCOMPARE(panel.plot().strips(), 1);
    const auto* remark = child<QLabel>(panel, "measuredRemark");
    QVERIFY(remark->isVisible());
    QVERIFY(remark->text().contains(QStringLiteral("no times of its samples")));
    QVERIFY(remark->text().contains(QStringLiteral("clocks and power")));
    QVERIFY(child<QToolButton>(panel, "showWholeCell")->isHidden());
    QCoreApplication::processEvents();
    tests::screenshot(panel, QStringLiteral("measured-older"));
    for (core::Measurement& row : data.measurements) {
        row.config.device = "cpu";
        row.result.deviceSeconds.clear();
    }
    store.setRun(data);
    store.selectCell(cellId("bf16"));
    QVERIFY2(remark->text().contains(QStringLiteral("on a CPU")), qPrintable(remark->text()));
    QVERIFY(factText(panel, "Device time").isEmpty());
    QVERIFY(!factText(panel, "Host time").isEmpty());
}

void TestMeasuredPanel::roundsAreChosen()
{
    RunStore store;
    store.setRun(tests::tracedRun());
    MeasuredPanel panel(store);
    panel.show();
    store.selectCell(cellId("int8dq"));
    auto* rounds = child<QComboBox>(panel, "measuredRounds");
    QCOMPARE(rounds->count(), 3);
    QCOMPARE(rounds->itemText(1), QStringLiteral("round 2: oom"));
    QVERIFY(rounds->currentIndex() != 1);
    rounds->setCurrentIndex(1);
    QCOMPARE(factText(panel, "Outcome"), QStringLiteral("oom: CUDA out of memory while measuring"));
    QVERIFY(child<QLabel>(panel, "measuredRemark")
                ->text()
                .startsWith(QStringLiteral("This row has no samples.")));
    QVERIFY(panel.plot().isHidden());
    // Where rows of more than one environment are, each says of which it is.
    core::RunData two = store.data();
    core::Environment elsewhere = two.environments.front();
    elsewhere.host = "elsewhere";
    two.environments.push_back(elsewhere);
    for (core::Measurement& row : two.measurements)
        row.environmentId = row.round == 2 ? elsewhere.id() : row.environmentId;
    RunStore mixed;
    mixed.setRun(two);
    MeasuredPanel other(mixed);
    other.show();
    mixed.selectCell(cellId("bf16"));
    QCOMPARE(child<QComboBox>(other, "measuredRounds")->itemText(2),
             QStringLiteral("round 3, environment 2"));
    QVERIFY(child<QLabel>(other, "measuredEnvironment")
                ->text()
                .contains(QStringLiteral("measured in 2 environments")));
    // A new analysis keeps what is looked at, another cell the round if it can.
    const QSignalSpy analysed(&store, &RunStore::analysisChanged);
    store.setBaseline(QStringLiteral("bf16-eager"));
    QTRY_COMPARE(analysed.count(), 1);
    QTest::qWait(0);
    QCOMPARE(rounds->currentIndex(), 1);
    store.selectCell(cellId("bf16"));
    QCOMPARE(rounds->currentText(), QStringLiteral("round 2"));
    QVERIFY(!panel.plot().isHidden());
    // Hidden, it does nothing; shown again, it has caught up.
    panel.hide();
    store.selectCell(cellId("int8dq"));
    QCOMPARE(child<QLabel>(panel, "measuredTitle")->text(),
             QStringLiteral("bf16 · eager · batch 4"));
    panel.show();
    QCOMPARE(child<QLabel>(panel, "measuredTitle")->text(),
             QStringLiteral("int8dq · eager · batch 4"));
}

void TestMeasuredPanel::pointsTellTheirValues()
{
    const core::CellResult result = tests::tracedResult();
    MeasuredSeries series{.course = core::courseOf(result),
                          .summary = core::summarize(result.counted(result.deviceSeconds)),
                          .bins = core::histogram(result.counted(result.deviceSeconds)),
                          .trace = result.trace};
    const std::vector<core::CoursePass> passes = series.course.passes;
    MeasuredPlot plot;
    plot.resize(900, 600);
    plot.setSeries(std::move(series));
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    static_cast<void>(plot.grab());
    for (const core::CoursePass& pass : passes) {
        const QString text = plot.textAt(plot.positionOf(pass));
        if (pass.kind == core::PassKind::WarmUp && pass.index == 0) {
            QVERIFY2(text.startsWith(QStringLiteral("Warm-up sample 1: 80.00 ms")),
                     qPrintable(text));
            QVERIFY(text.contains(QStringLiteral("above the visible range")));
        }
        if (pass.kind == core::PassKind::Discarded)
            QVERIFY2(text.contains(QStringLiteral("discarded: ") +
                                   QString::fromStdString(core::discardText(*pass.discard))),
                     qPrintable(text));
    }
    QVERIFY(plot.textAt({3, 3}).isEmpty());
    // The strips below tell of the device.
    const QString device = plot.textAt({plot.positionOf(passes.back()).x(), 370.0});
    QVERIFY2(device.contains(QStringLiteral("1,980 MHz")) ||
                 device.contains(QStringLiteral("1980 MHz")),
             qPrintable(device));
    QVERIFY2(device.contains(QStringLiteral("power 0 % of the time, temperature 0 %")),
             qPrintable(device));
    core::CoursePass slow = passes.back();
    slow.at = 9.05;
    const QString capped = plot.textAt({plot.positionOf(slow).x(), 370.0});
    QVERIFY2(capped.contains(QStringLiteral("power 80 % of the time")), qPrintable(capped));
}

void TestMeasuredPanel::keysMoveAlongTime()
{
    RunStore store;
    store.setRun(tests::tracedRun());
    MeasuredPanel panel(store);
    panel.resize(1000, 600);
    panel.show();
    store.selectCell(cellId("int8dq"));
    MeasuredPlot& plot = panel.plot();
    const core::Interval samples = plot.visibleSpan();
    QVERIFY(samples.lower > 5.0 && samples.lower < 8.0);
    QTest::keyClick(&plot, Qt::Key_Plus);
    QVERIFY(plot.visibleSpan().lower > samples.lower);
    // Rows of others that come meanwhile leave it there.
    const core::Interval zoomed = plot.visibleSpan();
    QSignalSpy analysed(&store, &RunStore::analysisChanged);
    core::Measurement other = store.data().measurements.front();
    other.attempt = 7;
    store.addMeasurement(other);
    QTRY_COMPARE(analysed.size(), 1);
    QCOMPARE(plot.visibleSpan(), zoomed);
    QTest::keyClick(&plot, Qt::Key_Right);
    QVERIFY(plot.visibleSpan().upper > samples.upper - 0.5);
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.visibleSpan(), samples);
    child<QToolButton>(panel, "showWholeCell")->click();
    QVERIFY(plot.visibleSpan().lower < 0.1);
    QVERIFY(plot.visibleSpan().upper > samples.upper);
    child<QToolButton>(panel, "showSamples")->click();
    QCOMPARE(plot.visibleSpan(), samples);
}

void TestMeasuredPanel::factsInWords()
{
    core::Measurement row;
    row.config.device = "cuda:0";
    row.result = tests::tracedResult(200);
    row.result.passesPerSample = 8;
    QCOMPARE(factOf(row, "Other load"), QString());
    QCOMPARE(factOf(row, "Environment variables"), QString());
    core::Measurement withVariable = row;
    withVariable.config.env = "OMP_NUM_THREADS=2";
    QCOMPARE(factOf(withVariable, "Environment variables"), QStringLiteral("OMP_NUM_THREADS=2"));
    QCOMPARE(factOf(row, "Distance to eager"), QString());
    core::Measurement compiled = row;
    compiled.result.compiles = {
        {.stage = "encoder", .distanceToEager = 0.031, .distanceLimit = 0.15}};
    QCOMPARE(factOf(compiled, "Distance to eager"), QStringLiteral("encoder 0.031 of 0.15"));
    core::Measurement onCpu = row;
    onCpu.result.load = {.averageBefore = 0.3, .othersDuring = 1.2, .cores = 2};
    QCOMPARE(factOf(onCpu, "Other load (disturbed)"),
             QStringLiteral("other processes used 1.2 of 2 cores, load before 0.3"));
    QCOMPARE(factOf(onCpu, "Quantized by"),
             QStringLiteral("int8dq: absmax / 127.5, quantized values -128 … 127"));
    QCOMPARE(factOf(row, "Weights"), QString());
    core::Measurement wrongWeights = row;
    for (const char* name : {"a", "b"})
        wrongWeights.result.storage.add(
            {.weight = name, .fault = core::StorageFault::Shared, .other = "c"});
    wrongWeights.result.storage.offenderCount = 5;
    QCOMPARE(factOf(wrongWeights, "Weights").count(QLatin1Char('\n')), 2);
    QVERIFY(factOf(wrongWeights, "Weights").endsWith(QStringLiteral("3 more")));
    QVERIFY2(factOf(row, "Samples").startsWith(QStringLiteral("200, ")),
             qPrintable(factOf(row, "Samples")));
    QVERIFY(
        factOf(row, "Samples").endsWith(QStringLiteral("each the mean of 8 consecutive passes")));
    QVERIFY(factOf(row, "Percentiles").contains(QStringLiteral("p95 ")));
    QVERIFY(factOf(row, "Percentiles").endsWith(QStringLiteral("p99 needs 662 samples")));
    // The samples swing: each repeats its neighbour.
    for (std::size_t i = 0; i < row.result.deviceSeconds.size(); ++i)
        row.result.deviceSeconds[i] = 0.02 + 0.001 * std::sin(static_cast<double>(i) / 9.0);
    row.result.discards.clear();
    QVERIFY2(factOf(row, "Autocorrelation").contains(QStringLiteral("samples are correlated")),
             qPrintable(factOf(row, "Autocorrelation")));
    QCOMPARE(factOf(row, "Outliers"), QStringLiteral("none"));
    // 500 W, and ten passes of four pictures in five seconds.
    row.config.batch = 4;
    QVERIFY2(factOf(row, "Energy").contains(QStringLiteral(" J in ")),
             qPrintable(factOf(row, "Energy")));
    row.result.energy = core::PassStretch{.passes = 10, .start = 7.0, .seconds = 5.0};
    QCOMPARE(factOf(row, "Energy"), QStringLiteral("250 J per pass: 2500 J in 5.00 s, ± 2 %"));
    row.result.energy.reset();
    row.result = tests::tracedResult(20);
    QVERIFY2(factOf(row, "Energy").startsWith(QStringLiteral("window too short")),
             qPrintable(factOf(row, "Energy")));
    row.result.trace = {};
    QVERIFY(factOf(row, "Energy").isEmpty());
    QVERIFY(factOf(row, "Clock").isEmpty());
    QVERIFY(!noTraceText(row).isEmpty());
    QCOMPARE(durationText(0.00403, 3), QStringLiteral("4.03 ms"));
    QCOMPARE(durationText(12.5e-6, 3), QStringLiteral("12.5 µs"));
}

void TestMeasuredPanel::remarksOnAllRepeats()
{
    core::RunData data = tests::sampleRun();
    RunStore store;
    store.setRun(data);
    MeasuredPanel panel(store);
    panel.show();
    store.selectCell(cellId("int8dq"));
    QCOMPARE(factText(panel, "All repeats"), QString());
    // The last repeat was measured on the next day, that of its baseline was not.
    for (core::Measurement& row : data.measurements) {
        if (row.cellId == cellId("int8dq").toStdString() && row.round == 2)
            row.startedAt = "2026-11-22T09:40:12Z";
    }
    store.setRun(data);
    store.selectCell(cellId("int8dq"));
    QTRY_VERIFY2(
        factText(panel, "All repeats")
            .startsWith(QStringLiteral("1 of 3 shared rounds (3) started up to 24 h apart")),
        qPrintable(factText(panel, "All repeats")));
    // What the row says with its own figures is no remark on the others.
    for (core::Measurement& row : data.measurements)
        row.result.notes = {{core::NoteCode::ClockStepsOfPass, {1e-6 * (10 + row.round), 0.05}}};
    store.setRun(data);
    store.selectCell(cellId("int8dq"));
    QTRY_VERIFY(factText(panel, "All repeats").contains(QStringLiteral("shared rounds")));
    QVERIFY2(!factText(panel, "All repeats").contains(QStringLiteral("each pass")),
             qPrintable(factText(panel, "All repeats")));
}

void TestMeasuredPanel::hostileRowsDoNoHarm()
{
    core::RunData data = tests::tracedRun();
    for (core::Measurement& row : data.measurements) {
        row.result.sampleStart = {1.0};
        row.result.discards = {{12345, core::Slowdown::Heat}};
        row.result.phases = {{core::Phase::Compile, 0.0, 0.0}, {core::Phase::Load, 1e-12, 0.0}};
        row.result.attention = "<img src=x>";
        row.result.deviceSeconds = {0.0, 0.0, 0.0};
        row.result.hostSeconds = {0.0, 0.0, 0.0};
        row.result.trace.points.resize(1);
        row.environmentId = "unknown";
    }
    RunStore store;
    store.setRun(data);
    MeasuredPanel panel(store);
    panel.resize(800, 500);
    panel.show();
    store.selectCell(cellId("int8dq"));
    static_cast<void>(panel.grab());
    // Names from a file are text, never markup.
    for (const QLabel* label : panel.findChildren<QLabel*>()) {
        QVERIFY2(!label->text().contains(QStringLiteral("<img src=x")) ||
                     label->textFormat() == Qt::PlainText,
                 qPrintable(label->objectName()));
    }
    QVERIFY(child<QLabel>(panel, "measuredEnvironment")
                ->text()
                .startsWith(QStringLiteral("unknown environment")));
}

void TestMeasuredPanel::manySamples()
{
    RunStore store;
    store.setRun(tests::tracedRun(1000));
    MeasuredPanel panel(store);
    panel.resize(1180, 680);
    panel.show();
    store.selectCell(cellId("int8dq"));
    QVERIFY(factText(panel, "Percentiles").contains(QStringLiteral("p99 ")));
    QVERIFY(!factText(panel, "Percentiles").contains(QStringLiteral("needs")));
    QCoreApplication::processEvents();
    tests::screenshot(panel, QStringLiteral("measured-many"));
}

void TestMeasuredPanel::rowsOfAGpu()
{
    RunStore store;
    store.setRun(
        core::readRunFolder(std::filesystem::path(QS_MEASURED_ROWS) / "processes").value());
    MeasuredPanel panel(store);
    panel.resize(1180, 680);
    panel.show();
    for (const core::CellSummary& cell : store.analysis().cells) {
        if (cell.cell->config.batch != 64 || cell.cell->config.imageSize() != 256)
            continue;
        store.selectCell(QString::fromStdString(cell.cell->id));
        QCOMPARE(panel.plot().strips(), 4);
        QVERIFY(child<QLabel>(panel, "measuredRemark")->isHidden());
        QVERIFY(factText(panel, "Clock").contains(QStringLiteral("MHz of 1980")));
        QVERIFY(!factText(panel, "Energy").isEmpty());
        QCoreApplication::processEvents();
        tests::screenshot(panel, QStringLiteral("measured-gpu-%1")
                                     .arg(QString::fromStdString(cell.cell->config.compile)));
    }
}

void TestMeasuredPanel::looksRightOnDarkGround()
{
    RunStore store;
    store.setRun(tests::tracedRun());
    MeasuredPanel panel(store);
    panel.setPalette(tests::darkPalette());
    panel.resize(1180, 680);
    panel.show();
    store.selectCell(cellId("int8dq"));
    QCoreApplication::processEvents();
    const QImage dark = tests::screenshot(panel, QStringLiteral("measured-dark"));
    QVERIFY(QColor(dark.pixel(dark.width() / 2, dark.height() / 2)).lightness() < 128);
    const QString before = child<QLabel>(panel, "measuredPhases")->text();
    panel.setPalette(tests::lightPalette());
    QTRY_VERIFY(child<QLabel>(panel, "measuredPhases")->text() != before);
}

// Of a processor they are no kernels, and a whole number of them has no decimals.
void TestMeasuredPanel::callsAreCountedAsWhatTheyAre()
{
    core::Measurement row;
    row.result = tests::tracedResult();
    row.result.profile =
        core::PassProfile{.passSeconds = 0.02,
                          .busySeconds = 0.01,
                          .launches = 419.0,
                          .kernels = {{.name = "gemm", .calls = 7.0, .seconds = 0.005}}};
    row.config.device = "cuda:0";
    const QString busy = factOf(row, "Busy");
    QVERIFY2(busy.contains(QStringLiteral(" 419 ")), qPrintable(busy));
    const QString longest = factOf(row, "Longest kernels");
    QVERIFY2(longest.contains(QStringLiteral("×7 ")), qPrintable(longest));
    row.config.device = "cpu";
    QVERIFY(factOf(row, "Longest kernels").isEmpty());
    QCOMPARE(factOf(row, "Longest operations"), longest);
    QVERIFY(factOf(row, "Busy") != busy);
}

const tests::GuiTest<TestMeasuredPanel> registered(__FILE_NAME__);

}  // namespace qs::tst_measured_panel

#include "tst_measured_panel.moc"
