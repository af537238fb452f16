#include "app/gui/runs/compare_runs.h"
#include "core/base/files.h"
#include "core/image/picture_file.h"
#include "core/model/catalogue.h"
#include "core/record/journal/journal_line.h"
#include "core/record/journal/journal_scanner.h"
#include "core/record/run_folder.h"
#include "core/record/run_records.h"
#include "tests/app/stall_meter.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "widgets/compare/compare_view.h"
#include "widgets/models/other_runs.h"
#include "widgets/plan/plan_panel.h"

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace qs::tst_stalls {

using app::MainWindow;
using tests::child;

namespace {

// What the window may be deaf for.
constexpr double kMostBusySeconds = 0.1;
constexpr int kLoadMs = 120'000;

tests::MeteredApplication& application()
{
    return *static_cast<tests::MeteredApplication*>(QCoreApplication::instance());
}

// A plan is stored as it is; the journal is written as one piece instead of row by row with a sync
// after each.
void storeQuickly(const std::filesystem::path& folder, const core::RunData& data)
{
    QVERIFY(core::RunFolder::create(folder, data.plan, data.environments.front()).ok());
    std::ofstream journal(folder / "journal.jsonl", std::ios::app | std::ios::binary);
    for (const core::Measurement& row : data.measurements)
        journal << core::encodeJournalLine(core::rowRecord(row)).value();
    for (const core::OutputQuality& quality : data.qualities)
        journal << core::encodeJournalLine(core::qualityRecord(quality)).value();
    QVERIFY(journal.good());
}

// Safetensors with the whole header of the 5B model, whose data is a hole in the file. The last
// tensor is left out: the load report names it, and nothing of the data has to be read.
void writeHugeModel(const std::filesystem::path& file)
{
    const auto opened = core::openModel("vitok:5B-f32x64", {}, 0);
    QVERIFY(opened.ok());
    core::Json header = core::Json::object();
    std::uint64_t end = 0;
    std::string last;
    for (const core::StageInfo& stage : opened.value().model.family->stages()) {
        for (const core::WeightSpec& spec : stage.weights) {
            const auto bytes = static_cast<std::uint64_t>(spec.elementCount()) * 2;
            header[spec.name] = {
                {"dtype", "BF16"}, {"shape", spec.shape}, {"data_offsets", {end, end + bytes}}};
            end += bytes;
            last = spec.name;
        }
    }
    end = header[last]["data_offsets"][0].get<std::uint64_t>();
    header.erase(last);
    const std::string text = header.dump();
    {
        std::ofstream out(file, std::ios::binary);
        const std::uint64_t length = text.size();
        out.write(reinterpret_cast<const char*>(&length), sizeof length);
        out << text;
    }
    std::filesystem::resize_file(file, sizeof(std::uint64_t) + text.size() + end);
}

core::Picture gradient(int size, float shift)
{
    core::Picture picture;
    picture.width = size;
    picture.height = size;
    picture.channels = 3;
    picture.values.resize(static_cast<std::size_t>(size) * size * 3);
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        picture.values[i] = static_cast<float>((i / 3) % static_cast<std::size_t>(size)) /
                                static_cast<float>(size) * 0.9F +
                            shift;
    return picture;
}

}  // namespace

// The window answers at once, whatever is loaded. Measured is the processor time of the GUI thread
// per event, so that a busy machine does not count against it.
class TestStalls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void cleanup();

    void openingAHundredThousandRows();
    void openingTenThousandCells();
    void readingTheHeaderOfAHugeModel();
    void comparingFourThousandPixels();
    void fourStreamsOfRows();

private:
    // Warm: fonts, styles and the first layout are part of the start, not of what is measured.
    static void settle(MainWindow& window);
    // Until the window has drawn itself as it is now.
    static void waitForPaint(QWidget& window);
    static void check(const char* what);
};

void TestStalls::cleanup()
{
    QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty());
}

void TestStalls::settle(MainWindow& window)
{
    window.resize(1366, 768);
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    waitForPaint(window);
    application().reset();
}

void TestStalls::waitForPaint(QWidget& window)
{
    const int before = application().paints();
    window.update();
    QTRY_VERIFY_WITH_TIMEOUT(application().paints() > before, kLoadMs);
}

