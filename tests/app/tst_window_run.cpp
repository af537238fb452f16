#include "app/gui/check_picture_dialog.h"
#include "core/record/run_folder.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/plot/curve_plot.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace qs::tst_window_run {

using app::MainWindow;
using tests::child;
using tests::kEngineMs;
using tests::kRunMs;
using namespace std::chrono_literals;

namespace {

constexpr int kPictureMs = 20'000;

std::set<std::string> rowKeys(const core::RunData& data)
{
    std::set<std::string> keys;
    for (const core::Measurement& row : data.measurements)
        keys.insert(row.cellId + "/" + std::to_string(row.round) + "/" +
                    std::string(core::name(row.status())) + "/" +
                    std::to_string(row.result.hostSeconds.size()));
    return keys;
}

bool hasPicture(const MainWindow& window, widgets::PaneRole role)
{
    const auto* compare = child<widgets::CompareView>(window, "compareView");
    return !compare->panes().pane(role).image().isNull();
}

// The cell, other than `selected`, whose point lies farthest from all others: measured times may
// lay two points on one another, and a click takes the upper one.
QString loneliest(const widgets::CurvePlot& curve, const core::Plan& plan, const QString& selected)
{
    QString found;
    int farthest = -1;
    for (const core::PlannedCell& cell : plan.cells) {
        const QString id = QString::fromStdString(cell.id);
        const auto place = curve.positionOf(id);
        int nearest = std::numeric_limits<int>::max();
        for (const core::PlannedCell& each : plan.cells) {
            const auto other = curve.positionOf(QString::fromStdString(each.id));
            if (place && other && each.id != cell.id)
                nearest = std::min(nearest, (*place - *other).manhattanLength());
        }
        if (place && id != selected && nearest > farthest) {
            farthest = nearest;
            found = id;
        }
    }
    return found;
}

}  // namespace

// The main job with real widgets; what is said of measurements and images with the real worker on
// the processor.
class TestWindowRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void measureLookExportReopen();
    void stopAndGoOn();
    void anotherRunIsLookedAtMeanwhile();
    void checkOnePicture();
    void queuedSweepsFollow();
    void pauseAndSkip();
    void closingAsksWhileRunning();
    void finishTheCellThenClose();
};

