// Runs of strangers in the window: their texts are texts, and their paths are asked for.

#include "core/record/run_folder.h"
#include "core/report/words/warning_text.h"
#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/screens.h"

#include <QAbstractItemView>
#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <sys/stat.h>

#include <functional>

namespace qs::tst_strange_run {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kSoonMs = 30'000;
const std::string kHtml = "<img src=\"file:///dev/zero\"><b>bold</b>";

// Stores the run as a stranger would have it, with one row of each cell.
void store(const std::filesystem::path& folder, const core::RunData& data)
{
    auto stored = core::RunFolder::create(folder, data.plan, data.environments.front());
    QVERIFY(stored.ok());
    for (const core::Measurement& row : data.measurements)
        QVERIFY(stored.value().addMeasurement(row).ok());
    for (const core::RunEvent& event : data.events)
        QVERIFY(stored.value().addEvent(event).ok());
}

// Qt decides by the text alone, unless it is told.
bool isTakenForHtml(const QString& text)
{
    return Qt::mightBeRichText(text) && !text.startsWith(QStringLiteral("<qt>"));
}

void checkTips(const QAbstractItemModel& model, const QModelIndex& parent)
{
    for (int row = 0; row < std::min(model.rowCount(parent), 200); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            const QString tip = index.data(Qt::ToolTipRole).toString();
            QVERIFY2(!isTakenForHtml(tip), qPrintable(tip));
            if (column == 0)
                checkTips(model, index);
        }
    }
}

// What is said by widgets themselves.
void checkWidgets(const QWidget& window)
{
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        QVERIFY2(!isTakenForHtml(widget->toolTip()), qPrintable(widget->toolTip()));
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            QVERIFY2(label->textFormat() != Qt::AutoText || !isTakenForHtml(label->text()),
                     qPrintable(label->text()));
    }
    for (const QAction* action : window.findChildren<QAction*>())
        QVERIFY2(!isTakenForHtml(action->toolTip()), qPrintable(action->toolTip()));
}

// And by every place of every list and table.
void checkTexts(const QWidget& window)
{
    checkWidgets(window);
    for (const auto* view : window.findChildren<QAbstractItemView*>()) {
        if (view->model() != nullptr)
            checkTips(*view->model(), {});
    }
}

}  // namespace

class TestStrangeRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void htmlIsShownAsText();
    void problemsAreShownAsText();
    void aLinkIsNamedAndTheWindowStays();
    void aDamagedJournalIsSaid();
    void whatCannotBeReadIsNamedAndTheWindowStays();
    void anotherVersionIsRefusedByName();
    void pathsAreAgreedToFirst();
    void ownRunsAreNotAskedFor();
};

void TestStrangeRun::htmlIsShownAsText()
{
    const tests::WindowFixture fixture;
    core::RunData data = tests::sampleRun({.rounds = 2, .withFailures = true});
    data.plan.preset.name = kHtml;
    data.plan.preset.description = kHtml;
    for (core::PlannedCell& cell : data.plan.cells)
        cell.notes = {{core::NoteCode::Remark, {kHtml}}};
    data.plan.cells.back().impossible = core::remark(kHtml);
    data.plan.devices.clear();
    for (core::Measurement& row : data.measurements) {
        if (row.failure)
            row.failure->detail = kHtml;
        row.result.executed = {{.stage = kHtml,
                                .scheme = kHtml,
                                .matched = 1,
                                .layers = 1,
                                .activationRule = kHtml,
                                .products = {{kHtml, core::DType::Int32, 1, 2}}}};
        row.result.trace.foreignProcesses = {{kHtml, 812, 1}};
        row.result.notes = {{core::NoteCode::Remark, {kHtml}}};
    }
    data.events.push_back({"", core::EventKind::Warning, {{core::NoteCode::Remark, {kHtml}}}});
    store(fixture / "run", data);
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(tests::opens(window, fixture / "run"));
    QCOMPARE(window.store().data().plan.preset.description, kHtml);
    for (const char* view : {"curves", "table", "layers", "runs"}) {
        window.showView(QString::fromLatin1(view));
        for (const core::PlannedCell& cell : window.store().data().plan.cells) {
            window.store().selectCell(QString::fromStdString(cell.id));
            QCoreApplication::processEvents();
            checkWidgets(window);
        }
    }
    // Rows of lists and tables do not depend on the view, and hardly on the selected cell.
    for (const core::PlannedCell* cell :
         {&window.store().data().plan.cells.front(), &window.store().data().plan.cells.back()}) {
        window.store().selectCell(QString::fromStdString(cell->id));
        QCoreApplication::processEvents();
        checkTexts(window);
    }
    window.openPreset(fixture.preset(core::jsonText(core::toJson(data.plan.preset))));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kSoonMs);
    checkTexts(window);
}

