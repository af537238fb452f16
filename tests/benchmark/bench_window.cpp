// How long a window takes from the wish to open a run until its table is filled and drawn:
//
//     tests/benchmark/make_large_run.py /tmp/large --cells 10000 --rounds 10
//     build/ci/bin/bench_window /tmp/large

#include "tests/app/window_fixture.h"
#include "tests/benchmark/stall_meter.h"

#include <QElapsedTimer>
#include <QTableView>

using namespace qs;

int main(int argc, char** argv)
{
    constexpr int kMilliseconds = 600'000;
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
    return 0;
}
