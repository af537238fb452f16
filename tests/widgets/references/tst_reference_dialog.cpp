#include "core/base/checks.h"
#include "core/base/json.h"
#include "core/base/npy.h"
#include "core/record/run_folder.h"
#include "core/report/reference_section.h"
#include "tests/support/gui_test.h"
#include "tests/support/reference_file.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_references.h"
#include "widgets/plot/curve_view.h"
#include "widgets/references/reference_dialog.h"

#include <nlohmann/json.hpp>

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include <algorithm>

namespace qs::tst_reference_dialog {

using namespace widgets;
using tests::child;

namespace {

constexpr int kThroughputColumn = 6;

// A run on the disk, and a file beside it.
struct StoredRun {
    StoredRun()
    {
        data.folder = folder / "run";
        const auto made =
            core::RunFolder::create(data.folder, data.plan, data.environments.front());
        QS_ASSERT(made.ok());
        tests::writeFile(folder / "torch.json", core::jsonText(tests::referenceJson()));
        tests::writeFile(folder / "none.json", "{}");
    }
    [[nodiscard]] QString file(const char* name) const
    {
        return QString::fromStdString((folder / name).string());
    }

    tests::TestFolder folder;
    core::RunData data = tests::sampleRun();
};

// One of a small model, that could be measured.
struct MeasurableRun {
    MeasurableRun()
    {
        core::Preset preset;
        preset.name = "small";
        preset.defaults.model = "vitok:w64_d1_h2-w64_d2_h2/1x16x16";
        preset.defaults.precision = {"bf16"};
        preset.noiseFloor = false;
        data.folder = folder / "run";
        data.plan = core::makePlan(preset, {{core::describeCpu()}, "", false}).value();
        data.environments = {core::Environment()};
        QS_ASSERT(core::RunFolder::create(data.folder, data.plan, data.environments.front()).ok());
        core::FloatArray picture{{1, 3, 256, 256}, {}};
        picture.values.assign(std::size_t{3} * 256 * 256, 0.25F);
        QS_ASSERT(core::writeNpy(core::inputArray(data.folder, 256), picture).ok());
        tests::writeFile(folder / "torch.json", core::jsonText(tests::referenceJson()));
        qputenv("QUANTSCOPE_WORKER", QS_FAKE_WORKER);
        qputenv("QUANTSCOPE_PYTHON", QByteArray::fromStdString((folder / "python").string()));
    }
    ~MeasurableRun()
    {
        qunsetenv("QUANTSCOPE_WORKER");
        qunsetenv("QUANTSCOPE_PYTHON");
    }
    void python(const std::string& script) const
    {
        const std::filesystem::path file = folder / "python";
        tests::writeFile(file, "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

    tests::TestFolder folder;
    core::RunData data;
};

}  // namespace

class TestReferenceDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init()
    {
        tests::failOnQtWarnings();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

    void showsWhatIsInTheRun()
    {
        const StoredRun run;
        QVERIFY(core::attachReference(run.data.folder, run.folder / "torch.json").ok());
        tests::writeFile(run.data.folder / "peers" / "zeros.json", "{}");
        RunStore store;
        RunReferences references(store);
        ReferenceDialog dialog(store, references, [] { return false; });
        auto* attach = child<QPushButton>(dialog, "addReference");
        QVERIFY(!attach->isEnabled());
        store.setRun(run.data);
        QTRY_COMPARE(references.all().size(), 2U);
        QVERIFY(attach->isEnabled());
        const auto* table = child<QTreeWidget>(dialog, "referenceTable");
        QCOMPARE(table->topLevelItemCount(), 2);
        const QTreeWidgetItem& heading = *table->topLevelItem(0);
        QVERIFY(heading.toolTip(0).contains(QStringLiteral("peers/torch.json")));
        QVERIFY(heading.text(0).startsWith(QStringLiteral("torch.compile")));
        QVERIFY2(!heading.text(0).contains(QStringLiteral("T20:00")), "a date as files have it");
        QVERIFY(table->fontMetrics().horizontalAdvance(heading.text(0)) < table->width() / 2);
        QVERIFY(heading.isExpanded());
        QCOMPARE(heading.childCount(), 4);
        QVERIFY2(heading.child(0)->isFirstColumnSpanned(), "how it compares with the run");
        const QTreeWidgetItem& row = *heading.child(2);
        QCOMPARE(row.text(1), QStringLiteral("max-autotune"));
        QVERIFY((row.textAlignment(1) & Qt::AlignRight) == 0);
        QCOMPARE(row.text(core::kFirstReferenceFigure), QStringLiteral("4"));
        QVERIFY((row.textAlignment(core::kFirstReferenceFigure) & Qt::AlignRight) != 0);
        QCOMPARE(row.text(kThroughputColumn), QStringLiteral("1,000"));
        QVERIFY((row.textAlignment(core::kLastReferenceFigure + 1) & Qt::AlignRight) == 0);
        QVERIFY2(!table->topLevelItem(1)->icon(0).isNull(), "it cannot be read");
        QVERIFY(heading.icon(0).isNull());
        // The screen of tests is smaller than the dialog.
        dialog.resize(1140, 460);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QVERIFY2(table->header()->sectionPosition(core::kLastReferenceFigure + 1) <
                     table->viewport()->width(),
                 "all figures are seen");
        tests::screenshot(dialog, QStringLiteral("references"));
        store.setRun(tests::sampleRun());
        QCOMPARE(table->topLevelItemCount(), 0);
    }

