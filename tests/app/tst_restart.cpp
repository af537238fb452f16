#include "app/gui/runs/run_catalogue.h"
#include "app/gui/window/window_size.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QToolButton>
#include <QTreeView>

#include <filesystem>

namespace qs::tst_restart {

using app::MainWindow;
using app::RunCatalogue;
using tests::child;

namespace {

constexpr int kLoadMs = 20'000;

QFileDialog* askForPreset(MainWindow& window)
{
    child<QAction>(window, "actionOpenPreset")->trigger();
    return child<QFileDialog>(window, "openPresetDialog");
}

// By the right edge of its heading.
void dragColumn(QHeaderView& header, int column, int pixels)
{
    const QPoint edge(header.sectionViewportPosition(column) + header.sectionSize(column) - 1,
                      header.height() / 2);
    QTest::mousePress(header.viewport(), Qt::LeftButton, {}, edge);
    QMouseEvent move(QEvent::MouseMove, edge + QPoint(pixels, 0),
                     header.viewport()->mapToGlobal(edge + QPoint(pixels, 0)), Qt::LeftButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(header.viewport(), &move);
    QTest::mouseRelease(header.viewport(), Qt::LeftButton, {}, edge + QPoint(pixels, 0));
}

}  // namespace

// What a window that is closed leaves to the next one.
class TestRestart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void sizesAreReadOrRefused()
    {
        QCOMPARE(app::sizeOf(QStringLiteral("1366x768")), std::optional(QSize(1366, 768)));
        for (const char* text : {"", "1366", "1366x", "x768", "0x768", "-1366x768", "1366x768x2",
                                 "1366 x 768", "100000x768", "1366X768"})
            QVERIFY2(!app::sizeOf(QLatin1String(text)), text);
    }

    // The size that the command line gives wins over the one that was left.
    void theSizeThatIsAskedFor()
    {
        const tests::WindowFixture fixture;
        {
            MainWindow window(fixture.withoutEngine());
            window.showMaximized();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QVERIFY(window.isMaximized());
            window.close();
        }
        const QSize asked(1040, 650);
        {
            MainWindow window(fixture.withoutEngine());
            window.show();
            QVERIFY2(window.isMaximized(), "the settings have it");
            window.close();
        }
        MainWindow window(fixture.withoutEngine());
        app::giveSize(window, asked);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(!window.isMaximized());
        QTRY_COMPARE(window.size(), asked);
        window.close();
    }

    void theLastFolderOfADialog()
    {
        const tests::WindowFixture fixture;
        const std::filesystem::path folder = fixture / "mine";
        std::filesystem::create_directories(folder);
        tests::writeFile(folder / "sweep.json", tests::tinyPreset());
        {
            MainWindow window(fixture.withoutEngine());
            window.show();
            tests::acceptDialog(*askForPreset(window), folder / "sweep.json");
            QTRY_VERIFY(window.findChild<QFileDialog*>() == nullptr);
            window.close();
        }
        {
            MainWindow window(fixture.withoutEngine());
            window.show();
            QFileDialog* dialog = askForPreset(window);
            QVERIFY(std::filesystem::equivalent(dialog->directory().absolutePath().toStdString(),
                                                folder));
            dialog->close();
            window.close();
        }
        // A folder that has gone is none to begin in.
        std::filesystem::remove_all(folder);
        MainWindow window(fixture.withoutEngine());
        window.show();
        QFileDialog* dialog = askForPreset(window);
        QVERIFY(dialog->directory().exists());
        dialog->close();
        window.close();
    }

    // What maps show and how far their colours go: wished once, it holds for the next start.
    void theKindAndRangeOfMaps()
    {
        const tests::WindowFixture fixture;
        const std::filesystem::path example = tests::exampleRun();
        const auto open = [&](MainWindow& window) {
            window.resize(1400, 800);
            window.show();
            window.openRun(example);
            return QTest::qWaitFor(
                [&] { return !window.store().selectedCell().isEmpty() && window.isSettled(); },
                kLoadMs);
        };
        const auto choose = [](MainWindow& window, const char* box, int index) {
            auto* chooser = child<QComboBox>(window, box);
            QVERIFY(chooser->isVisible() && chooser->currentIndex() != index);
            tests::click(*chooser);
            QTRY_VERIFY(chooser->view()->isVisible());
            tests::press(Qt::Key_Home);
            for (int i = 0; i < index; ++i)
                tests::press(Qt::Key_Down);
            tests::press(Qt::Key_Return);
            QTRY_COMPARE(chooser->currentIndex(), index);
        };
        widgets::MapWish wished;
        {
            MainWindow window(fixture.withoutEngine());
            QVERIFY(open(window));
            tests::click(*child<QToolButton>(window, "modeMap"));
            choose(window, "mapKind", 2);
            choose(window, "mapRange", 3);
            wished = child<widgets::CompareView>(window, "compareView")->controls().mapWish();
            QVERIFY(wished.range.has_value());
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
            window.close();
        }
        MainWindow window(fixture.withoutEngine());
        QVERIFY(open(window));
        QVERIFY(child<widgets::CompareView>(window, "compareView")->controls().mapWish() == wished);
        tests::click(*child<QToolButton>(window, "modeMap"));
        QCOMPARE(child<QComboBox>(window, "mapKind")->currentIndex(), 2);
        QCOMPARE(child<QComboBox>(window, "mapRange")->currentIndex(), 3);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kLoadMs);
        window.close();
    }

    void draggedColumnsOfTheRuns()
    {
        const tests::WindowFixture fixture;
        int width = 0;
        {
            MainWindow window(fixture.withoutEngine());
            window.show();
            child<QAction>(window, "actionRuns")->trigger();
            QHeaderView* header = child<QTreeView>(window, "runsList")->header();
            QTRY_VERIFY(header->isVisible() && window.isSettled());
            const int before = header->sectionSize(RunCatalogue::Progress);
            dragColumn(*header, RunCatalogue::Progress, 37);
            width = header->sectionSize(RunCatalogue::Progress);
            QVERIFY(width != before);
            window.close();
        }
        MainWindow window(fixture.withoutEngine());
        window.show();
        child<QAction>(window, "actionRuns")->trigger();
        const QHeaderView* header = child<QTreeView>(window, "runsList")->header();
        QTRY_VERIFY(header->isVisible() && window.isSettled());
        QCOMPARE(header->sectionSize(RunCatalogue::Progress), width);
        window.close();
    }
};

const tests::GuiTest<TestRestart> registered(__FILE_NAME__);

}  // namespace qs::tst_restart

#include "tst_restart.moc"