void TestStrangeRun::problemsAreShownAsText()
{
    const tests::WindowFixture fixture;
    MainWindow window(fixture.withoutEngine());
    window.show();
    window.showFault(QString::fromStdString(kHtml));
    auto* box = child<QMessageBox>(window, "problemBox");
    for (const QLabel* label : box->findChildren<QLabel*>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QTest::keyClick(box, Qt::Key_Escape);
    QTRY_VERIFY(window.findChild<QMessageBox*>(QStringLiteral("problemBox")) == nullptr);
}

void TestStrangeRun::aLinkIsNamedAndTheWindowStays()
{
    const tests::WindowFixture fixture;
    store(fixture / "run", tests::sampleRun({.rounds = 1}));
    std::filesystem::rename(fixture / "run/plan.json", fixture / "elsewhere.json");
    std::filesystem::create_symlink(fixture / "elsewhere.json", fixture / "run/plan.json");
    MainWindow window(fixture.withoutEngine());
    window.show();
    const QSignalSpy problem(&window, &MainWindow::problemShown);
    window.openRun(fixture / "run");
    QTRY_COMPARE_WITH_TIMEOUT(problem.size(), 1, kSoonMs);
    QVERIFY(problem[0][0].toString().contains(QStringLiteral("plan.json is a link")));
    QVERIFY(window.isVisible());
    QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
}

void TestStrangeRun::aDamagedJournalIsSaid()
{
    const tests::WindowFixture fixture;
    store(fixture / "run", tests::sampleRun({.rounds = 3}));
    const auto journal = fixture / "run/journal.jsonl";
    std::string records = tests::readFile(journal);
    records[records.size() / 2] ^= 1;
    tests::writeFile(journal, records);
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(tests::opens(window, fixture / "run"));
    const core::RunData& data = window.store().data();
    QVERIFY(data.leftOut.isLoss());
    QVERIFY(!data.measurements.empty());
    auto* warnings = child<QToolButton>(window, "runWarnings");
    QTRY_VERIFY(warnings->isVisible());
    QTest::mouseClick(warnings, Qt::LeftButton);
    const QString told = child<QLabel>(window, "runWarningsText")->text();
    for (const std::string& text : core::leftOutTexts(data.leftOut))
        QVERIFY2(told.contains(QString::fromStdString(text)), qPrintable(told));
    QVERIFY(told.contains(QStringLiteral("quantscope-cli repair")));
    QTest::keyClick(child<QLabel>(window, "runWarningsText")->window(), Qt::Key_Escape);
    const QString answer = child<QLabel>(window, "answerHeadline")->text() +
                           child<QLabel>(window, "answerDetail")->text();
    QVERIFY2(answer.contains(QStringLiteral("damaged journal")), qPrintable(answer));
}

void TestStrangeRun::whatCannotBeReadIsNamedAndTheWindowStays()
{
    const tests::WindowFixture fixture;
    const auto pipe = fixture / "pipe.json";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    store(fixture / "run", tests::sampleRun({.rounds = 1}));
    std::filesystem::remove(fixture / "run/plan.json");
    QCOMPARE(::mkfifo((fixture / "run/plan.json").c_str(), 0600), 0);
    MainWindow window(fixture.withoutEngine());
    window.show();
    const QSignalSpy problem(&window, &MainWindow::problemShown);
    const auto refuses = [&](const std::function<void()>& opens) {
        const int before = static_cast<int>(problem.size());
        opens();
        QTRY_COMPARE_WITH_TIMEOUT(problem.size(), before + 1, kSoonMs);
        QVERIFY(window.isVisible());
        QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
    };
    // Opened as a file, a pipe would hold the thread of the window for ever.
    refuses([&] { window.openPreset(pipe); });
    refuses([&] { window.openRun(fixture / "run"); });
    refuses([&] { window.openPreset(fixture / std::string(300, 'x')); });
    refuses([&] { window.openRun(fixture / "caf\xe9"); });
    QVERIFY(window.store().isEmpty());
}

void TestStrangeRun::anotherVersionIsRefusedByName()
{
    const tests::WindowFixture fixture;
    const core::RunData data = tests::sampleRun({.rounds = 1});
    store(fixture / "run", data);
    core::Json plan = core::toJson(data.plan);
    plan["schema_version"] = 2;
    tests::writeFile(fixture / "run/plan.json", core::jsonText(plan));
    core::Json preset = core::toJson(data.plan.preset);
    preset["schema_version"] = 2;
    const auto file = fixture.preset(core::jsonText(preset));
    MainWindow window(fixture.withoutEngine());
    window.show();
    const QSignalSpy problem(&window, &MainWindow::problemShown);
    window.openRun(fixture / "run");
    QTRY_COMPARE_WITH_TIMEOUT(problem.size(), 1, kSoonMs);
    QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
    window.openPreset(file);
    QTRY_COMPARE_WITH_TIMEOUT(problem.size(), 2, kSoonMs);
    QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
    const QString refusal = QStringLiteral("2, but this program reads version 1");
    QVERIFY(
        problem[0][0].toString().contains(QStringLiteral("plan.json: schema version ") + refusal));
    QVERIFY(problem[1][0].toString().contains(QStringLiteral("$.schema_version: is ") + refusal));
    QVERIFY(window.store().isEmpty());
}

void TestStrangeRun::pathsAreAgreedToFirst()
{
    const tests::WindowFixture fixture;
    core::RunData data = tests::sampleRun({.rounds = 1});
    data.plan.preset.pictures.source = "/home/her/pictures";
    data.plan.cells.front().config.model = "/home/her/weights.safetensors";
    data.measurements.pop_back();  // something is left to do
    store(fixture / "run", data);
    MainWindow window(fixture.withoutEngine());
    window.show();
    QVERIFY(tests::opens(window, fixture / "run"));
    const QSignalSpy started(&window.controller(), &app::RunController::started);
    const QSignalSpy problem(&window, &MainWindow::problemShown);
    auto* goOn = child<QAction>(window, "actionGoOn");
    QVERIFY(goOn->isEnabled());
    for (const bool yes : {false, true}) {
        goOn->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(
            window.findChild<QMessageBox*>(QStringLiteral("trustQuestion")) != nullptr, kSoonMs);
        auto* box = child<QMessageBox>(window, "trustQuestion");
        QVERIFY(box->informativeText().contains(QStringLiteral("/home/her/weights.safetensors")));
        QVERIFY(box->informativeText().contains(QStringLiteral("/home/her/pictures")));
        QCOMPARE(box->defaultButton(), box->button(QMessageBox::Cancel));
        for (const QLabel* label : box->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        if (yes)
            QTest::mouseClick(child<QPushButton>(*box, "trustYes"), Qt::LeftButton);
        else
            QTest::keyClick(box, Qt::Key_Return);
        QTRY_VERIFY(window.findChild<QMessageBox*>(QStringLiteral("trustQuestion")) == nullptr);
        QCOMPARE(started.size(), yes ? 1 : 0);
    }
    // It began, and went as far as it can without an engine.
    QTRY_COMPARE_WITH_TIMEOUT(problem.size(), 1, kSoonMs);
    QVERIFY(problem[0][0].toString().contains(QStringLiteral("quantscope-worker")));
    QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
}

void TestStrangeRun::ownRunsAreNotAskedFor()
{
    const tests::WindowFixture fixture;
    core::RunData data = tests::sampleRun({.rounds = 1});
    data.plan.preset.pictures.source = "/home/her/pictures";
    data.measurements.pop_back();  // something is left to do
    store(fixture / "run", data);
    const app::WindowOptions options = fixture.withoutEngine();
    core::PathTrust(options.paths.trustFile).agree(fixture / "run", core::outsidePaths(data.plan));
    MainWindow window(options);
    window.show();
    QVERIFY(tests::opens(window, fixture / "run"));
    const QSignalSpy started(&window.controller(), &app::RunController::started);
    const QSignalSpy problem(&window, &MainWindow::problemShown);
    child<QAction>(window, "actionGoOn")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(started.size(), 1, kSoonMs);
    QTRY_COMPARE_WITH_TIMEOUT(problem.size(), 1, kSoonMs);
    QTest::keyClick(child<QMessageBox>(window, "problemBox"), Qt::Key_Escape);
}

const tests::GuiTest<TestStrangeRun> registered(__FILE_NAME__);

}  // namespace qs::tst_strange_run

#include "tst_strange_run.moc"
