#include "app/gui/live_strip.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/phase_text.h"

#include <algorithm>

namespace qs::tst_live_strip {

using app::LiveStrip;

namespace {

core::RunProgress progressOf(const core::PlannedCell& cell, core::Phase phase)
{
    core::RunProgress progress;
    progress.cellId = cell.id;
    progress.phase = phase;
    return progress;
}

// How many columns of the picture have the colour of samples, in the lowest line.
int columnsWithDots(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int x = 0; x < image.width(); ++x) {
        bool found = false;
        for (int y = image.height() * 2 / 3; y < image.height() && !found; ++y)
            found = image.pixelColor(x, y) == colour;
        count += found ? 1 : 0;
    }
    return count;
}

}  // namespace

// What stands over the table while a run goes on.
class TestLiveStrip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void theCellAndItsPhaseAreNamed()
    {
        widgets::RunStore store;
        store.setRun(tests::sampleRun());
        const core::PlannedCell& cell = store.data().plan.cells.front();
        LiveStrip strip(store);
        core::RunProgress progress = progressOf(cell, core::Phase::Warmup);
        progress.phaseFraction = 0.37;
        progress.phaseSeconds = 12.0;
        strip.showProgress(progress, &cell, {});
        QVERIFY(strip.text().contains(widgets::cellTitle(cell.config)));
        QVERIFY(strip.text().contains(widgets::phaseActivity(core::Phase::Warmup)));
        QVERIFY(strip.text().contains(QStringLiteral("37")));
        QVERIFY(strip.text().contains(QStringLiteral("12")));
        QVERIFY(strip.toolTip().contains(widgets::cellTitle(cell.config)));
        QCOMPARE(strip.accessibleDescription(), strip.text());
        // Between two cells there is none to name.
        strip.showProgress({}, nullptr, {});
        QVERIFY(!strip.text().contains(widgets::cellTitle(cell.config)));
    }

    void earlierRepeatsAndTheLastCellsAreTold()
    {
        widgets::RunStore store;
        store.setRun(tests::sampleRun());
        const core::Plan& plan = store.data().plan;
        const core::PlannedCell& cell = plan.cells.front();
        LiveStrip strip(store);
        strip.showProgress(progressOf(cell, core::Phase::Load), &cell, {});
        const core::CellSummary& summary = *store.analysis().find(cell.id);
        for (const core::RoundSeconds& round : summary.roundSeconds) {
            const QString rate =
                widgets::significantText(static_cast<double>(cell.unitsPerPass) / round.seconds, 4);
            QVERIFY2(strip.samples().contains(rate), qPrintable(strip.samples()));
        }
        // One that has no row yet shows those of others, by their names.
        core::PlannedCell fresh = cell;
        fresh.id = "fresh";
        strip.showProgress(progressOf(fresh, core::Phase::Load), &fresh, {});
        const core::PlannedCell* last = plan.find(store.data().measurements.back().cellId);
        const auto lastName = QString::fromStdString(store.analysis().labels.withBatch(*last));
        QVERIFY2(strip.samples().contains(lastName), qPrintable(strip.samples()));
        // Those of the run in view are not those of the run that goes on.
        const QString own = strip.samples();
        strip.showProgress(progressOf(cell, core::Phase::Load), &cell, QStringLiteral("Yesterday"));
        QVERIFY(strip.samples() != own && !strip.samples().isEmpty());
        QVERIFY(!strip.samples().contains(lastName));
    }

    // By whatever they differ in, and both runs where another one is looked at.
    void cellsAndRunsAreToldApart()
    {
        widgets::RunStore store;
        LiveStrip strip(store);
        std::vector<core::PlannedCell> cells(2, tests::sampleRun().plan.cells.front());
        cells.back().config.sizes.set("new_tokens", 20);
        strip.setRun(QStringLiteral("Today"), core::distinguish(cells));
        const auto textOf = [&](const core::PlannedCell& cell, const QString& other) {
            strip.showProgress(progressOf(cell, core::Phase::Load), &cell, other);
            return strip.text();
        };
        QVERIFY(textOf(cells.front(), {}) != textOf(cells.back(), {}));
        QVERIFY(!strip.text().contains(QStringLiteral("Today")));
        QVERIFY(
            textOf(cells.back(), QStringLiteral("Yesterday")).contains(QStringLiteral("Today")));
        QVERIFY(strip.samples().contains(QStringLiteral("Yesterday")));
    }

    void samplesAreDrawnAsTheyCome()
    {
        widgets::RunStore store;
        store.setRun(tests::sampleRun());
        const core::PlannedCell& cell = store.data().plan.cells.front();
        LiveStrip strip(store);
        strip.resize(700, strip.sizeHint().height());
        core::RunProgress progress = progressOf(cell, core::Phase::Measure);
        strip.showProgress(progress, &cell, {});
        const int height = strip.sizeHint().height();
        const QColor colour = strip.palette().color(QPalette::Highlight);
        const int before = columnsWithDots(strip.grab().toImage(), colour);
        progress.samples = {0.0020, 0.0024, 0.0022, 0.0021, 0.0030};
        strip.showProgress(progress, &cell, {});
        // Milliseconds: the median of all, and the last.
        QVERIFY2(strip.samples().contains(QStringLiteral("2.2")), qPrintable(strip.samples()));
        QVERIFY2(strip.samples().contains(QStringLiteral("3")), qPrintable(strip.samples()));
        const int few =
            columnsWithDots(tests::screenshot(strip, QStringLiteral("live-strip")), colour);
        QVERIFY(few > before);
        for (int i = 0; i < 40; ++i)
            progress.samples.push_back(0.0020 + 0.00001 * i);
        strip.showProgress(progress, &cell, {});
        QVERIFY(columnsWithDots(strip.grab().toImage(), colour) > few);
        // All alike: a line in the middle, and no division by nothing.
        progress.samples.assign(20, 0.002);
        strip.showProgress(progress, &cell, {});
        QVERIFY(columnsWithDots(strip.grab().toImage(), colour) > before);
        QCOMPARE(strip.sizeHint().height(), height);
    }
};

const tests::GuiTest<TestLiveStrip> registered(__FILE_NAME__);

}  // namespace qs::tst_live_strip

#include "tst_live_strip.moc"
