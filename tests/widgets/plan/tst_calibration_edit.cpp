#include "core/report/words/note_text.h"
#include "core/run/program_paths.h"
#include "tests/support/gui_test.h"
#include "tests/support/small_program.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/cpu_engine.h"
#include "tests/widgets/support/drop.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/places.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/calibration_edit.h"
#include "widgets/plan/feed_fields.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/plan_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

namespace qs::tst_calibration_edit {

using namespace widgets;
using tests::child;
using tests::click;

namespace {

constexpr int kPlanMs = 20'000;

// A plan whose model is named last, so that a program can be written for it first.
class CalibratedPlan final
{
public:
    explicit CalibratedPlan(const std::string& precision = "int8-static:samples=1:set=own")
        : panel(core::locatePrograms().resources)
    {
        std::filesystem::create_directory(folder / "pictures");
        std::filesystem::copy(core::locatePrograms().resources / "test_images" /
                                  "01 dead-leaves.png",
                              folder / "pictures" / "a.png");
        draft.name = "Calibrated";
        draft.defaults.model = "demo";
        draft.defaults.precision = {precision};
        draft.pictures.crop = core::PictureCrop::Pad;
    }
    void show()
    {
        panel.resize(420, 900);
        panel.show();
        panel.draft().open(draft);
        panel.setEngine(tests::cpuEngine());
    }
    [[nodiscard]] bool settles() const
    {
        return QTest::qWaitFor([this] { return panel.isSettled(); }, kPlanMs);
    }
    [[nodiscard]] CalibrationEdit& edit() const
    {
        return *child<CalibrationEdit>(panel, "calibrationEdit");
    }
    [[nodiscard]] FoldSection& section() const
    {
        return *child<FoldSection>(panel, "calibrationSection");
    }
    void open() const { click(*section().findChild<QToolButton*>()); }
    [[nodiscard]] QString message() const
    {
        return child<QLabel>(panel, "calibrationMessage")->text();
    }
    [[nodiscard]] const core::CalibrationInputs& set() const { return panel.preset().calibration; }
    [[nodiscard]] std::string pictures() const { return (folder / "pictures").string(); }

    tests::TestFolder folder;
    core::Preset draft;
    PlanPanel panel;
};

}  // namespace

class TestCalibrationEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        tests::setUpWidgets();
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void opensOnceAPrecisionCalibrates();
    void aFolderIsTyped();
    void aFolderIsDroppedAndCleared();
    void whatThePlanRefusesIsSaid();
    void ofAModelWithoutImagesFilesAreDropped();
    void aTextHasTheTokenizerOfTheRun();
    void whatNobodyTakesIsSaid();
};

// Its head stays where it is, and nothing below moves.
void TestCalibrationEdit::opensOnceAPrecisionCalibrates()
{
    CalibratedPlan plan("int8dq");
    plan.show();
    QVERIFY(plan.settles());
    QVERIFY(!plan.section().isEnabled());
    plan.open();
    QVERIFY(!plan.section().isOpen());
    const tests::PlacesOfPart places(plan.panel, 10);
    core::Preset changed = plan.panel.preset();
    changed.defaults.precision = {"int8-static"};
    plan.panel.adopt(changed, QStringLiteral("precision"));
    QVERIFY(plan.settles());
    QVERIFY(plan.section().isEnabled());
    QVERIFY2(places.moved().isEmpty(), qPrintable(places.moved()));
    plan.open();
    QVERIFY(plan.section().isOpen());
    QVERIFY(child<QWidget>(plan.panel, "calibrationPictures")->isVisible());
}

void TestCalibrationEdit::aFolderIsTyped()
{
    CalibratedPlan plan;
    plan.show();
    QVERIFY(plan.settles());
    plan.open();
    auto* line = child<QLineEdit>(plan.panel, "calibrationPictures");
    click(*line);
    tests::type(QString::fromStdString(plan.pictures()));
    QCOMPARE(plan.set().pictures.source, plan.pictures());
    QVERIFY2(plan.set().pictures.crop == core::PictureCrop::Pad, "as the images of the run");
    QVERIFY(plan.settles());
    QVERIFY2(plan.message().isEmpty(), qPrintable(plan.message()));
    QVERIFY(plan.panel.planned().plan()->possibleCells() > 0);
    // The count is reached by the keyboard.
    QVERIFY(tests::tabTo(QStringLiteral("calibrationCount")));
    tests::press(Qt::Key_A, Qt::ControlModifier);
    tests::type(QStringLiteral("7"));
    tests::press(Qt::Key_Return);
    QCOMPARE(plan.set().pictures.count, 7);
    // A preset keeps it.
    std::vector<core::JsonIssue> issues;
    const core::Preset read = core::presetFromJson(core::toJson(plan.panel.preset()), issues);
    QVERIFY(issues.empty());
    QVERIFY(read.calibration == plan.set());
    // Letters of one path are one step.
    plan.panel.draft().history().undoAction()->trigger();
    QCOMPARE(plan.set().pictures.count, 128);
    plan.panel.draft().history().undoAction()->trigger();
    QVERIFY(plan.set().empty());
    QVERIFY(line->text().isEmpty());
}