void TestWindowRun::measureLookExportReopen()
{
    const tests::WindowFixture fixture;
    std::filesystem::path folder;
    std::set<std::string> rows;
    {
        MainWindow window(fixture.options());
        window.resize(1366, 768);
        window.show();
        window.openPreset(fixture.preset(tests::tinyPreset()));
        auto* run = child<QPushButton>(window, "runButton");
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), kEngineMs);
        const QSignalSpy finished(&window.controller(), &app::RunController::runFinished);
        QTest::mouseClick(run, Qt::LeftButton);
        QVERIFY(window.controller().isRunning());
        QVERIFY(run->text().startsWith(QStringLiteral("Queue")));
        auto* curve = child<widgets::CurvePlot>(window, "curvePlot");
        QTRY_VERIFY_WITH_TIMEOUT(!curve->curves().empty(), kRunMs);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kRunMs);
        QCOMPARE(finished[0][0].toString(), QString());
        QVERIFY(run->isEnabled());

        const core::RunData& data = window.store().data();
        QCOMPARE(data.measurements.size(), std::size_t{6});
        for (const core::Measurement& row : data.measurements)
            QVERIFY2(row.ok(), row.logTail.c_str());
        auto* table = child<QTableView>(window, "cellView");
        QCOMPARE(table->model()->rowCount(), 6);
        // Nothing had been selected: the answer is, and its weights are not trained.
        QTRY_VERIFY(!window.store().selectedCell().isEmpty());
        const QString headline = child<QLabel>(window, "answerHeadline")->text();
        QVERIFY2(headline.startsWith(QStringLiteral("Fastest: ")) ||
                     headline.startsWith(QStringLiteral("Nothing ")),
                 qPrintable(headline));
        QVERIFY(child<QLabel>(window, "answerDetail")
                    ->text()
                    .contains(QStringLiteral("no quality verdict")));

        // A click on another point selects it everywhere, and its pictures come.
        QTRY_VERIFY(curve->positionOf(window.store().selectedCell()).has_value());
        const QString other = loneliest(*curve, data.plan, window.store().selectedCell());
        QVERIFY(!other.isEmpty());
        const QPoint point = *curve->positionOf(other);
        QWidget* canvas = curve->childAt(point);
        QVERIFY(canvas != nullptr);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->mapFrom(curve, point));
        QCOMPARE(window.store().selectedCell(), other);
        auto* compare = child<widgets::CompareView>(window, "compareView");
        QTRY_VERIFY_WITH_TIMEOUT(!compare->pictures().isLoading(), kPictureMs);
        QVERIFY(hasPicture(window, widgets::PaneRole::A));
        QVERIFY(hasPicture(window, widgets::PaneRole::Input));
        QVERIFY(hasPicture(window, widgets::PaneRole::Reference));
        tests::screenshot(window, QStringLiteral("window-tiny-run"));

        child<QAction>(window, "actionExportTables")->trigger();
        const auto tables = fixture / "tables";
        std::filesystem::create_directories(tables);
        tests::acceptDialog(*child<QFileDialog>(window, "exportTablesDialog"), tables);
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(tables / "cells.csv"), kPictureMs);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPictureMs);
        const std::string csv = tests::readFile(tables / "cells.csv");
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 7);  // heading and six cells
        QVERIFY(std::filesystem::exists(tables / "measurements.csv"));

        child<QAction>(window, "actionExportCurves")->trigger();
        tests::acceptDialog(*child<QFileDialog>(window, "exportCurvesDialog"),
                            fixture / "curves.png");
        QTRY_VERIFY(!QImage(QString::fromStdString((fixture / "curves.png").string())).isNull());
        child<QAction>(window, "actionExportPictures")->trigger();
        tests::acceptDialog(*child<QFileDialog>(window, "exportPicturesDialog"),
                            fixture / "pictures.png");
        QTRY_VERIFY(!QImage(QString::fromStdString((fixture / "pictures.png").string())).isNull());

        folder = data.folder;
        rows = rowKeys(data);
        QVERIFY(window.close());
    }
    MainWindow window(fixture.withoutEngine());
    window.show();
    window.openRun(folder);
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty(), kPictureMs);
    QCOMPARE(rowKeys(window.store().data()), rows);
    QCOMPARE(child<QTableView>(window, "cellView")->model()->rowCount(), 6);
    QVERIFY(window.windowTitle().contains(QStringLiteral("Tiny sweep")));
    QTRY_VERIFY_WITH_TIMEOUT(hasPicture(window, widgets::PaneRole::A), kPictureMs);
}

void TestWindowRun::stopAndGoOn()
{
    constexpr std::size_t kCells = 9;
    tests::OpenedWindow opened(200ms, "[1, 2, 3]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    auto* stop = child<QAction>(window, "actionStopNow");
    QVERIFY(stop->isEnabled());
    stop->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kEngineMs);
    QCOMPARE(opened.finished[0][0].toString(), QString());
    QVERIFY(!stop->isEnabled());
    QVERIFY(window.store().data().measurements.size() < kCells);
    auto* headline = child<QLabel>(window, "answerHeadline");
    QTRY_VERIFY2(headline->text().contains(QStringLiteral("stopped early")),
                 qPrintable(headline->text()));
    // What was measured is on disk.
    const auto onDisk = core::readRunFolder(window.store().data().folder);
    QVERIFY(onDisk.ok());
    QCOMPARE(rowKeys(onDisk.value()), rowKeys(window.store().data()));

    // The rest comes when it is gone on with, and nothing is measured twice.
    auto* goOn = child<QAction>(window, "actionGoOn");
    QVERIFY(goOn->isEnabled());
    QVERIFY(!child<QAction>(window, "actionRetryFailed")->isEnabled());
    // What was measured stays in view, and a double click does not stop what it began.
    auto* resume = child<QToolButton>(window, "resumeButton");
    const QPoint place = resume->mapToGlobal(resume->rect().center());
    tests::click(*resume);
    QVERIFY(window.controller().isRunning());
    QVERIFY(!window.store().data().measurements.empty());
    QWidget* under = nullptr;
    QTRY_VERIFY((under = QApplication::widgetAt(place)) != resume);
    QTest::mouseDClick(under, Qt::LeftButton, {}, under->mapFromGlobal(place));
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 2, kRunMs);
    QVERIFY(!goOn->isEnabled());
    std::map<std::string, int> okRows;
    for (const core::Measurement& row : window.store().data().measurements)
        okRows[row.cellId] += row.ok() ? 1 : 0;
    QCOMPARE(okRows.size(), kCells);
    QVERIFY(std::all_of(okRows.begin(), okRows.end(),
                        [](const auto& each) { return each.second == 1; }));
}

