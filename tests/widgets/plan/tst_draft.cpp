#include "core/model/catalogue.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/cpu_engine.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_edit.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QWheelEvent>

#include <nlohmann/json.hpp>

namespace qs::tst_draft {

using namespace widgets;
using tests::child;

namespace {

constexpr const char* kSmall = "vitok:w64_d2_h4/1x8x16";

core::Preset preset(const std::string& name = "Test")
{
    core::Preset preset;
    preset.name = name;
    preset.defaults.model = kSmall;
    preset.defaults.precision = {"bf16"};
    preset.defaults.sizes.set("image_size", 64);
    preset.axes = {{"precision", {"bf16", "float8dq-row"}}, {"batch", {"1", "4"}}};
    preset.rounds = 1;
    preset.noiseFloor = false;
    return preset;
}

QString batchText(const PlanPanel& panel)
{
    return child<QWidget>(panel, "batchEdit")->findChild<QLineEdit*>()->text();
}

// The entry of the device chooser that begins like this, chosen as a person does.
void chooseDevice(const PlanPanel& panel, const char* beginning)
{
    auto* chooser = child<QComboBox>(panel, "deviceChooser");
    const int item = chooser->findText(QString::fromLatin1(beginning), Qt::MatchStartsWith);
    QVERIFY(item >= 0);
    Q_EMIT chooser->activated(item);
}

}  // namespace

class TestDraft : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void stepsGoBackAndForth()
    {
        DraftHistory history;
        history.reset({preset("0"), {}}, false);
        QVERIFY(!history.isEdited());
        const QSignalSpy restored(&history, &DraftHistory::restored);
        history.change({preset("1"), {}}, QStringLiteral("name"), false);
        history.change({preset("2"), {}}, QStringLiteral("batch"), true);
        history.change({preset("3"), {}}, QStringLiteral("batch"), true);
        history.change({preset("4"), {}}, QStringLiteral("size"), true);
        QVERIFY(restored.isEmpty());
        QCOMPARE(history.draft().preset.name, std::string("4"));
        QVERIFY(history.undoAction()->text().contains(QStringLiteral("size")));
        history.undoAction()->trigger();
        QCOMPARE(history.draft().preset.name, std::string("3"));
        history.undoAction()->trigger();  // typing is one step
        QCOMPARE(history.draft().preset.name, std::string("1"));
        history.redoAction()->trigger();
        QCOMPARE(history.draft().preset.name, std::string("3"));
        history.undoAction()->trigger();
        history.undoAction()->trigger();
        QCOMPARE(history.draft().preset.name, std::string("0"));
        QVERIFY(!history.undoAction()->isEnabled());
        QCOMPARE(restored.count(), 5);
    }

