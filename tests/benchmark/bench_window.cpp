// How long a window takes from the wish to open a run until its table is filled and drawn, and from
// a click on one of its first rows until every pane shows that cell:
//
//     tests/benchmark/make_large_run.py /tmp/large --cells 10000 --rounds 10
//     build/ci/bin/bench_window /tmp/large
//     build/ci/bin/bench_window resources/example_runs/demo_h200

#include "tests/app/window_fixture.h"
#include "tests/benchmark/stall_meter.h"

#include <QElapsedTimer>
#include <QTableView>

#include <algorithm>
#include <vector>

using namespace qs;

namespace {

constexpr int kMilliseconds = 600'000;

// Milliseconds of each click, rising. Nothing is in memory for the first click of a cell.
std::vector<double> clickRows(app::MainWindow& window, const QTableView& table)
{
    constexpr int kRows = 8;
    std::vector<double> times;
    for (int row = 0; row < std::min(kRows, table.model()->rowCount()); ++row) {
        const QModelIndex cell = table.model()->index(row, 0);
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::NoModifier,
                          table.visualRect(cell).center());
        if (!QTest::qWaitFor([&] { return window.isSettled(); }, kMilliseconds))
            return {};
        times.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    return times;
}

}  // namespace

int main(int argc, char** argv)
{
    tests::MeteredApplication application(argc, argv);
    if (argc != 2)
        qFatal("usage: bench_window RUN");
    tests::setUpApplication();
    const tests::WindowFixture fixture;
    app::MainWindow window(fixture.withoutEngine());
    window.resize(1366, 768);
    window.show();
    window.showView(QStringLiteral("table"));
    if (!QTest::qWaitFor([&] { return window.isSettled(); }, kMilliseconds))
        return 1;
    application.reset();
    QElapsedTimer clock;
    clock.start();
    window.openRun(argv[1]);
    const auto* table = tests::child<QTableView>(window, "cellView");
    if (!QTest::qWaitFor([&] { return window.isSettled() && table->model()->rowCount() > 0; },
                         kMilliseconds))
        return 1;
    const int paints = application.paints();
    window.update();
    if (!QTest::qWaitFor([&] { return application.paints() > paints; }, kMilliseconds))
        return 1;
    qInfo("%lld cells of %zu rows after %.2f s; longest event %.0f ms of processor time (%s)",
          static_cast<long long>(table->model()->rowCount()),
          window.store().data().measurements.size(), static_cast<double>(clock.elapsed()) * 1e-3,
          application.longest().busySeconds * 1e3, qPrintable(application.longest().what));
    const std::vector<double> clicks = clickRows(window, *table);
    if (clicks.empty())
        return 1;
    qInfo("%zu clicks on rows: all panes after %.0f ms in the median, %.0f ms at most",
          clicks.size(), clicks[clicks.size() / 2], clicks.back());
    return 0;
}