    void aFileIsAdded()
    {
        const StoredRun run;
        RunStore store;
        store.setRun(run.data);
        RunReferences references(store);
        ReferenceDialog dialog(store, references, [] { return false; });
        dialog.show();
        const QSignalSpy wanted(&dialog, &ReferenceDialog::fileWanted);
        QTest::mouseClick(child<QPushButton>(dialog, "addReference"), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        const auto* table = child<QTreeWidget>(dialog, "referenceTable");
        references.attach(run.file("none.json"));
        QTRY_VERIFY(!references.problem().isEmpty());
        QVERIFY(references.problem().contains(QStringLiteral("none.json")));
        QCOMPARE(child<QLabel>(dialog, "referenceSentence")->text(), references.problem());
        QCOMPARE(table->topLevelItemCount(), 0);
        references.attach(run.file("torch.json"));
        QTRY_COMPARE(table->topLevelItemCount(), 1);
        QVERIFY(references.problem().isEmpty());
        QVERIFY(std::filesystem::exists(run.data.folder / "peers" / "torch.json"));
    }

    // With a worker that writes nothing, and a program in the place of Python.
    void measuredInPython()
    {
        const MeasurableRun run;
        RunStore store;
        store.setRun(run.data);
        RunReferences references(store);
        bool sweeping = true;
        ReferenceDialog dialog(store, references, [&] { return sweeping; });
        dialog.show();
        auto* measure = child<QPushButton>(dialog, "measurePeer");
        const auto* sentence = child<QLabel>(dialog, "referenceSentence");
        const auto* table = child<QTreeWidget>(dialog, "referenceTable");
        const QString before = measure->text();
        QTest::mouseClick(measure, Qt::LeftButton);
        QCOMPARE(measure->text(), before);
        sweeping = false;
        run.python("echo preparing; sleep 60");
        QTest::mouseClick(measure, Qt::LeftButton);
        QVERIFY(measure->text() != before);
        QTRY_VERIFY_WITH_TIMEOUT(sentence->text().contains(QStringLiteral("preparing")), 20'000);
        QTest::mouseClick(measure, Qt::LeftButton);
        QCOMPARE(measure->text(), before);
        run.python("echo it broke; exit 3");
        QTest::mouseClick(measure, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(sentence->text().contains(QStringLiteral("it broke")), 20'000);
        QTRY_COMPARE(measure->text(), before);
        QCOMPARE(table->topLevelItemCount(), 0);
        run.python("cp '" + (run.folder / "torch.json").string() + "' \"$3\"");
        QTest::mouseClick(measure, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(table->topLevelItemCount(), 1, 20'000);
        QCOMPARE(measure->text(), before);
    }

    void curvesHavePointsOfThem()
    {
        const StoredRun run;
        QVERIFY(core::attachReference(run.data.folder, run.folder / "torch.json").ok());
        RunStore store;
        store.setRun(run.data);
        CurveView view(store);
        view.resize(900, 560);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto drawn = [&] {
            std::vector<const Curve*> curves;
            for (const Curve& curve : view.plot().curves().curves) {
                if (curve.key.startsWith(QStringLiteral("reference:")))
                    curves.push_back(&curve);
            }
            return curves;
        };
        QVERIFY(drawn().empty());
        const std::vector<core::RunReference> all = core::referencesOf(run.data.folder);
        view.setReferences(all);
        view.setMetric(QStringLiteral("throughput"));
        QCOMPARE(drawn().size(), 2U);
        const CurvePoint& point = drawn()[1]->points.front();
        QCOMPARE(point.x, 4.0);
        QCOMPARE(point.y, 1000.0);
        QVERIFY(!point.settled && !point.interval);
        QVERIFY(drawn()[1]->run > 0);
        QVERIFY(!referenceToolTip(all, point.cellId).isEmpty());
        QVERIFY(referenceToolTip(all, QStringLiteral("reference:9:0")).isEmpty());
        QVERIFY(referenceToolTip(all, QStringLiteral("bf16-none-b4")).isEmpty());
        QTRY_VERIFY(view.plot().positionOf(point.cellId));
        QCoreApplication::processEvents();
        tests::screenshot(view, QStringLiteral("curves-references"));
        // A time is what it is in milliseconds, and other metrics have no such points.
        view.setMetric(QStringLiteral("latency"));
        QCOMPARE(drawn()[1]->points.front().y, 4.0);
        view.setMetric(QStringLiteral("allocated_peak"));
        QVERIFY(drawn().empty());
        // A run of one batch is drawn over its precisions.
        view.setMetric(QStringLiteral("throughput"));
        view.setAxis(QStringLiteral("precision"));
        QCOMPARE(view.axis(), QStringLiteral("precision"));
        QCOMPARE(drawn().size(), 2U);
        const CurveSet& over = view.plot().curves();
        QCOMPARE(over.categories.value(qsizetype(drawn()[1]->points.front().x)),
                 QStringLiteral("bf16"));
        QVERIFY2(drawn()[1]->points.front().x > 0.0, "beside the marks of the run");
        QVERIFY(drawn()[1]->precision.isEmpty());
        QCOMPARE(drawn()[1]->compile, QStringLiteral("inductor-max-autotune"));
        view.setReferences({});
        view.setMetric(QStringLiteral("throughput"));
        QVERIFY(drawn().empty());
    }
};

const tests::GuiTest<TestReferenceDialog> registered(__FILE_NAME__);

}  // namespace qs::tst_reference_dialog

#include "tst_reference_dialog.moc"
