#include "app/gui/help/help_window.h"
#include "app/gui/screenshot_taker.h"
#include "core/base/json.h"
#include "core/record/run_folder.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/reference_file.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/screens.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>

#include <tuple>

namespace qs::tst_detail_windows {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kLoadMs = 30'000;

void storeRun(const std::filesystem::path& folder, const core::Environment& environment)
{
    core::RunData data = tests::sampleRun();
    auto stored = core::RunFolder::create(folder, data.plan, environment);
    QVERIFY2(stored.ok(), stored.ok() ? "" : stored.error().message.c_str());
    for (core::Measurement& row : data.measurements) {
        row.environmentId = environment.id();
        QVERIFY(stored.value().addMeasurement(row).ok());
    }
}

}  // namespace

// The windows that say where numbers come from.
class TestDetailWindows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void measuredFollowsTheSelection();
    void helpIsOnWhatHasTheFocus();
    void helpIsOnTheDialogThatIsOpen();
    void environmentsOfTwoRuns();
    void picturesOfThem();
    void otherProgramsAreAdded();
};

void TestDetailWindows::measuredFollowsTheSelection()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    auto* action = child<QAction>(window, "actionMeasured");
    action->trigger();
    auto* dialog = child<QDialog>(window, "measuredWindow");
    QVERIFY(dialog->isVisible());
    QVERIFY(!dialog->isModal());
    QVERIFY(child<QLabel>(*dialog, "measuredEmpty")->isVisible());
    window.store().setRun(tests::sampleRun());
    QCoreApplication::processEvents();
    const QString id = QString::fromStdString(tests::sampleCellId("int8dq", "none", 4));
    window.store().selectCell(id);
    QCOMPARE(child<QLabel>(*dialog, "measuredTitle")->text(),
             QStringLiteral("int8dq · eager · batch 4"));
    // The rows of the table offer it as well, and the comparison.
    QVERIFY(child<QTableView>(window, "cellView")->actions().contains(action));
    dialog->close();
    child<QToolButton>(window, "howMeasured")->click();
    QVERIFY(dialog->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
}

void TestDetailWindows::helpIsOnWhatHasTheFocus()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.store().setRun(tests::sampleRun());
    QCoreApplication::processEvents();
    const auto pageOn = [&window](QWidget& widget) {
        widget.window()->activateWindow();
        widget.setFocus();
        if (!QTest::qWaitFor([&] { return QApplication::focusWidget() == &widget; }))
            return QString();
        QTest::keyClick(&widget, Qt::Key_F1);
        auto* help = window.findChild<app::HelpWindow*>();
        if (help == nullptr)
            return QString();
        help->hide();
        return help->currentPage().section(QLatin1Char('_'), 1);
    };
    auto* tabs = child<QTabWidget>(window, "viewTabs");
    QCOMPARE(pageOn(*tabs->tabBar()), QStringLiteral("curves"));
    tabs->setCurrentWidget(child<QWidget>(window, "layersView"));
    QCOMPARE(pageOn(*tabs->tabBar()), QStringLiteral("sweep"));
    // Windows beside the main one have their pages, too.
    child<QAction>(window, "actionMeasured")->trigger();
    auto* dialog = child<QDialog>(window, "measuredWindow");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    const auto* buttons = dialog->findChild<QDialogButtonBox*>();
    QCOMPARE(pageOn(*buttons->button(QDialogButtonBox::Close)), QStringLiteral("measuring"));
    dialog->close();
}

// Which no shortcut of the window reaches.
void TestDetailWindows::helpIsOnTheDialogThatIsOpen()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    for (const auto& [action, name, page] :
         {std::tuple{"actionCompareRuns", "compareRunsDialog", "runs"},
          std::tuple{"actionPalette", "actionPalette", "keys"},
          std::tuple{"actionCaches", "cacheDialog", "measuring"}}) {
        child<QAction>(window, action)->setEnabled(true);
        child<QAction>(window, action)->trigger();
        auto* dialog = child<QDialog>(window, name);
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QVERIFY(dialog->isModal());
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget()
                                                               : dialog,
                        Qt::Key_F1);
        auto* help = dialog->findChild<app::HelpWindow*>();
        QVERIFY2(help != nullptr && help->isVisible(), name);
        QCOMPARE(help->currentPage().section(QLatin1Char('_'), help->currentPage().contains(u'_')),
                 QString::fromLatin1(page));
        // It takes input beside the dialog, and goes before it.
        QTest::keyClick(help, Qt::Key_Escape);
        QVERIFY2(!help->isVisible() && dialog->isVisible(), name);
        dialog->close();
        QTRY_VERIFY(QApplication::activeModalWidget() == nullptr);
    }
    QTRY_VERIFY(window.findChild<app::HelpWindow*>() == nullptr);
}