    void keysUndoInTheMidstOfTyping()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto* batch = child<QWidget>(panel, "batchEdit")->findChild<QLineEdit*>();
        tests::bringIntoView(*batch);
        tests::click(*batch);
        tests::press(Qt::Key_End);
        tests::type(QStringLiteral(",16"));
        QCOMPARE(axisValues(panel.preset(), "batch").size(), qsizetype{3});
        auto* half = child<QCheckBox>(panel, "choice:fp16");
        tests::bringIntoView(*half);
        // At its mark: the room right of its words is not part of it.
        tests::clickAt(*half, half->mapTo(&panel, QPoint(8, half->height() / 2)));
        QVERIFY(half->isChecked());
        tests::bringIntoView(*batch);
        tests::click(*batch);
        tests::press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(axisValues(panel.preset(), "precision").size(), qsizetype{2});
        QVERIFY(!child<QCheckBox>(panel, "choice:fp16")->isChecked());
        tests::press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(batchText(panel), QStringLiteral("1,4"));
        tests::press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        tests::press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(child<QCheckBox>(panel, "choice:fp16")->isChecked());
        QCOMPARE(axisValues(panel.preset(), "batch").size(), qsizetype{3});
    }

    // The letters of one number are one step, two variants are two.
    void variantsAreUndoneOneByOne()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.resize(460, 900);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        const auto precisions = [&] { return axisValues(panel.preset(), "precision"); };
        const QStringList before = precisions();
        auto* options = child<QToolButton>(panel, "options:int8sq");
        tests::click(*options);
        for (const char* alpha : {"0.25", "0.75"}) {
            auto* popup = QApplication::activePopupWidget();
            QVERIFY(popup != nullptr);
            if (precisions() != before)
                tests::click(*child<QToolButton>(*popup, "duplicateVariant"));
            tests::click(*child<QWidget>(*popup, "parameter:alpha"));
            tests::press(Qt::Key_A, Qt::ControlModifier);
            for (const char* letter = alpha; *letter != '\0'; ++letter)
                tests::press(Qt::Key(*letter));
        }
        tests::press(Qt::Key_Escape);
        const QString quarter = QStringLiteral("int8sq:alpha=0.25");
        const QString most = QStringLiteral("int8sq:alpha=0.75");
        QVERIFY(precisions().contains(quarter) && precisions().contains(most));
        QVERIFY(tests::comesBack(panel));
        tests::press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(precisions().contains(quarter) && !precisions().contains(most));
        tests::press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(precisions(), before);
        QVERIFY(panel.findChild<QCheckBox*>(QStringLiteral("choice:int8sq:alpha=0.25")) == nullptr);
        tests::press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(child<QCheckBox>(panel, "choice:int8sq:alpha=0.25")->isChecked());
    }

    void anOpenedPresetLosesNoDraft()
    {
        PlanPanel panel({});
        panel.draft().open(preset("Mine"), "/presets/mine.json");
        panel.draft().open(preset("Other"));  // nothing was edited: nothing to come back to
        auto* undo = child<QAction>(panel, "undoDraft");
        QVERIFY(!undo->isEnabled());
        child<QCheckBox>(panel, "choice:fp16")->click();
        panel.draft().open(preset("Third"));
        QCOMPARE(panel.preset().name, std::string("Third"));
        const QSignalSpy edited(&panel.draft(), &SweepDraft::edited);
        undo->trigger();
        QCOMPARE(panel.preset().name, std::string("Other"));
        QCOMPARE(axisValues(panel.preset(), "precision").size(), qsizetype{3});
        QCOMPARE(edited.count(), 1);
    }

    void theDraftOutlivesTheWindow()
    {
        const tests::TestFolder folder;
        const auto file = folder / "state" / "draft.json";
        QCOMPARE(DraftFile::read(file).error().code, core::ErrorCode::NotFound);
        {
            PlanPanel panel({});
            panel.draft().keepIn(file);
            panel.draft().open(preset());
            QVERIFY(!std::filesystem::exists(file));
            child<QCheckBox>(panel, "choice:fp16")->click();
        }
        const auto draft = DraftFile::read(file);
        QVERIFY2(draft.ok(), draft.ok() ? "" : draft.error().message.c_str());
        PlanPanel panel({});
        panel.draft().restore(draft.value());
        QCOMPARE(axisValues(panel.preset(), "precision").size(), qsizetype{3});
        QVERIFY(!child<QAction>(panel, "undoDraft")->isEnabled());
        panel.draft().open(preset("Other"));
        child<QAction>(panel, "undoDraft")->trigger();
        QCOMPARE(panel.preset().name, std::string("Test"));
    }

    void draftsAreWrittenWhileOneWorks()
    {
        const tests::TestFolder folder;
        const auto file = folder / "draft.json";
        DraftFile draft(file);
        draft.keep(preset("1"));
        draft.keep(preset("2"));
        QTRY_VERIFY(std::filesystem::exists(file));
        QTRY_COMPARE(DraftFile::read(file).value().name, std::string("2"));
        tests::writeFile(file, "{broken");
        QVERIFY(!DraftFile::read(file).ok());
    }

    void aFolderThatCannotBeWrittenIsSaid()
    {
        const tests::TestFolder folder;
        tests::writeFile(folder / "file", "");
        DraftFile draft(folder / "file" / "draft.json");
        const QSignalSpy failed(&draft, &DraftFile::failed);
        draft.keep(preset());
        QTRY_COMPARE(failed.count(), 1);
    }

    void anotherGpuCanBePlannedFor()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        panel.show();
        QTRY_VERIFY(panel.canRun());
        chooseDevice(panel, "NVIDIA A100");
        QTRY_VERIFY(panel.planned().plan().has_value());
        auto* run = child<QPushButton>(panel, "runButton");
        QVERIFY(!run->isEnabled());
        QVERIFY2(run->toolTip().contains(QStringLiteral("this computer does not have")),
                 qPrintable(run->toolTip()));
        QCOMPARE(panel.planned().plan()->possibleCells(), 2);  // no float8 before Ada
        auto* float8 = child<QCheckBox>(panel, "choice:float8dq-row");
        QTRY_VERIFY(float8->toolTip().contains(QStringLiteral("NVIDIA A100 80GB has 8.0")));
        QCOMPARE(axisValues(panel.preset(), "device"), QStringList{QStringLiteral("cuda:0")});
        chooseDevice(panel, "NVIDIA H200");
        QTRY_VERIFY(panel.planned().plan().has_value() &&
                    panel.planned().plan()->possibleCells() == 4);
        QTRY_VERIFY(!float8->toolTip().contains(QStringLiteral("Cannot run")));
        chooseDevice(panel, "cpu");
        QTRY_VERIFY(panel.canRun());
        // Undo of the choice is undo of all of it.
        chooseDevice(panel, "NVIDIA H200");
        child<QAction>(panel, "undoDraft")->trigger();
        QTRY_VERIFY(panel.canRun());
        QVERIFY(child<QComboBox>(panel, "deviceChooser")
                    ->currentText()
                    .startsWith(QStringLiteral("cpu")));
    }

    void everyCellCanBeLookedAt()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        panel.show();
        auto* show = child<QToolButton>(panel, "showCells");
        QVERIFY(!show->isEnabled());
        chooseDevice(panel, "NVIDIA A100");
        QTRY_VERIFY(show->isEnabled());
        show->click();
        auto* dialog = child<QDialog>(panel, "plannedCellsDialog");
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* table = child<QTableView>(*dialog, "plannedCells");
        QCOMPARE(table->model()->rowCount(), 4);
        child<QLineEdit>(*dialog, "plannedCellsSearch")->setText(QStringLiteral("cannot run"));
        QCOMPARE(table->model()->rowCount(), 2);
        table->setCurrentIndex(table->model()->index(0, 0));
        QVERIFY(child<QLabel>(*dialog, "plannedCellRemark")
                    ->text()
                    .contains(QStringLiteral("float8 matrix products need compute capability")));
        tests::screenshot(*dialog, QStringLiteral("planned-cells"));
        dialog->close();
    }

    void everythingIsReachedWithTab()
    {
        PlanPanel panel({});
        core::Preset pairs = preset();
        pairs.axes[0].values.push_back("bf16/int8dq");
        panel.draft().open(pairs);
        panel.setEngine(tests::cpuEngine());
        panel.resize(300, 600);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        QTRY_VERIFY(panel.canRun());
        for (FoldSection* section : panel.findChildren<FoldSection*>())
            section->setOpen(true);
        QStringList reached;
        tests::click(*child<QComboBox>(panel, "modelBox")->lineEdit());
        QVERIFY(QApplication::focusWidget() != nullptr);
        for (int step = 0; step < 200; ++step) {
            tests::press(Qt::Key_Tab);
            reached << tests::focusName();
        }
        for (const char* name :
             {"presetChooser", "browsePresets",  "modelBox",        "openModel",
              "modelReport",   "deviceChooser",  "precisionMatrix", "precisionLinked",
              "choice:none",   "rangeText",      "chip:4",          "roundsBox",
              "noiseFloorBox", "choice:mlp",     "ownLayers",       "choice:math",
              "sweepMode",     "exclusionMatch", "exclusionReason", "pictureSource",
              "link:batch",    "isolationBox",   "gateText",        "minimumSamples",
              "pictureCount",  "showCells",      "runButton"})
            QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
    }

    // In the order in which one answers the questions; what is folded comes behind.
    void partsComeInTheOrderOfUse()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        panel.resize(300, 900);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        int above = -1;
        for (const char* name : {"modelBox", "pictureSource", "deviceChooser", "choice:bf16",
                                 "choice:none", "chip:4"}) {
            const auto* part = child<QWidget>(panel, name);
            const int top = part->mapTo(&panel, QPoint(0, 0)).y();
            QVERIFY2(part->isVisible() && top > above, name);
            above = top;
        }
        for (const FoldSection* section : panel.findChildren<FoldSection*>()) {
            if (section->isVisible() && section->mapTo(&panel, QPoint(0, 0)).y() < above)
                QVERIFY2(section->objectName().startsWith(QStringLiteral("calibration")),
                         qPrintable(section->objectName()));
        }
    }

    void everyPartIsUndone()
    {
        PlanPanel panel({});
        core::Preset files = preset();
        files.pictures.source = "/photos/kodak";
        panel.draft().open(files);
        panel.show();
        auto* undo = child<QAction>(panel, "undoDraft");
        for (FoldSection* section : panel.findChildren<FoldSection*>())
            section->setOpen(true);
        QTest::keyClick(child<QComboBox>(panel, "pictureCrop"), Qt::Key_Down);
        QCOMPARE(panel.preset().pictures.crop, core::PictureCrop::Pad);
        auto* gate = child<QLineEdit>(panel, "gateText");
        QTest::keyClicks(gate, QStringLiteral("cv <= 5 %"));
        QTest::keyClick(gate, Qt::Key_Return);
        QCOMPARE(panel.preset().gates.size(), std::size_t{1});
        QTest::keyClick(child<QComboBox>(panel, "isolationBox"), Qt::Key_Down);
        child<QSpinBox>(panel, "maximumSamples")->setValue(50);
        QCOMPARE(panel.preset().isolation, core::Isolation::Model);
        // Editors of other parts keep each other's changes.
        QCOMPARE(panel.preset().pictures.crop, core::PictureCrop::Pad);
        for (int step = 0; step < 4; ++step)
            undo->trigger();
        QVERIFY(!undo->isEnabled());
        QVERIFY(core::toJson(panel.preset()) == core::toJson(files));
        QCOMPARE(child<QSpinBox>(panel, "maximumSamples")->value(), 1000);
        QCOMPARE(child<QComboBox>(panel, "pictureCrop")->currentIndex(), 0);
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("gate")) == nullptr);
        QTRY_VERIFY(panel.isSettled());
    }

    // A wheel over a number that has not been chosen is meant for the panel.
    void theWheelChangesNothingOnItsWay()
    {
        PlanPanel panel({});
        core::Preset five = preset();
        five.rounds = 5;
        panel.draft().open(five);
        panel.show();
        child<FoldSection>(panel, "conductSection")->setOpen(true);
        auto* rounds = child<QSpinBox>(panel, "roundsBox");
        const auto turn = [](QWidget* box) {
            QWheelEvent event(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, {0, -120},
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(box, &event);
        };
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        tests::click(*child<QComboBox>(panel, "modelBox")->lineEdit());
        turn(rounds);
        turn(child<QComboBox>(panel, "sweepMode"));
        QCOMPARE(panel.preset().rounds, 5);
        QCOMPARE(panel.preset().mode, core::SweepMode::Cross);
        tests::bringIntoView(*rounds);
        tests::clickAt(*rounds, rounds->mapTo(&panel, QPoint(8, rounds->height() / 2)));
        turn(rounds);
        QCOMPARE(panel.preset().rounds, 4);
        QTRY_VERIFY(panel.isSettled());
    }

    void recentModelsStandInTheField()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        panel.resize(420, 700);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto* box = child<QComboBox>(panel, "modelBox");
        const QString before = box->currentText();
        const int names = box->count();
        const QStringList recent{QStringLiteral("/nowhere/b/model.safetensors"),
                                 QStringLiteral("/nowhere/a/model.safetensors")};
        panel.setRecentModels({QStringLiteral("/nowhere/old.pt2")});
        panel.setRecentModels(recent);
        QCOMPARE(box->count(), names + 2);
        QCOMPARE(box->currentText(), before);
        // What is typed is not completed to one of them.
        tests::click(*box->lineEdit());
        tests::press(Qt::Key_A, Qt::ControlModifier);
        tests::type(QStringLiteral("/nowhere/b"));
        QCOMPARE(box->currentText(), QStringLiteral("/nowhere/b"));
        tests::press(Qt::Key_Return);
        QCOMPARE(axisValues(panel.preset(), "model"), QStringList{QStringLiteral("/nowhere/b")});
        box->showPopup();
        QTRY_VERIFY(box->view()->isVisible());
        tests::press(Qt::Key_Home);
        tests::press(Qt::Key_Down);
        tests::press(Qt::Key_Return);
        QCOMPARE(axisValues(panel.preset(), "model"), QStringList{recent[1]});
        QTRY_VERIFY(panel.isSettled());
    }

    void modelsThatComeWithTheProgramAreCompleted()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto* box = child<QComboBox>(panel, "modelBox");
        for (const core::ShippedModel& model : core::shippedModels())
            QVERIFY(box->findText(QString::fromStdString(std::string(model.reference))) >= 0);
        for (const auto& [typed, chosen] :
             {std::pair("demo", "demo"), std::pair("demo-", "demo-text")}) {
            tests::click(*box->lineEdit());
            tests::press(Qt::Key_A, Qt::ControlModifier);
            tests::type(QString::fromLatin1(typed));
            tests::press(Qt::Key_Return);
            QCOMPARE(axisValues(panel.preset(), "model"), QStringList{QString::fromLatin1(chosen)});
        }
        QTRY_VERIFY(panel.isSettled());
    }

    void severalModelsAreAnAxis()
    {
        PlanPanel panel({});
        panel.draft().open(preset());
        panel.setEngine(tests::cpuEngine());
        panel.show();
        auto* box = child<QComboBox>(panel, "modelBox");
        auto* add = child<QToolButton>(panel, "addModel");
        const QString first = box->currentText();
        add->click();
        QVERIFY(box->currentText().isEmpty());
        QTest::keyClicks(box->lineEdit(), QStringLiteral("vitok:350M-f16x64"));
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        const QString second = QStringLiteral("vitok:350M-f16x64");
        QCOMPARE(axisValues(panel.preset(), "model"), (QStringList{first, second}));
        QVERIFY(box->currentText().isEmpty());
        QVERIFY(!add->isEnabled());
        // The same once more is no second axis value.
        QTest::keyClicks(box->lineEdit(), second);
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        QCOMPARE(axisValues(panel.preset(), "model").size(), qsizetype{2});
        QCOMPARE(panel.findChildren<QLabel*>(QStringLiteral("model")).size(), qsizetype{2});
        // Back to one: it stands in the box again.
        child<QToolButton>(panel, "remove:model")->click();
        QCOMPARE(axisValues(panel.preset(), "model"), QStringList{second});
        QCOMPARE(box->currentText(), second);
        QVERIFY(!add->isChecked() && add->isEnabled());
        child<QAction>(panel, "undoDraft")->trigger();
        QCOMPARE(axisValues(panel.preset(), "model"), (QStringList{first, second}));
        QCOMPARE(panel.findChildren<QLabel*>(QStringLiteral("model")).size(), qsizetype{2});
        // Long names wrap: the panel scrolls downwards only.
        const QString longName = QStringLiteral("/data/a_rather_long_folder_of_checkpoints/"
                                                "encoder_after_many_steps_of_training.safetensors");
        const int before =
            child<QWidget>(panel, "openModel")->parentWidget()->minimumSizeHint().width();
        QTest::keyClicks(box->lineEdit(), longName);
        QTest::keyClick(box->lineEdit(), Qt::Key_Return);
        QCOMPARE(panel.findChildren<QLabel*>(QStringLiteral("model")).back()->toolTip(), longName);
        QVERIFY(child<QWidget>(panel, "openModel")->parentWidget()->minimumSizeHint().width() <=
                before);
        // What is dropped on the window is the only model.
        panel.setModel(QStringLiteral("demo"));
        QCOMPARE(axisValues(panel.preset(), "model"), QStringList{QStringLiteral("demo")});
        QTRY_VERIFY(panel.isSettled());
    }

    void theModelIsReadBesides()
    {
        PlanPanel panel({});
        const QSignalSpy inspected(&panel, &PlanPanel::modelInspected);
        panel.draft().open(preset());
        panel.show();
        auto* headline = child<QLabel>(panel, "modelHeadline");
        QTRY_VERIFY(headline->text().startsWith(QStringLiteral("2 stages")));
        QVERIFY(inspected.back()[0].value<Inspection>()->usable());
        panel.setModel(QStringLiteral("/nowhere/model.safetensors"));
        QTRY_VERIFY(headline->text().contains(QStringLiteral("/nowhere/model.safetensors")));
        // Undo brings the model back, and with it what is known of it.
        child<QAction>(panel, "undoDraft")->trigger();
        QTRY_VERIFY(headline->text().startsWith(QStringLiteral("2 stages")));
        QTRY_VERIFY(panel.isSettled());
    }
};

const tests::GuiTest<TestDraft> registered(__FILE_NAME__);

}  // namespace qs::tst_draft

#include "tst_draft.moc"