void TestCalibrationEdit::aFolderIsDroppedAndCleared()
{
    CalibratedPlan plan;
    plan.show();
    QVERIFY(plan.settles());
    QVERIFY2(tests::drop(plan.edit(), {plan.folder / "a.png", plan.folder / "b.png"}),
             "the window would take them for the images that are judged");
    QVERIFY(plan.set().empty());
    QVERIFY(plan.panel.preset().pictures.shipped());
    QVERIFY(!plan.message().isEmpty());
    QVERIFY(tests::drop(plan.edit(), {plan.folder / "pictures"}));
    QVERIFY2(plan.section().isOpen(), "one sees what was dropped");
    QCOMPARE(plan.set().pictures.source, plan.pictures());
    QCOMPARE(child<QLineEdit>(plan.panel, "calibrationPictures")->text(),
             QString::fromStdString(plan.pictures()));
    QVERIFY(plan.settles());
    tests::screenshot(plan.panel, QStringLiteral("calibration-set"));
    auto* clear = child<QToolButton>(plan.panel, "calibrationClear");
    click(*clear);
    QVERIFY(plan.set().empty());
    QVERIFY(!clear->isEnabled());
    QVERIFY(!core::toJson(plan.panel.preset()).contains("calibration"));
}

void TestCalibrationEdit::whatThePlanRefusesIsSaid()
{
    CalibratedPlan plan("int8-static:samples=2:set=own");
    plan.show();
    QVERIFY(plan.settles());
    plan.open();
    const auto textOf = [](const core::Note& note) {
        return QString::fromStdString(core::noteText(note));
    };
    QCOMPARE(plan.message(), textOf({core::NoteCode::NoCalibrationPictures}));
    QVERIFY(tests::drop(plan.edit(), {plan.folder / "pictures"}));
    QVERIFY(plan.settles());
    QCOMPARE(plan.message(), textOf({core::NoteCode::TooFewCalibrationSamples, {2.0, 1.0}}));
    // Of another folder there is enough.
    const std::filesystem::path more = plan.folder / "more";
    std::filesystem::copy(plan.folder / "pictures", more);
    std::filesystem::copy(more / "a.png", more / "b.png");
    QVERIFY(tests::drop(plan.edit(), {more}));
    QVERIFY(plan.settles());
    QVERIFY2(plan.message().isEmpty(), qPrintable(plan.message()));
}

void TestCalibrationEdit::ofAModelWithoutImagesFilesAreDropped()
{
    CalibratedPlan plan;
    tests::writeSmallProgram(plan.folder / "small.pt2");
    plan.draft.defaults.model = (plan.folder / "small.pt2").string();
    plan.show();
    QVERIFY(plan.settles());
    plan.open();
    QVERIFY(!child<QWidget>(plan.panel, "calibrationPictures")->isVisible());
    const auto rows = plan.edit().findChildren<QComboBox*>(QStringLiteral("feedKind"));
    QVERIFY(!rows.isEmpty());
    for (const QComboBox* kinds : rows) {
        QCOMPARE(kinds->findData(QVariant::fromValue(FeedKind::Images)), -1);
        QCOMPARE(kinds->findData(QVariant::fromValue(FeedKind::Random)), -1);
    }
    const std::filesystem::path file = plan.folder / "samples.npy";
    QVERIFY(tests::drop(plan.edit(), {file}));
    QCOMPARE(plan.set().inputs.size(), std::size_t{1});
    const auto& [input, feed] = *plan.set().inputs.begin();
    QVERIFY(feed == core::InputFeed(core::FileFeed{file.string(), {}}));
    QWidget* row = child<QWidget>(plan.panel, ("calibration:" + input).c_str());
    QCOMPARE(child<QLineEdit>(*row, "feed:file")->text(), QString::fromStdString(file.string()));
    // The inputs of the run are others.
    QVERIFY(plan.panel.preset().feeding.inputs.empty());
    QVERIFY(plan.settles());
    // There is no such file: that is said here.
    QVERIFY(!plan.message().isEmpty());
    click(*child<QToolButton>(plan.panel, "calibrationClear"));
    QVERIFY(plan.set().empty());
    QVERIFY(child<QComboBox>(*row, "feedKind")->currentData().value<FeedKind>() ==
            FeedKind::Default);
}

void TestCalibrationEdit::aTextHasTheTokenizerOfTheRun()
{
    CalibratedPlan plan;
    tests::writeSmallProgram(plan.folder / "small.pt2");
    plan.draft.defaults.model = (plan.folder / "small.pt2").string();
    plan.show();
    QVERIFY(plan.settles());
    plan.open();
    QVERIFY(tests::drop(plan.edit(), {plan.folder / "first.npy"}));
    const std::string input = plan.set().inputs.begin()->first;
    core::Preset changed = plan.panel.preset();
    core::TextFeed text{"judged.txt", "tokenizer.json"};
    text.pad = 3;
    changed.feeding.inputs.insert_or_assign(input, text);
    plan.panel.draft().open(changed);
    QVERIFY(plan.settles());
    const std::filesystem::path prompts = plan.folder / "calibration.txt";
    QVERIFY(tests::drop(plan.edit(), {prompts}));
    text.path = prompts.string();
    QVERIFY(plan.set().inputs.at(input) == core::InputFeed(text));
}

void TestCalibrationEdit::whatNobodyTakesIsSaid()
{
    CalibratedPlan plan("int8-static");
    plan.show();
    QVERIFY(plan.settles());
    plan.open();
    QVERIFY(plan.message().isEmpty());
    QVERIFY(tests::drop(plan.edit(), {plan.folder / "pictures"}));
    QVERIFY(plan.settles());
    QVERIFY(!plan.message().isEmpty());
    QVERIFY2(plan.panel.canRun(), "it harms nothing");
    core::Preset changed = plan.panel.preset();
    changed.defaults.precision = {"int8-static:samples=1:set=own"};
    plan.panel.adopt(changed, QStringLiteral("precision"));
    QVERIFY(plan.settles());
    QVERIFY2(plan.message().isEmpty(), qPrintable(plan.message()));
}

const tests::GuiTest<TestCalibrationEdit> registered(__FILE_NAME__);

}  // namespace qs::tst_calibration_edit

#include "tst_calibration_edit.moc"
