#include "tests/app/listed_runs.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"

#include <QMessageBox>

#include <set>

namespace qs::tst_window_resume {

using namespace app;
using namespace tests;
using namespace std::chrono_literals;

// A stopped run goes on from its row in the list.
class TestWindowResume : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void fromItsRow();
};

namespace {

QModelIndex progressOf(const QTreeView& list, const std::filesystem::path& folder)
{
    const QModelIndexList found = list.model()->match(
        list.model()->index(0, 0), RunCatalogue::FolderRole, text(folder), 1, Qt::MatchExactly);
    return found.isEmpty() ? QModelIndex() : found.front().siblingAtColumn(RunCatalogue::Progress);
}

void clickOn(const QTreeView& list, QPoint place)
{
    clickAt(*list.viewport(), list.viewport()->mapTo(list.window(), place));
}

}  // namespace

void TestWindowResume::fromItsRow()
{
    OpenedWindow opened(100ms, "[1, 2, 3, 4, 5, 6]");
    MainWindow& window = opened.window;
    window.resize(1500, 860);
    QVERIFY(opened.getsReady());
    click(*opened.run);
    QTRY_VERIFY_WITH_TIMEOUT(!window.store().data().measurements.empty(), kRunMs);
    child<QAction>(window, "actionStopNow")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kEngineMs);
    const std::filesystem::path folder = window.store().data().folder;
    const std::size_t measured = window.store().data().measurements.size();
    QVERIFY(measured < 18);

    child<QAction>(window, "actionRuns")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kReadMs);
    auto* list = child<QTreeView>(window, "runsList");
    QVERIFY(progressOf(*list, folder).isValid());
    list->scrollTo(progressOf(*list, folder));
    const QRect button = resumeButton(*list, progressOf(*list, folder));
    QVERIFY(!button.isEmpty());
    clickOn(*list, button.center());
    QTRY_VERIFY(window.controller().isRunning());
    QCOMPARE(window.controller().folder(), folder);

    // Meanwhile it stays, and there is no second button.
    child<QAction>(window, "actionRuns")->trigger();
    QTRY_VERIFY(!window.controller().isRunning() || progressOf(*list, folder).isValid());
    QVERIFY(window.controller().isRunning());
    QVERIFY(resumeButton(*list, progressOf(*list, folder)).isEmpty());
    clickOn(*list, list->visualRect(progressOf(*list, folder)).center());
    QVERIFY(!child<QAction>(window, "runDelete")->isEnabled());
    QVERIFY(comesBack(window));
    press(Qt::Key_Delete);
    QVERIFY(window.findChild<QMessageBox*>() == nullptr);

    QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 2, kRunMs);
    std::set<std::string> cells;
    for (const core::Measurement& row : window.store().data().measurements)
        cells.insert(row.cellId);
    QCOMPARE(cells.size(), std::size_t{18});
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kReadMs);
    QVERIFY(child<QAction>(window, "runDelete")->isEnabled());
}

const tests::GuiTest<TestWindowResume> registered(__FILE_NAME__);

}  // namespace qs::tst_window_resume

#include "tst_window_resume.moc"