void TestStalls::check(const char* what)
{
    const auto& longest = application().longest();
    qInfo("%s: longest event %.1f ms of processor time (%.1f ms on the clock), %s", what,
          longest.busySeconds * 1e3, longest.wallSeconds * 1e3, qPrintable(longest.what));
    QVERIFY2(longest.busySeconds < kMostBusySeconds, qPrintable(longest.what));
}

void TestStalls::openingAHundredThousandRows()
{
    const tests::WindowFixture fixture;
    core::RunData data = tests::sampleRun({.rounds = 100'000 / 18 + 1});
    data.plan.preset.rounds = 1000;  // the most that a preset may ask for
    QVERIFY2(data.measurements.size() >= 100'000,
             qPrintable(QString::number(data.measurements.size())));
    storeQuickly(fixture / "large", data);
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.openRun(fixture / "large");
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty() && window.isSettled(), kLoadMs);
    QCOMPARE(window.store().data().measurements.size(), data.measurements.size());
    window.showView(QStringLiteral("table"));
    auto* table = child<QTableView>(window, "cellView");
    table->sortByColumn(1, Qt::DescendingOrder);
    for (int i = 0; i < 10; ++i) {
        table->verticalScrollBar()->setValue(i * table->verticalScrollBar()->maximum() / 10);
        waitForPaint(window);
    }
    const QSignalSpy analysed(&window.store(), &widgets::RunStore::analysisChanged);
    const QString eager = QStringLiteral("bf16-eager");
    window.store().setBaseline(window.store().baseline() == eager ? QStringLiteral("best-bf16")
                                                                  : eager);
    QTRY_VERIFY_WITH_TIMEOUT(analysed.count() > 0, kLoadMs);
    waitForPaint(window);
    check("100 000 rows");
}

// The sample run again and again, each time with another seed.
core::RunData manyCells(std::size_t cells)
{
    const core::RunData one = tests::sampleRun({.rounds = 2});
    core::RunData many = tests::sampleRun({.rounds = 0});
    many.plan = one.plan;
    many.plan.cells.clear();
    for (std::int64_t seed = 1; many.plan.cells.size() < cells; ++seed) {
        const std::string suffix = "-s" + std::to_string(seed);
        for (core::PlannedCell cell : one.plan.cells) {
            cell.id += suffix;
            cell.referenceId += suffix;
            cell.config.seed = seed;
            many.plan.cells.push_back(std::move(cell));
        }
        for (core::Measurement row : one.measurements) {
            row.cellId += suffix;
            row.config.seed = seed;
            many.measurements.push_back(std::move(row));
        }
        for (core::OutputQuality quality : one.qualities) {
            quality.cellId += suffix;
            if (quality.referenceId != core::kInputId)
                quality.referenceId += suffix;
            many.qualities.push_back(std::move(quality));
        }
    }
    return many;
}

void TestStalls::openingTenThousandCells()
{
    const tests::WindowFixture fixture;
    const core::RunData data = manyCells(10'000);
    storeQuickly(fixture / "large", data);
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.openRun(fixture / "large");
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty() && window.isSettled(), kLoadMs);
    QCOMPARE(window.store().data().plan.cells.size(), data.plan.cells.size());
    waitForPaint(window);
    check("10 000 cells: opening");
    window.showView(QStringLiteral("table"));
    auto* table = child<QTableView>(window, "cellView");
    waitForPaint(window);
    table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
    waitForPaint(window);
    check("10 000 cells: the table");
    window.store().selectCell(QString::fromStdString(data.plan.cells.back().id));
    waitForPaint(window);
    check("10 000 cells: selecting one");
    const QSignalSpy analysed(&window.store(), &widgets::RunStore::analysisChanged);
    const QString eager = QStringLiteral("bf16-eager");
    window.store().setBaseline(window.store().baseline() == eager ? QStringLiteral("best-bf16")
                                                                  : eager);
    QTRY_VERIFY_WITH_TIMEOUT(analysed.count() > 0, kLoadMs);
    waitForPaint(window);
    check("10 000 cells: another baseline");
    storeQuickly(fixture / "other", data);
    application().reset();
    const std::string other = (fixture / "other").string();
    window.findChild<app::CompareRuns*>()->compareWith({QString::fromStdString(other)});
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().others().beside().empty(), kLoadMs);
    waitForPaint(window);
    check("10 000 cells: another run beside them");
    window.store().others().leave();
    waitForPaint(window);
    check("10 000 cells: alone again");
}

