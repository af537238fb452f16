#include "core/analysis/analysis.h"
#include "core/analysis/measured_run.h"
#include "core/analysis/shown_cells.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/pareto_view.h"

#include <QComboBox>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace qs::tst_pareto_begin {

using namespace widgets;
using tests::child;

namespace {

void show(RunStore& store, const QString& folder)
{
    auto read = core::readMeasuredRun(folder.toStdString(), core::RowPlace::InJournal);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    core::MeasuredRun run = std::move(read).value();
    core::Analysis analysis =
        core::analyse(run.data, run.figures, run.data.plan.preset.speedBaseline);
    store.setRun(std::move(run.data), std::move(analysis));
}

QString shippedRun(const char* name)
{
    const auto folder = core::locatePrograms().resources / "example_runs" / name;
    return QString::fromStdString(folder.string());
}

QString qualityOf(const ParetoView& view)
{
    return child<QComboBox>(view, "paretoQuality")->currentData().toString();
}

int pointsOf(const ParetoView& view)
{
    int points = 0;
    for (const Curve& curve : view.plot().curves().curves)
        points += static_cast<int>(curve.points.size());
    return points;
}

// Shown ones that have a speed-up and were compared with the reference or are one.
int comparedCells(const core::Analysis& analysis)
{
    const auto shown = core::shownCells(analysis);
    return static_cast<int>(std::count_if(shown.begin(), shown.end(), [](const auto* cell) {
        const bool compared = cell->quality || cell->cell->referenceId == cell->cellId;
        return cell->measured && compared && cell->speedup;
    }));
}

}  // namespace

// What the view of quality against speed begins with.
class TestParetoBegin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void everyComparedCellOfAnExampleIsAPoint_data()
    {
        QTest::addColumn<QString>("folder");
        const auto examples = core::locatePrograms().resources / "example_runs";
        for (const auto& entry : std::filesystem::directory_iterator(examples)) {
            if (entry.is_directory())
                QTest::newRow(entry.path().filename().c_str())
                    << QString::fromStdString(entry.path().string());
        }
    }
    void everyComparedCellOfAnExampleIsAPoint()
    {
        QFETCH(const QString, folder);
        RunStore store;
        const ParetoView view(store);
        show(store, folder);
        const int compared = comparedCells(store.analysis());
        // Of one cell that quantizes nothing tells how fast that is.
        QVERIFY(compared > 0 || folder.endsWith(QLatin1String("gptq_tinyllama_h100")));
        QTRY_COMPARE(pointsOf(view), compared);
    }

    // Of each kind of output its own distance, as far as the weights let it mean something.
    void theMeasureIsThatOfTheOutputs_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("quality");
        QTest::newRow("images") << "demo_h200"
                                << "ssim_mean";
        QTest::newRow("logits") << "llama_h200"
                                << "kl_divergence_mean";
        QTest::newRow("tensors") << "rope_alone_h200"
                                 << "relative_l2_mean";
        QTest::newRow("untrained") << "vitok_350m_modes_h200"
                                   << "relative_l2_mean";
        QTest::newRow("untrained, layers") << "gptq_vitok_350m_h100"
                                           << "relative_l2_mean";
    }
    void theMeasureIsThatOfTheOutputs()
    {
        QFETCH(const QString, run);
        QFETCH(const QString, quality);
        RunStore store;
        const ParetoView view(store);
        show(store, shippedRun(qPrintable(run)));
        QTRY_COMPARE(qualityOf(view), quality);
    }

    // Also after a run that does not have it.
    void whatWasChosenIsKept()
    {
        RunStore store;
        const ParetoView view(store);
        show(store, shippedRun("demo_h200"));
        QTRY_COMPARE(qualityOf(view), QStringLiteral("ssim_mean"));
        auto* box = child<QComboBox>(view, "paretoQuality");
        box->setCurrentIndex(box->findData(QStringLiteral("psnr_mean")));
        show(store, shippedRun("vitok_350m_modes_h200"));
        QTRY_COMPARE(qualityOf(view), QStringLiteral("relative_l2_mean"));
        QCOMPARE(box->findData(QStringLiteral("ssim_mean")), -1);
        show(store, shippedRun("demo_h200"));
        QTRY_COMPARE(qualityOf(view), QStringLiteral("psnr_mean"));
    }
};

const tests::GuiTest<TestParetoBegin> registered(__FILE_NAME__);

}  // namespace qs::tst_pareto_begin

#include "tst_pareto_begin.moc"
