// How long the window is deaf while something large is loaded: for each case the longest event that
// its thread was busy with, in milliseconds of processor time and as a multiple of one repaint of a
// settled window of the same process. Promised are 100 ms.
//
//     QT_QPA_PLATFORM=offscreen build/ci/bin/bench_stalls [CASE …]

#include "app/gui/runs/compare_runs.h"
#include "core/image/picture_file.h"
#include "core/record/run_folder.h"
#include "tests/app/window_fixture.h"
#include "tests/benchmark/stall_meter.h"
#include "tests/support/huge_model.h"
#include "tests/support/large_run.h"
#include "tests/support/sample_run.h"
#include "widgets/compare/compare_view.h"
#include "widgets/models/other_runs.h"
#include "widgets/plan/plan_panel.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

using namespace qs;
using app::MainWindow;
using tests::child;

namespace {

constexpr int kLoadMs = 600'000;

tests::MeteredApplication& application()
{
    return *static_cast<tests::MeteredApplication*>(QCoreApplication::instance());
}

void waitFor(const std::function<bool()>& condition)
{
    if (!QTest::qWaitFor(condition, kLoadMs))
        qFatal("the window has not got there");
}

void require(bool done)
{
    if (!done)
        qFatal("what is opened could not be made");
}

// Until the window has drawn itself as it is now.
void waitForPaint(QWidget& window)
{
    const int before = application().paints();
    window.update();
    waitFor([&] { return application().paints() > before; });
}

// Warm: fonts, styles and the first layout are part of the start, not of what is measured.
void settle(MainWindow& window)
{
    window.resize(1366, 768);
    window.show();
    waitFor([&] { return window.isSettled(); });
    waitForPaint(window);
    application().reset();
}

void open(MainWindow& window, const std::filesystem::path& folder)
{
    window.openRun(folder);
    waitFor([&] { return !window.store().isEmpty() && window.isSettled(); });
    waitForPaint(window);
}

// Every ratio is formed anew.
void chooseAnotherBaseline(MainWindow& window)
{
    const QSignalSpy analysed(&window.store(), &widgets::RunStore::analysisChanged);
    const QString eager = QStringLiteral("bf16-eager");
    window.store().setBaseline(window.store().baseline() == eager ? QStringLiteral("best-bf16")
                                                                  : eager);
    waitFor([&] { return analysed.count() > 0; });
    waitForPaint(window);
}

// Processor time of one repaint of a window with a run of ordinary size: the median of several.
double repaintSeconds()
{
    const tests::WindowFixture fixture;
    require(tests::storeQuickly(fixture / "run", tests::sampleRun()));
    MainWindow window(fixture.withoutEngine());
    settle(window);
    open(window, fixture / "run");
    std::array<double, 9> seconds{};
    for (double& each : seconds) {
        application().reset();
        waitForPaint(window);
        each = application().longest().busySeconds;
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

// Of what has happened since the last time.
void print(const char* what, double repaint)
{
    const auto& longest = application().longest();
    qInfo("%-32s %6.1f ms (%6.1f ms on the clock), %5.1f repaints; %s", what,
          longest.busySeconds * 1e3, longest.wallSeconds * 1e3, longest.busySeconds / repaint,
          qPrintable(longest.what));
    application().reset();
}

void hundredThousandRows(double repaint)
{
    const tests::WindowFixture fixture;
    require(tests::storeQuickly(fixture / "large", tests::runOfRows(100'000)));
    MainWindow window(fixture.withoutEngine());
    settle(window);
    open(window, fixture / "large");
    print("100 000 rows: opening", repaint);
    window.showView(QStringLiteral("table"));
    auto* table = child<QTableView>(window, "cellView");
    table->sortByColumn(1, Qt::DescendingOrder);
    for (int i = 0; i < 10; ++i) {
        table->verticalScrollBar()->setValue(i * table->verticalScrollBar()->maximum() / 10);
        waitForPaint(window);
    }
    print("100 000 rows: the table", repaint);
    chooseAnotherBaseline(window);
    print("100 000 rows: another baseline", repaint);
}

void tenThousandCells(double repaint)
{
    const tests::WindowFixture fixture;
    const core::RunData data = tests::runOfCells(10'000);
    require(tests::storeQuickly(fixture / "large", data));
    require(tests::storeQuickly(fixture / "other", data));
    MainWindow window(fixture.withoutEngine());
    settle(window);
    open(window, fixture / "large");
    print("10 000 cells: opening", repaint);
    window.showView(QStringLiteral("table"));
    auto* table = child<QTableView>(window, "cellView");
    waitForPaint(window);
    table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
    waitForPaint(window);
    print("10 000 cells: the table", repaint);
    window.store().selectCell(QString::fromStdString(data.plan.cells.back().id));
    waitForPaint(window);
    print("10 000 cells: selecting one", repaint);
    chooseAnotherBaseline(window);
    print("10 000 cells: another baseline", repaint);
    window.findChild<app::CompareRuns*>()->compareWith(
        {QString::fromStdString((fixture / "other").string())});
    waitFor([&] { return !window.store().others().beside().empty(); });
    waitForPaint(window);
    print("10 000 cells: another run beside", repaint);
    window.store().others().leave();
    waitForPaint(window);
    print("10 000 cells: alone again", repaint);
}

void hugeModel(double repaint)
{
    const tests::WindowFixture fixture;
    const auto file = fixture / "huge.safetensors";
    require(tests::writeHugeModel(file).has_value());
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.openPreset(fixture.preset(tests::tinyPreset()));
    waitFor([&] { return window.isSettled(); });
    application().reset();
    auto* plan = child<widgets::PlanPanel>(window, "planPanel");
    const QSignalSpy inspected(plan, &widgets::PlanPanel::modelInspected);
    window.openItem(file);
    waitFor([&] { return inspected.count() > 0 && plan->isSettled(); });
    print("header of the 5B model", repaint);
}

constexpr int kPixels = 4096;

core::Picture gradient(float shift)
{
    core::Picture picture;
    picture.width = kPixels;
    picture.height = kPixels;
    picture.channels = 3;
    picture.values.resize(static_cast<std::size_t>(kPixels) * kPixels * 3);
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        picture.values[i] = static_cast<float>((i / 3) % static_cast<std::size_t>(kPixels)) /
                                static_cast<float>(kPixels) * 0.9F +
                            shift;
    return picture;
}

void store(const core::FilePlace& file, float shift)
{
    std::filesystem::create_directories(file.path().parent_path());
    require(core::writePng(file, gradient(shift)).ok());
}

// The run and two outputs that can be compared.
void storeLargePictures(const std::filesystem::path& folder, const std::string& a,
                        const std::string& b)
{
    core::RunData data = tests::sampleRun({.rounds = 1});
    for (core::PlannedCell& cell : data.plan.cells)
        cell.config.sizes.set("image_size", kPixels);
    for (core::Measurement& row : data.measurements)
        row.config.sizes.set("image_size", kPixels);
    require(tests::storeQuickly(folder, data));
    store(core::inputPicture(folder, kPixels, 0), 0.0F);
    store(core::outputPicture(folder, a, 0), 0.01F);
    store(core::outputPicture(folder, b, 0), 0.03F);
}

void largePictures(double repaint)
{
    const tests::WindowFixture fixture;
    const std::string reference = tests::sampleCellId("bf16", "none", 4);
    const std::string cell = tests::sampleCellId("int8dq", "none", 4);
    storeLargePictures(fixture / "run", reference, cell);
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.openRun(fixture / "run");
    waitFor([&] { return !window.store().isEmpty(); });
    window.store().selectCell(QString::fromStdString(cell));
    window.store().compareWith(QString::fromStdString(reference));
    waitFor([&] { return window.isSettled(); });
    print("4096 x 4096 pixels: opening", repaint);
    auto* compare = child<widgets::CompareView>(window, "compareView");
    // The wheel is turned over a pane; each step is drawn before the next.
    for (int i = 0; i < 20; ++i) {
        const QPointF place(compare->width() / 3.0, compare->height() / 2.0);
        QWheelEvent wheel(place, compare->mapToGlobal(place), {}, {0, i < 10 ? 120 : -120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QWidget* pane = compare->childAt(place.toPoint());
        QCoreApplication::sendEvent(pane == nullptr ? compare : pane, &wheel);
        waitForPaint(window);
    }
    print("4096 x 4096 pixels: zooming", repaint);
}

void fourStreamsOfRows(double repaint)
{
    const tests::WindowFixture fixture;
    const core::RunData whole = tests::sampleRun({.rounds = 200});
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.store().setRun(tests::sampleRun({.rounds = 0}));
    std::atomic<bool> stop = false;
    std::vector<std::thread> workers;
    for (std::size_t worker = 0; worker < 4; ++worker) {
        workers.emplace_back([&, worker] {
            for (std::size_t i = worker; i < whole.measurements.size() && !stop; i += 4) {
                QMetaObject::invokeMethod(
                    &window.store(),
                    [&, i] { window.store().addMeasurement(whole.measurements[i]); },
                    Qt::QueuedConnection);
                // No wait for something: the pace of the stream.
                std::this_thread::sleep_for(std::chrono::milliseconds(4));
            }
        });
    }
    // What 600 of the rows cost is what all of them cost.
    waitFor([&] { return window.store().data().measurements.size() > 600; });
    stop = true;
    for (std::thread& worker : workers)
        worker.join();
    // The last rows are in the queue of events; the views follow them by a timer.
    auto* table = child<QTableView>(window, "cellView");
    const auto cells = static_cast<int>(whole.plan.cells.size());
    waitFor([&] { return table->model()->rowCount() == cells; });
    print("four streams of rows", repaint);
}

struct Case {
    const char* name;
    void (*run)(double repaint);
};

constexpr Case kCases[] = {{"rows", hundredThousandRows},
                           {"cells", tenThousandCells},
                           {"model", hugeModel},
                           {"pictures", largePictures},
                           {"streams", fourStreamsOfRows}};

}  // namespace

int main(int argc, char** argv)
{
    tests::MeteredApplication application(argc, argv);
    tests::setUpApplication();
    const QStringList wanted = QCoreApplication::arguments().mid(1);
    for (const QString& name : wanted) {
        if (std::none_of(std::begin(kCases), std::end(kCases),
                         [&](const Case& each) { return name == QLatin1String(each.name); }))
            qFatal("usage: bench_stalls [rows | cells | model | pictures | streams] …");
    }
    const double repaint = repaintSeconds();
    qInfo("one repaint: %.1f ms", repaint * 1e3);
    for (const Case& each : kCases) {
        if (wanted.isEmpty() || wanted.contains(QLatin1String(each.name)))
            each.run(repaint);
    }
    return 0;
}