// Hours of measuring are no reason not to look at yesterday.
void TestWindowRun::anotherRunIsLookedAtMeanwhile()
{
    tests::OpenedWindow opened(200ms, "[1, 2, 3, 4]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    const std::filesystem::path running = window.controller().folder();
    const QString selected = QString::fromStdString(window.store().data().plan.cells.front().id);
    window.store().selectCell(selected);
    const std::filesystem::path example = tests::exampleRun("demo_cpu_one_thread");
    window.openRun(example);
    QTRY_COMPARE_WITH_TIMEOUT(window.store().data().folder.filename(), example.filename(),
                              kEngineMs);
    QVERIFY(window.controller().isRunning());
    QVERIFY(!window.controller().isInView());
    QVERIFY(child<QAction>(window, "actionStopNow")->isEnabled());
    QVERIFY(!child<QAction>(window, "actionAppend")->isEnabled());
    // Nothing of the sweep gets into the run in view.
    const std::size_t rows = window.store().data().measurements.size();
    const int done = window.controller().progress().done;
    QTRY_VERIFY_WITH_TIMEOUT(
        window.controller().progress().done > done + 1 || !window.controller().isRunning(), kRunMs);
    QCOMPARE(window.store().data().measurements.size(), rows);
    QVERIFY2(window.controller().isRunning(), "it ended before it could be gone back to");

    // Back by the menu of the header, with what has come meanwhile.
    auto* menu = child<QMenu>(window, "runMenu");
    QTimer::singleShot(0, menu, [menu] {
        auto* action = menu->findChild<QAction*>(QStringLiteral("runningRun"));
        if (action != nullptr)
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        menu->close();
    });
    QTest::mouseClick(child<QToolButton>(window, "runMenuButton"), Qt::LeftButton);
    QTRY_COMPARE(window.store().data().folder, running);
    QVERIFY(window.controller().isInView());
    QCOMPARE(window.store().selectedCell(), selected);
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    const auto onDisk = core::readRunFolder(running);
    QVERIFY(onDisk.ok());
    QCOMPARE(rowKeys(window.store().data()), rowKeys(onDisk.value()));
    QCOMPARE(window.store().data().measurements.size(), std::size_t{12});
}

void TestWindowRun::checkOnePicture()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.options());
    window.show();
    window.openPreset(fixture.preset(tests::tinyPreset()));
    auto* check = child<QAction>(window, "actionCheckPicture");
    QTRY_VERIFY_WITH_TIMEOUT(check->isEnabled(), kEngineMs);
    check->trigger();
    auto* dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kEngineMs);
    const QString text = child<QLabel>(*dialog, "checkFindings")->text();
    QVERIFY2(text.contains(QStringLiteral("untrained")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("Values from −")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("bf16")), qPrintable(text));
    QVERIFY(!child<QLabel>(*dialog, "checkOutput")->pixmap(Qt::ReturnByValue).isNull());
    QVERIFY(!child<QLabel>(*dialog, "checkInput")->pixmap(Qt::ReturnByValue).isNull());
    tests::screenshot(*dialog, QStringLiteral("check-picture"));
    dialog->close();
    // Nothing of it is a run of the window.
    QVERIFY(window.store().isEmpty());

    // A model that is not there is said, not run.
    window.openPreset(
        fixture.preset(QString::fromStdString(tests::tinyPreset())
                           .replace(QStringLiteral("vitok:w64_d1_h2-w48_d2_h3/1x8x16"),
                                    QStringLiteral("/nowhere/model.safetensors"))
                           .toStdString()));
    QTRY_VERIFY(window.findChild<QDialog*>(QStringLiteral("checkPictureDialog")) == nullptr);
    check->trigger();
    dialog = child<app::CheckPictureDialog>(window, "checkPictureDialog");
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), kEngineMs);
    QVERIFY(child<QLabel>(*dialog, "checkFindings")->text().contains(QStringLiteral("/nowhere")));
    dialog->close();
}

