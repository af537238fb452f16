#include "core/base/sha256.h"
#include "core/run/program_trust.h"
#include "tests/app/opened_window.h"
#include "tests/support/gui_test.h"
#include "tests/support/written_package.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/convert_dialog.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plot/curve_plot.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <memory>

namespace qs::tst_window_packages {

using namespace tests;

// A compiled package from the drop to its curve: what it is, trust, inputs, what cannot be chosen.
class TestWindowPackages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init()
    {
        failOnQtWarnings();
        m_cache = std::make_unique<TestFolder>();
        m_before = qgetenv("QUANTSCOPE_CACHE");
        qputenv("QUANTSCOPE_CACHE", m_cache->path().c_str());
    }
    void cleanup()
    {
        qputenv("QUANTSCOPE_CACHE", m_before);
        QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty());
    }

    void droppedTrustedDeclaredAndRun()
    {
        OpenedWindow opened("[1, 4, 16]");
        app::MainWindow& window = opened.window;
        window.resize(1400, 900);
        QVERIFY(opened.getsReady());
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const std::filesystem::path file = opened.fixture / "double.pt2";
        WrittenPackage package;
        package.files[inPackage("x.wrapper.so")] = readFile(QS_DOUBLING_LIBRARY);
        package.write(file);
        QVERIFY(drop(window, {file}));
        auto* plan = child<widgets::PlanPanel>(window, "planPanel");
        QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled() &&
                                     plan->findChild<QPushButton*>(QStringLiteral("modelConvert")),
                                 kEngineMs);
        QVERIFY2(!plan->canRun(), "nothing is known of its inputs");
        screenshot(window, QStringLiteral("window-package-dropped"));

        tryIt(window, *plan, file);
        // What cannot be chosen is as packaged, and the rest is grey with its reason.
        QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled() && plan->canRun(), kEngineMs);
        QVERIFY(child<QCheckBox>(*plan, "choice:as-packaged")->isChecked());
        QTRY_VERIFY(child<QCheckBox>(*plan, "choice:int8dq")->font().italic());
        for (const core::PlannedCell& cell : plan->planned().plan()->cells) {
            QVERIFY(cell.possible());
            QCOMPARE(cell.program, core::sha256File(file).value());
            QVERIFY2(cell.referenceId.empty(), "there is nothing to compare it with");
        }
        QCOMPARE(plan->planned().plan()->cells.size(), std::size_t{3});

        // Trusted when it was tried; forgotten, it is asked for again before it runs.
        const core::ProgramTrust trust(core::locatePrograms().programTrustFile);
        QVERIFY(trust.forget(core::sha256File(file).value()).ok());
        click(*opened.run);
        auto* question = child<QMessageBox>(window, "programQuestion");
        QVERIFY(QTest::qWaitForWindowActive(question));
        screenshot(*question, QStringLiteral("package-question"));
        press(Qt::Key_Escape);
        QTRY_VERIFY(window.findChild<QMessageBox*>() == nullptr);
        QVERIFY(!window.controller().isRunning());
        click(*opened.run);
        question = child<QMessageBox>(window, "programQuestion");
        QVERIFY(QTest::qWaitForWindowActive(question));
        click(*child<QPushButton>(*question, "programYes"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.finished.count(), 1, kRunMs);
        QCOMPARE(opened.finished[0][0].toString(), QString());

        const core::RunData& data = window.store().data();
        QCOMPARE(data.measurements.size(), std::size_t{3});
        for (const core::Measurement& row : data.measurements) {
            QVERIFY2(row.ok(), row.logTail.c_str());
            QVERIFY2(std::any_of(row.result.notes.begin(), row.result.notes.end(),
                                 [](const core::Note& note) {
                                     return note.code == core::NoteCode::RanProgram;
                                 }),
                     "the row says what ran");
        }
        QVERIFY(data.qualities.empty());
        auto* curve = child<widgets::CurvePlot>(window, "curvePlot");
        QTRY_COMPARE(curve->curves().curves.size(), std::size_t{1});
        screenshot(window, QStringLiteral("window-package"));

        // Another model is none, and gets what can be chosen back.
        plan->setModel(QStringLiteral("vitok:w64_d1_h2-w48_d2_h3/1x8x16"));
        QTRY_VERIFY_WITH_TIMEOUT(plan->isSettled() && plan->canRun(), kEngineMs);
        QVERIFY(plan->findChild<QCheckBox*>(QStringLiteral("choice:as-packaged")) == nullptr);
    }

private:
    // The dialog under the model, by mouse and keys.
    static void tryIt(app::MainWindow& window, widgets::PlanPanel& plan,
                      const std::filesystem::path& file)
    {
        click(*child<QPushButton>(plan, "modelConvert"));
        auto* dialog = window.findChild<widgets::ConvertDialog*>();
        QVERIFY(dialog != nullptr && QTest::qWaitForWindowActive(dialog));
        auto* hash = child<QLineEdit>(*dialog, "convertHash");
        QTRY_COMPARE(hash->text().toStdString(), core::sha256File(file).value());
        click(*child<QLineEdit>(*dialog, "convertInput0"));
        type(QStringLiteral("x=float32[batch,8]"));
        auto* convert = child<QPushButton>(*dialog, "convertButton");
        QVERIFY(convert->isEnabled());
        screenshot(*dialog, QStringLiteral("package-dialog"));
        click(*convert);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<widgets::ConvertDialog*>() == nullptr, kEngineMs);
        QVERIFY(std::filesystem::exists(file.parent_path() / "double.package.json"));
    }

    std::unique_ptr<TestFolder> m_cache;
    QByteArray m_before;
};

const tests::GuiTest<TestWindowPackages> registered(__FILE_NAME__);

}  // namespace qs::tst_window_packages

#include "tst_window_packages.moc"