void TestStalls::readingTheHeaderOfAHugeModel()
{
    const tests::WindowFixture fixture;
    const auto file = fixture / "huge.safetensors";
    writeHugeModel(file);
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.openPreset(fixture.preset(tests::tinyPreset()));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    application().reset();
    window.openItem(file);
    // The report names the tensor that is left out.
    auto* headline = child<QLabel>(window, "modelHeadline");
    QTRY_VERIFY_WITH_TIMEOUT(headline->text().contains(QStringLiteral("missing")), kLoadMs);
    // The sweep cannot be planned without that tensor, so the window as a whole never settles.
    QTRY_VERIFY_WITH_TIMEOUT(child<widgets::PlanPanel>(window, "planPanel")->isSettled(), kLoadMs);
    check("header of the 5B model");
}

void TestStalls::comparingFourThousandPixels()
{
    constexpr int kSize = 4096;
    const tests::WindowFixture fixture;
    core::RunData data = tests::sampleRun({.rounds = 1});
    for (core::PlannedCell& cell : data.plan.cells)
        cell.config.sizes.set("image_size", kSize);
    for (core::Measurement& row : data.measurements)
        row.config.sizes.set("image_size", kSize);
    storeQuickly(fixture / "run", data);
    const std::string cells[] = {tests::sampleCellId("bf16", "none", 4),
                                 tests::sampleCellId("int8dq", "none", 4)};
    std::filesystem::create_directories(fixture / "run" / "inputs");
    QVERIFY(
        core::writePng(core::inputPicture(fixture / "run", kSize, 0), gradient(kSize, 0.0F)).ok());
    float shift = 0.01F;
    for (const std::string& cell : cells) {
        std::filesystem::create_directories(fixture / "run" / "cells" / cell);
        QVERIFY(
            core::writePng(core::outputPicture(fixture / "run", cell, 0), gradient(kSize, shift))
                .ok());
        shift += 0.02F;
    }
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.openRun(fixture / "run");
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().isEmpty(), kLoadMs);
    window.store().selectCell(QString::fromStdString(cells[1]));
    window.store().compareWith(QString::fromStdString(cells[0]));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
    auto* compare = child<widgets::CompareView>(window, "compareView");
    // Zooming and turning the wheel over a pane; each step is drawn before the next.
    for (int i = 0; i < 20; ++i) {
        const QPointF place(compare->width() / 3.0, compare->height() / 2.0);
        QWheelEvent wheel(place, compare->mapToGlobal(place), {}, {0, i < 10 ? 120 : -120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QWidget* pane = compare->childAt(place.toPoint());
        QCoreApplication::sendEvent(pane == nullptr ? compare : pane, &wheel);
        waitForPaint(window);
    }
    check("4096 x 4096 pixels");
}

void TestStalls::fourStreamsOfRows()
{
    const tests::WindowFixture fixture;
    core::RunData begun = tests::sampleRun({.rounds = 0});
    const core::RunData whole = tests::sampleRun({.rounds = 200});
    MainWindow window(fixture.withoutEngine());
    settle(window);
    window.store().setRun(begun);
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
    const auto arrived = [&] { return window.store().data().measurements.size(); };
    const bool enough = QTest::qWaitFor([&] { return arrived() > 600; }, kLoadMs);
    stop = true;
    for (std::thread& worker : workers)
        worker.join();
    QVERIFY(enough);
    // The last rows are in the queue of events; the views follow them by a timer.
    QTRY_VERIFY_WITH_TIMEOUT(child<QTableView>(window, "cellView")->model()->rowCount() ==
                                 int(whole.plan.cells.size()),
                             kLoadMs);
    check("four streams of rows");
}

const tests::GuiTest<TestStalls, tests::MeteredApplication> registered(__FILE_NAME__);

}  // namespace qs::tst_stalls

#include "tst_stalls.moc"
