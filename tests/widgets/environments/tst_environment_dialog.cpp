#include "core/record/environment_file.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/environments/environment_dialog.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>

namespace qs::tst_environment_dialog {

using namespace widgets;
using tests::child;

namespace {

core::RunData runInTwoEnvironments()
{
    core::RunData data = tests::sampleRun();
    core::Environment other = data.environments.front();
    other.torch = "2.12.0";
    other.devices.front().driver.clear();
    data.environments.push_back(other);
    data.measurements.back().environmentId = other.id();
    return data;
}

QString folderOf(const tests::TestFolder& folder)
{
    return QString::fromStdString(folder.path().string());
}

}  // namespace

class TestEnvironmentDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void emptyStates()
    {
        RunStore store;
        EnvironmentDialog dialog(store, {});
        const auto* sentence = child<QLabel>(dialog, "environmentSentence");
        QVERIFY(sentence->text().startsWith(QStringLiteral("Open a run")));
        core::RunData data = tests::sampleRun();
        data.environments.clear();
        store.setRun(data);
        QCOMPARE(sentence->text(),
                 QStringLiteral("This run has no record of where it was measured."));
    }

    void oneEnvironmentIsSaidInASentence()
    {
        RunStore store;
        store.setRun(tests::sampleRun());
        EnvironmentDialog dialog(store, {});
        QCOMPARE(child<QLabel>(dialog, "environmentSentence")->text(),
                 QStringLiteral("All rows come from one environment."));
        const auto* table = child<QTreeWidget>(dialog, "environmentTable");
        QCOMPARE(table->topLevelItemCount(), 1);
        QVERIFY(table->topLevelItem(0)->isExpanded());
        QVERIFY(table->headerItem()->text(1).startsWith(QStringLiteral("This run · ")));
    }

    void whatDiffersComesFirst()
    {
        RunStore store;
        store.setRun(runInTwoEnvironments());
        EnvironmentDialog dialog(store, {});
        const auto* table = child<EnvironmentTable>(dialog, "environmentTable");
        QCOMPARE(table->differing(), 2);
        QCOMPARE(table->topLevelItemCount(), 2);
        const QTreeWidgetItem* different = table->topLevelItem(0);
        QCOMPARE(different->text(0), QStringLiteral("Different (2)"));
        QVERIFY(different->isExpanded());
        QVERIFY(!table->topLevelItem(1)->isExpanded());
        QCOMPARE(different->child(0)->text(0), QStringLiteral("PyTorch"));
        QCOMPARE(different->child(0)->text(1), QStringLiteral("2.11.0"));
        QCOMPARE(different->child(0)->text(2), QStringLiteral("2.12.0"));
        QCOMPARE(different->child(0)->text(3), QStringLiteral("speed and results"));
        QVERIFY(!different->child(0)->toolTip(0).isEmpty());
        QCOMPARE(different->child(1)->text(0), QStringLiteral("cuda:0, driver"));
        QCOMPARE(different->child(1)->text(2), QStringLiteral("not reported"));
        QCOMPARE(different->child(1)->text(3), QStringLiteral("speed"));
        QCOMPARE(table->headerItem()->text(2), QStringLiteral("This run, 2 · 1 row"));
        QVERIFY(child<QLabel>(dialog, "environmentSentence")
                    ->text()
                    .startsWith(QStringLiteral("The rows come from 2 environments that differ in 2 "
                                               "of ")));
        dialog.setPalette(tests::darkPalette());
        tests::screenshot(dialog, QStringLiteral("environments-dark"));
    }

    void anotherRunIsReadByAWorker()
    {
        const tests::TestFolder other;
        core::RunData data = tests::sampleRun();
        core::Environment environment = data.environments.front();
        QVERIFY(core::writeEnvironments(other / "environment.json", {environment}).ok());
        RunStore store;
        store.setRun(data);
        EnvironmentDialog dialog(store, {folderOf(other)});
        auto* chooser = child<QComboBox>(dialog, "otherRuns");
        const auto* sentence = child<QLabel>(dialog, "environmentSentence");
        QCOMPARE(chooser->count(), 2);
        chooser->setCurrentIndex(1);
        QVERIFY(dialog.isBusy());
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY2(sentence->text().endsWith(QStringLiteral("have equal environments.")),
                 qPrintable(sentence->text()));
        environment.threads = 4;
        QVERIFY(core::writeEnvironments(other / "environment.json", {environment}).ok());
        dialog.compareWith(folderOf(other));
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY2(sentence->text().contains(QStringLiteral("differ in 1 of ")),
                 qPrintable(sentence->text()));
        tests::screenshot(dialog, QStringLiteral("environments"));
        chooser->setCurrentIndex(0);
        QCOMPARE(sentence->text(), QStringLiteral("All rows come from one environment."));
    }

    void damagedFilesAreSaid()
    {
        const tests::TestFolder other;
        RunStore store;
        store.setRun(tests::sampleRun());
        EnvironmentDialog dialog(store, {});
        const auto* sentence = child<QLabel>(dialog, "environmentSentence");
        dialog.compareWith(folderOf(other));
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY(sentence->text().contains(QStringLiteral("cannot be read")));
        tests::writeFile(other / "environment.json", "{\"environments\": 3");
        dialog.compareWith(folderOf(other));
        QTRY_VERIFY(!dialog.isBusy());
        QVERIFY(sentence->text().contains(QStringLiteral("cannot be read")));
        // The newest choice wins.
        dialog.compareWith(folderOf(other));
        dialog.compareWith({});
        QVERIFY(!dialog.isBusy());
        QCOMPARE(sentence->text(), QStringLiteral("All rows come from one environment."));
    }
};

const tests::GuiTest<TestEnvironmentDialog> registered(__FILE_NAME__);

}  // namespace qs::tst_environment_dialog

#include "tst_environment_dialog.moc"