void TestWindowRun::queuedSweepsFollow()
{
    tests::OpenedWindow opened(50ms, "[1]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    opened.run->click();
    const std::filesystem::path first = window.controller().folder();
    auto* queue = child<QToolButton>(window, "queueButton");
    QVERIFY(queue->isHidden());
    opened.run->click();
    QCOMPARE(queue->text(), QStringLiteral("Queue: 1"));
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    QTRY_VERIFY_WITH_TIMEOUT(queue->isHidden(), kPictureMs);
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 2, kRunMs);
    QVERIFY(window.controller().folder() != first);
    for (const auto& folder : {first, window.controller().folder()}) {
        const auto stored = core::readRunFolder(folder);
        QVERIFY(stored.ok());
        QCOMPARE(stored.value().events.back().kind, core::EventKind::Complete);
    }
    QCoreApplication::processEvents();  // whatever would begin next is queued already
    QVERIFY(!window.controller().isRunning());
}

void TestWindowRun::pauseAndSkip()
{
    tests::OpenedWindow opened(200ms);
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    auto* pause = child<QAction>(window, "actionPause");
    QVERIFY(!pause->isEnabled());
    opened.run->click();
    pause->trigger();
    QVERIFY(window.controller().isPaused());
    // The cell at hand is done, and no other begins.
    QTRY_COMPARE_WITH_TIMEOUT(window.controller().progress().phase, core::Phase::Paused, kEngineMs);
    QVERIFY(child<QLabel>(window, "statusText")->text().contains(QStringLiteral("paused")));
    QVERIFY(window.controller().progress().cellId.empty());
    QVERIFY(window.store().data().measurements.size() < 6);
    pause->trigger();
    QVERIFY(!window.controller().isPaused());
    // The cell that is skipped leaves a row that says so.
    QTRY_VERIFY_WITH_TIMEOUT(!window.controller().progress().cellId.empty(), kEngineMs);
    child<QAction>(window, "actionSkip")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
    const auto& rows = window.store().data().measurements;
    QCOMPARE(rows.size(), std::size_t{6});
    QVERIFY(std::count_if(rows.begin(), rows.end(),
                          [](const core::Measurement& row) { return !row.ok(); }) <= 1);
}

void TestWindowRun::closingAsksWhileRunning()
{
    tests::OpenedWindow opened(200ms);
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    opened.run->click();
    QVERIFY(!window.close());
    QVERIFY(window.isVisible());
    auto* question = child<QMessageBox>(window, "closeQuestion");
    question->button(QMessageBox::Cancel)->click();
    QVERIFY(window.controller().isRunning());
    QTRY_VERIFY(window.findChild<QMessageBox*>(QStringLiteral("closeQuestion")) == nullptr);

    QVERIFY(!window.close());
    child<QPushButton>(window, "closeNow")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), kEngineMs);
    QVERIFY(!window.controller().isRunning());
}

void TestWindowRun::finishTheCellThenClose()
{
    tests::OpenedWindow opened(200ms, "[1, 2, 3, 4]");
    MainWindow& window = opened.window;
    QVERIFY(opened.getsReady());
    opened.run->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    QVERIFY(!window.close());
    child<QPushButton>(window, "closeAfterCell")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), kEngineMs);
    const auto stored = core::readRunFolder(window.store().data().folder);
    QVERIFY(stored.ok());
    for (const core::Measurement& row : stored.value().measurements)
        QVERIFY2(row.ok(), row.logTail.c_str());
    QCOMPARE(stored.value().events.back().kind, core::EventKind::Stopped);
}

const tests::GuiTest<TestWindowRun> registered(__FILE_NAME__);

}  // namespace qs::tst_window_run

#include "tst_window_run.moc"
