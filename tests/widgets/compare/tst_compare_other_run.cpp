#include "core/record/run_folder.h"
#include "core/run/image_quality.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/compare/comparison_run.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/other_run.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"

#include <filesystem>
#include <optional>
#include <utility>

namespace qs::tst_compare_other_run {

using namespace widgets;
using tests::ComparisonRun;
using tests::otherRun;

namespace {

// Gives a cell of a run the files of another of its cells.
void replaceOutputs(const ComparisonRun& run, const std::string& cell, const std::string& by)
{
    std::filesystem::copy(run.folder() / "cells" / by, run.folder() / "cells" / cell,
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
}

}  // namespace

// The same cell of two runs on the canvas of images.
class TestCompareOtherRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        tests::setUpWidgets();
        replaceOutputs(m_other, m_other.a(), m_other.b());
    }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void theOtherRunIsB()
    {
        RunStore store;
        store.setRun(m_run.data());
        CompareView view(store);
        view.resize(1100, 640);
        view.show();
        store.selectCell(QString::fromStdString(m_run.a()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!view.cells().has(ComparedCells::kB));
        const auto before = view.pictures().current();
        store.others().lay({otherRun("run_202", m_other.data())});
        QTRY_VERIFY(view.cells().has(ComparedCells::kB));
        QTRY_VERIFY(!view.isBusy());
        const LoadedPictures& loaded = *view.pictures().current();
        QCOMPARE(loaded.request.a, before->request.a);
        QCOMPARE(loaded.request.reference, before->request.reference);
        QVERIFY(loaded.b.picture != nullptr && loaded.a.picture != nullptr);
        QVERIFY(loaded.b.picture->values == m_other.output(m_other.b()).values);
        QVERIFY(loaded.a.picture->values == m_run.output(m_run.a()).values);
        QVERIFY(loaded.bToReference.value != nullptr);
        PicturePane& b = view.panes().pane(PaneRole::B);
        QVERIFY(b.isVisible());
        QVERIFY2(b.title().contains(QStringLiteral("run_202")), qPrintable(b.title()));
        // The wipe offers it by the name of the run.
        tests::screenshot(view, QStringLiteral("compare-two-runs"));

        store.selectCell(QString::fromStdString(m_run.equal()));
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.pictures().current()->request.b.cellId, m_run.equal());
        QVERIFY(view.pictures().current()->request.b.runFolder == m_other.folder());

        store.others().leave();
        QVERIFY(!view.cells().has(ComparedCells::kB));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!b.isVisible());
        QVERIFY(view.pictures().current()->request.b.cellId.empty());
    }

    // Of both runs only 8-bit copies were kept: what was recorded of A holds for equal outputs.
    void equalOutputsHaveOneFigure()
    {
        const ComparisonRun mine;
        const ComparisonRun other;
        for (const ComparisonRun* run : {&mine, &other}) {
            QVERIFY(core::writeOutputPictures(run->folder(), run->a(), 1).ok());
            std::filesystem::remove(core::outputArray(run->folder(), run->a(), 0).path());
        }
        RunStore store;
        store.setRun(mine.data());
        CompareView view(store);
        view.resize(1100, 640);
        view.show();
        store.selectCell(QString::fromStdString(mine.a()));
        const auto figuresOfBoth = [&] {
            [&] { QTRY_VERIFY(!view.isBusy()); }();
            return std::pair(view.panes().pane(PaneRole::A).caption().value(0),
                             view.panes().pane(PaneRole::B).caption().value(0));
        };
        store.others().lay({otherRun("run_202", other.data())});
        QTRY_VERIFY(view.cells().has(ComparedCells::kB));
        QCOMPARE(view.cells().matched()->identical, std::optional(true));
        const auto equal = figuresOfBoth();
        QCOMPARE(equal.second, equal.first);
        // Other outputs are measured from what is there.
        core::RunData changed = other.data();
        for (core::Measurement& row : changed.measurements) {
            for (core::OutputRecord& output : row.result.outputs)
                output.sha256 = "of other outputs";
        }
        store.others().lay({otherRun("run_303", changed)});
        QTRY_VERIFY(view.cells().has(ComparedCells::kB));
        QTRY_COMPARE(view.cells().matched()->identical, std::optional(false));
        const auto different = figuresOfBoth();
        QCOMPARE(different.first, equal.first);
        QVERIFY(different.second != equal.second);
    }

    // The cell that was compared with before comes back.
    void itTakesThePlaceOfAnotherCell()
    {
        RunStore store;
        store.setRun(m_run.data());
        const ComparedCells cells(store);
        store.selectCell(QString::fromStdString(m_run.a()));
        store.compareWith(QString::fromStdString(m_run.b()));
        store.others().lay({otherRun("yesterday", m_other.data())});
        QTRY_VERIFY(!store.others().beside().empty());
        QVERIFY(cells.isOfOtherRun(ComparedCells::kB));
        QCOMPARE(cells.pictureRequest().b.cellId, m_run.a());
        QVERIFY(cells.pictureRequest().b.runFolder == m_other.folder());
        // Where the other run lacks the cell there is no B at all.
        store.selectCell(QStringLiteral("no such cell"));
        QVERIFY(!cells.has(ComparedCells::kB));
        store.selectCell(QString::fromStdString(m_run.a()));
        store.others().leave();
        QVERIFY(!cells.isOfOtherRun(ComparedCells::kB));
        QCOMPARE(cells.pictureRequest().b.cellId, m_run.b());
        QVERIFY(cells.pictureRequest().b.runFolder.empty());
    }

    void otherImagesAreNotLaidBeside()
    {
        core::RunData other = m_other.data();
        other.pictureNames.front() = "somebody else's";
        RunStore store;
        store.setRun(m_run.data());
        const ComparedCells cells(store);
        store.selectCell(QString::fromStdString(m_run.a()));
        store.others().lay({otherRun("yesterday", other)});
        QTRY_VERIFY(!store.others().beside().empty());
        QVERIFY(cells.isOfOtherRun(ComparedCells::kB));
        QVERIFY(cells.pictureRequest().b.unavailable.contains(QStringLiteral("yesterday")));
    }

    void theRunShownCanBeChosen()
    {
        RunStore store;
        store.setRun(m_run.data());
        const ComparedCells cells(store);
        store.selectCell(QString::fromStdString(m_run.a()));
        core::RunData gone = m_other.data();
        gone.folder = "/nonexistent/run";
        store.others().lay({otherRun("one", m_other.data()), otherRun("two", gone)});
        QTRY_VERIFY(!store.others().beside().empty());
        QVERIFY(cells.pictureRequest().b.runFolder == m_other.folder());
        store.others().show(1);
        QVERIFY(cells.pictureRequest().b.runFolder == "/nonexistent/run");
        QCOMPARE(cells.otherRun()->name, QStringLiteral("two"));
    }

private:
    ComparisonRun m_run;
    ComparisonRun m_other;
};

const tests::GuiTest<TestCompareOtherRun> registered(__FILE_NAME__);

}  // namespace qs::tst_compare_other_run

#include "tst_compare_other_run.moc"
