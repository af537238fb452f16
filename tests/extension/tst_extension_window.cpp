// What code outside the product adds can be edited, tabulated and plotted in the window.

#include "core/analysis/analysis.h"
#include "core/sweep/preset.h"
#include "core/sweep/preset_axes.h"
#include "tests/extension/toy_axis.h"
#include "tests/extension/toy_family.h"
#include "tests/extension/toy_metrics.h"
#include "tests/extension/toy_scheme.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/children.h"
#include "widgets/models/cell_columns.h"
#include "widgets/models/cell_table_model.h"
#include "widgets/plan/sweep_editor.h"
#include "widgets/plot/curve_metric.h"
#include "widgets/plot/curve_series.h"

#include <QLineEdit>
#include <QSignalSpy>

#include <algorithm>

namespace qs::tst_extension_window {

using namespace widgets;

namespace {

// The sample run as if its outputs were scores of a toy net.
core::RunData toyRun()
{
    core::RunData data = tests::sampleRun();
    for (core::PlannedCell& cell : data.plan.cells) {
        cell.output = core::OutputKind::Logits;
        cell.unit = core::WorkUnit::Sample;
        cell.config.model = "toynet:8";
        cell.config.sizes = core::Sizes{{"steps", 5}};
    }
    for (core::OutputQuality& quality : data.qualities) {
        quality.figures.clear();
        quality.set("kl_divergence", quality.identical ? 0.0 : 0.25);
        quality.set("toy_gap", quality.identical ? 0.0 : 0.5);
    }
    return data;
}

class ExtensionWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        tests::registerToyAxis();
        tests::registerToyFamily();
        tests::registerToyScheme();
        tests::registerToyCompileMode();
        tests::registerToyMetrics();
    }

    void isTabulated()
    {
        RunStore store;
        store.setRun(toyRun());
        const CellTableModel model(store);
        const auto shown = [&](const char* id) { return model.usefulColumn(columnOf(id)); };
        QVERIFY(columnOf("toy_gap_mean") >= 0);
        QVERIFY(!shown("toy_gap_mean"));  // on request: verdicts are made of another
        QVERIFY(shown("kl_divergence_mean"));
        QVERIFY(!shown("steps"));  // equal in all cells
        for (const char* id : {"image_size", "ssim_mean", "psnr_mean", "reconstruction_psnr"})
            QVERIFY2(!shown(id), id);
        const int row =
            model.rowOf(QString::fromStdString(tests::sampleCellId("int8dq", "none", 4)));
        QVERIFY(row >= 0);
        const auto cell = [&](const char* id, int role) {
            return model.data(model.index(row, columnOf(id)), role);
        };
        QCOMPARE(cell("toy_gap_mean", CellTableModel::SortRole).toDouble(), 0.5);
        QCOMPARE(cell("steps", CellTableModel::SortRole).toInt(), 5);
        const QString heading =
            model.headerData(columnOf("throughput"), Qt::Horizontal, Qt::DisplayRole).toString();
        QVERIFY2(heading.endsWith(QStringLiteral("(samples/s)")), qPrintable(heading));
        for (int column = 0; column < model.columnCount(); ++column) {
            if (!model.usefulColumn(column))
                continue;
            const QString text =
                model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() +
                model.data(model.index(row, column), Qt::DisplayRole).toString();
            QVERIFY2(!text.contains(QStringLiteral("mage")) &&
                         !text.contains(QStringLiteral("SSIM")),
                     qPrintable(text));
        }
    }

    void isPlotted()
    {
        const core::RunData data = toyRun();
        const core::Analysis analysis = core::analyse(data, "best-bf16");
        const auto plotted = plottedMetrics(analysis);
        const auto offers = [&](const char* name) {
            return std::any_of(plotted.begin(), plotted.end(),
                               [&](const core::Metric* metric) { return metric->name == name; });
        };
        QVERIFY(offers("toy_gap_mean"));
        QVERIFY(offers("toy_rows"));
        QVERIFY(offers("kl_divergence_mean"));
        QVERIFY(!offers("ssim_mean"));
        const CurveSet set =
            makeCurves(analysis, QStringLiteral("best-bf16"),
                       *core::metricRegistry().find("toy_gap_mean"), QStringLiteral("batch"));
        QVERIFY(!set.empty());
        QCOMPARE(set.yLabel, QStringLiteral("Toy gap mean"));
    }

    // The line of a size that only the toy family has, typed into as a person does.
    void isEdited()
    {
        SweepEditor editor;
        core::Preset preset;
        preset.defaults.model = "toynet:8";
        editor.setPreset(preset);
        editor.setSizes({"steps"});
        editor.resize(400, 900);
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        auto* edit = tests::child<QWidget>(editor, "stepsEdit");
        QVERIFY(edit->isVisible());
        QVERIFY(!tests::child<QWidget>(editor, "image_sizeEdit")->isVisible());
        auto* line = edit->findChild<QLineEdit*>();
        QCOMPARE(line->text(), QStringLiteral("3"));
        QSignalSpy edited(&editor, &SweepEditor::edited);
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keySequence(line, QKeySequence::SelectAll);
        QTest::keyClicks(line, QStringLiteral("2, 5"));
        QVERIFY(!edited.isEmpty());
        const auto changed = edited.last().at(0).value<core::Preset>();
        const core::Axis* axis = core::findAxis(changed, "steps");
        QVERIFY(axis != nullptr);
        QCOMPARE(axis->values.size(), std::size_t{2});
    }

    // An axis from outside has its line whatever the model, its column where cells differ in it,
    // and can be what curves run along.
    void anAxisFromOutsideIsEditedTabulatedAndPlotted()
    {
        SweepEditor editor;
        editor.setPreset(core::Preset());
        editor.resize(400, 900);
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        auto* edit = tests::child<QWidget>(editor, "callsEdit");
        QVERIFY(edit->isVisible());
        auto* line = edit->findChild<QLineEdit*>();
        QCOMPARE(line->text(), QStringLiteral("1"));
        QSignalSpy edited(&editor, &SweepEditor::edited);
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keySequence(line, QKeySequence::SelectAll);
        QTest::keyClicks(line, QStringLiteral("1..4 pow2"));
        const auto changed = edited.last().at(0).value<core::Preset>();
        const core::Axis* axis = core::findAxis(changed, "calls");
        QVERIFY(axis != nullptr);
        QCOMPARE(axis->values, (std::vector<std::string>{"1", "2", "4"}));
        QTest::keySequence(line, QKeySequence::SelectAll);
        QTest::keyClicks(line, QStringLiteral("0"));
        QVERIFY(!editor.isValid());

        core::RunData data = toyRun();
        std::int64_t calls = 1;
        for (core::PlannedCell& cell : data.plan.cells) {
            if (cell.config.batch == 4)
                cell.config.others["calls"] = calls = calls % 8 + 1;
        }
        RunStore store;
        store.setRun(data);
        const CellTableModel model(store);
        QVERIFY(model.usefulColumn(columnOf("calls")));
        const CurveSet set =
            makeCurves(store.analysis(), QStringLiteral("best-bf16"),
                       *core::metricRegistry().find("throughput"), QStringLiteral("calls"));
        QVERIFY(!set.empty());
    }
};

}  // namespace

const tests::GuiTest<ExtensionWindowTest> registered(__FILE_NAME__);

}  // namespace qs::tst_extension_window

#include "tst_extension_window.moc"