// For the pages of help.
void TestDetailWindows::picturesOfThem()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    window.store().setRun(tests::sampleRun());
    QCoreApplication::processEvents();
    const auto taken = [&](const char* action, const char* file) {
        app::ScreenshotTaker taker(window,
                                   {.file = QString::fromStdString((fixture / file).string()),
                                    .part = QStringLiteral("measuredWindow"),
                                    .action = QString::fromLatin1(action)});
        QSignalSpy answers(&taker, &app::ScreenshotTaker::taken);
        return QTest::qWaitFor([&] { return answers.count() > 0; }, kLoadMs) &&
               answers.first().first().toBool();
    };
    QVERIFY(!taken("actionOfNothing", "none.png"));
    QVERIFY(taken("actionMeasured", "measured.png"));
    const QImage picture(QString::fromStdString((fixture / "measured.png").string()));
    QCOMPARE(picture.size(), child<QDialog>(window, "measuredWindow")->size());
    QVERIFY(!std::filesystem::exists(fixture / "none.png"));
}

void TestDetailWindows::environmentsOfTwoRuns()
{
    const tests::WindowFixture fixture;
    core::Environment here = tests::sampleRun().environments.front();
    storeRun(fixture / "runs" / "one", here);
    here.torch = "2.12.0";
    storeRun(fixture / "runs" / "two", here);
    MainWindow window(fixture.withoutEngine());
    window.show();
    for (const char* name : {"two", "one"}) {
        window.openRun(fixture / "runs" / name);
        QTRY_VERIFY_WITH_TIMEOUT(window.store().data().folder.filename() == name, kLoadMs);
    }
    child<QAction>(window, "actionEnvironments")->trigger();
    auto* dialog = child<QDialog>(window, "environmentDialog");
    auto* others = child<QComboBox>(*dialog, "otherRuns");
    // The run in view is not among them.
    QCOMPARE(others->findText(QStringLiteral("one")), -1);
    others->setCurrentIndex(others->findText(QStringLiteral("two")));
    auto* sentence = child<QLabel>(*dialog, "environmentSentence");
    QTRY_VERIFY2(sentence->text().startsWith(QStringLiteral("This run and two differ in 1 of ")),
                 qPrintable(sentence->text()));
    const auto* table = child<QTreeWidget>(*dialog, "environmentTable");
    QCOMPARE(table->topLevelItem(0)->child(0)->text(0), QStringLiteral("PyTorch"));
    // Asked for again, it is one window still.
    child<QAction>(window, "actionEnvironments")->trigger();
    QCOMPARE(window.findChildren<QDialog*>(QStringLiteral("environmentDialog")).size(), 1);
}

// By the menu, a file and its way into the run.
void TestDetailWindows::otherProgramsAreAdded()
{
    const tests::WindowFixture fixture;
    storeRun(fixture / "runs" / "one", tests::sampleRun().environments.front());
    tests::writeFile(fixture / "torch.json", core::jsonText(tests::referenceJson()));
    MainWindow window(fixture.withoutEngine());
    window.show();
    window.openRun(fixture / "runs" / "one");
    QTRY_VERIFY_WITH_TIMEOUT(window.store().data().folder.filename() == "one", kLoadMs);
    child<QAction>(window, "actionReferences")->trigger();
    auto* dialog = child<QDialog>(window, "referenceDialog");
    const auto* table = child<QTreeWidget>(*dialog, "referenceTable");
    QCOMPARE(table->topLevelItemCount(), 0);
    QTest::mouseClick(child<QPushButton>(*dialog, "addReference"), Qt::LeftButton);
    auto* chooser = child<QFileDialog>(window, "addReferenceDialog");
    Q_EMIT chooser->fileSelected(QString::fromStdString((fixture / "torch.json").string()));
    QTRY_COMPARE_WITH_TIMEOUT(table->topLevelItemCount(), 1, kLoadMs);
    QVERIFY(std::filesystem::exists(fixture / "runs" / "one" / "peers" / "torch.json"));
    chooser->close();
    dialog->close();
}

const tests::GuiTest<TestDetailWindows> registered(__FILE_NAME__);

}  // namespace qs::tst_detail_windows

#include "tst_detail_windows.moc"
