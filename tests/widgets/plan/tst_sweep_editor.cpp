#include "core/sweep/preset_axes.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/places.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/range_edit.h"
#include "widgets/plan/sweep_editor.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

#include <utility>

namespace qs::tst_sweep_editor {

using namespace widgets;
using tests::child;

namespace {

core::Preset preset()
{
    core::Preset preset;
    preset.name = "Test";
    preset.defaults.model = "demo";
    preset.axes = {{"precision", {"bf16", "int8dq"}}, {"batch", {"1", "4"}}};
    return preset;
}

core::Preset last(const QSignalSpy& edited)
{
    return edited.back()[0].value<core::Preset>();
}

QStringList texts(std::initializer_list<const char*> values)
{
    QStringList list;
    for (const char* value : values)
        list << QString::fromLatin1(value);
    return list;
}

}  // namespace

class TestSweepEditor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void everyEditorChangesItsPart()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.show();
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        child<QCheckBox>(editor, "choice:fp16")->click();
        QCOMPARE(axisValues(last(edited), "precision").size(), qsizetype{3});
        child<QCheckBox>(editor, "choice:cuda-graph")->click();
        QCOMPARE(axisValues(last(edited), "compile"), texts({"none", "cuda-graph"}));
        child<QCheckBox>(editor, "choice:mlp")->click();
        QCOMPARE(axisValues(last(edited), "layers"), texts({"all", "mlp"}));
        child<QCheckBox>(editor, "choice:math")->click();
        QCOMPARE(axisValues(last(edited), "attention"), texts({"auto", "math"}));
        child<QSpinBox>(editor, "roundsBox")->setValue(7);
        QCOMPARE(last(edited).rounds, 7);
        QVERIFY(edited.back()[2].toBool());
        child<QCheckBox>(editor, "noiseFloorBox")->click();
        QVERIFY(!last(edited).noiseFloor);
        auto* mode = child<QComboBox>(editor, "sweepMode");
        auto* append = child<QCheckBox>(editor, "appendDefaultBox");
        QVERIFY(!append->isEnabled());
        child<FoldSection>(editor, "combinationSection")->setOpen(true);
        QVERIFY(QTest::qWaitForWindowActive(&editor));
        tests::click(*mode);
        tests::press(Qt::Key_Down);
        tests::press(Qt::Key_Return);
        QCOMPARE(last(edited).mode, core::SweepMode::OneAtATime);
        append->click();
        QVERIFY(!last(edited).appendDefault);
        auto* seeds = child<QWidget>(editor, "seedEdit")->findChild<QLineEdit*>();
        child<FoldSection>(editor, "moreSection")->setOpen(true);
        seeds->selectAll();
        QTest::keyClicks(seeds, QStringLiteral("0"));
        QCOMPARE(last(edited).defaults.seed, std::int64_t{0});
        QTest::keyClicks(seeds, QStringLiteral(",7"));
        QCOMPARE(axisValues(last(edited), "seed"), texts({"0", "7"}));
        // All of it is in the last one, besides what it was given.
        QCOMPARE(last(edited).rounds, 7);
        QCOMPARE(last(edited).name, std::string("Test"));
        QCOMPARE(edited.count(), 10);
    }

    void layerFiltersOfOnesOwn()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.show();
        child<FoldSection>(editor, "moreSection")->setOpen(true);
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* own = child<QLineEdit>(editor, "ownLayers");
        auto* message = child<QLabel>(editor, "ownLayersMessage");
        QTest::keyClicks(own, QStringLiteral("colour"));
        QVERIFY(message->isVisible() && message->text().contains(QStringLiteral("unknown scope")));
        QTest::keyClick(own, Qt::Key_Return);
        QVERIFY(edited.isEmpty());
        own->clear();
        QTest::keyClicks(own, QStringLiteral("mlp  -first2"));
        QTest::keyClick(own, Qt::Key_Return);
        QCOMPARE(axisValues(last(edited), "layers"), texts({"all", "mlp -first2"}));
        QVERIFY(own->text().isEmpty());
        QVERIFY(child<QCheckBox>(editor, "choice:mlp -first2")->isChecked());
    }

    void cellsCanBeLeftOut()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.show();
        child<FoldSection>(editor, "combinationSection")->setOpen(true);
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* match = child<QLineEdit>(editor, "exclusionMatch");
        auto* reason = child<QLineEdit>(editor, "exclusionReason");
        auto* add = child<QToolButton>(editor, "addExclusion");
        QTest::keyClicks(match, QStringLiteral("batch=4"));
        QVERIFY(!add->isEnabled());
        QVERIFY(
            child<QLabel>(editor, "exclusionMessage")->text().contains(QStringLiteral("reason")));
        QTest::keyClicks(reason, QStringLiteral("too slow"));
        QVERIFY(add->isEnabled());
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(last(edited).exclusions.size(), std::size_t{1});
        QCOMPARE(child<QLabel>(editor, "exclusion")->text(), QStringLiteral("batch=4 — too slow"));
        child<QToolButton>(editor, "remove:exclusion")->click();
        QVERIFY(last(edited).exclusions.empty());
    }

    void foldedItSaysWhatItHolds()
    {
        SweepEditor editor;
        core::Preset full = preset();
        full.axes.push_back({"layers", {"all", "mlp"}});
        full.exclusions = {{{{"batch", {"4"}}}, "because"}};
        full.mode = core::SweepMode::OneAtATime;
        full.isolation = core::Isolation::Model;
        full.rounds = 3;
        full.noiseFloor = false;
        full.linked = {{"precision", "batch"}};
        editor.setPreset(full);
        const auto head = [&](const char* name) {
            return child<FoldSection>(editor, name)->findChild<QToolButton*>()->text();
        };
        QVERIFY(!child<FoldSection>(editor, "moreSection")->isOpen());
        QCOMPARE(head("moreSection"),
                 QStringLiteral("More axes: layers all, mlp · attention auto · seed 42"));
        QCOMPARE(head("combinationSection"),
                 QStringLiteral("Combine: one axis at a time · 1 link · 1 excluded"));
        QCOMPARE(
            head("conductSection"),
            QStringLiteral("Measure: 3 repeats · one process per model · 0.5–15 s of samples"));
    }

    void sizesThatAreOffUnlessAskedAreFolded()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.setSizes({"image_size", "token_budget"});
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        QVERIFY(child<RangeEdit>(editor, "image_sizeEdit")->isVisible());
        const QLineEdit* budget = child<RangeEdit>(editor, "token_budgetEdit")->lineEdit();
        QVERIFY(!budget->isVisible());
        auto* head = child<FoldSection>(editor, "moreSection")->findChild<QToolButton*>();
        QVERIFY(!head->text().contains(QStringLiteral("token budget")));
        tests::click(*head);
        QVERIFY(budget->isVisible());
        QVERIFY(!child<RangeEdit>(editor, "attention_windowEdit")->isVisible());
        QCOMPARE(budget->text(), QStringLiteral("0"));

        const QSignalSpy edited(&editor, &SweepEditor::edited);
        tests::doubleClick(*child<RangeEdit>(editor, "token_budgetEdit")->lineEdit());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("256"));
        QCOMPARE(axisValues(last(edited), "token_budget"), texts({"256"}));
        tests::click(*head);
        QVERIFY(head->text().contains(QStringLiteral("token budget 256")));
    }

    // The axis of a model of before: no cell can run with it, and it can be taken out.
    void anAxisThatTheModelLacksIsSeen()
    {
        SweepEditor editor;
        core::Preset swept = preset();
        swept.axes.push_back({"new_tokens", {"0", "20"}});
        editor.setPreset(swept);
        editor.setSizes({"image_size"});
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        QLineEdit* line = child<RangeEdit>(editor, "new_tokensEdit")->lineEdit();
        QVERIFY(line->isVisible());
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        tests::click(*line);
        line->selectAll();
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("0"));
        QVERIFY(core::findAxis(last(edited), "new_tokens") == nullptr);
        editor.setPreset(last(edited));
        QVERIFY(!line->isVisible());
    }

    void inputsHaveAPlace()
    {
        SweepEditor editor;
        core::Preset sweep = preset();
        sweep.axes.push_back({"inputs", {"device", "pinned"}});
        sweep.measurement.cache = core::CacheState::Cold;
        editor.setPreset(sweep);
        QCOMPARE(child<ChoiceList>(editor, "inputsList")->values(),
                 (QStringList{QStringLiteral("device"), QStringLiteral("pinned")}));
        QVERIFY(child<FoldSection>(editor, "moreSection")
                    ->findChild<QToolButton*>()
                    ->text()
                    .contains(QStringLiteral("inputs device, pinned")));
        auto* cache = child<QComboBox>(editor, "cacheState");
        QCOMPARE(cache->currentText(), QStringLiteral("Cold"));
        QSignalSpy edited(&editor, &SweepEditor::edited);
        QTest::keyClick(cache, Qt::Key_Up);
        QCOMPARE(edited.size(), 1);
        const auto changed = edited.first().first().value<core::Preset>();
        QVERIFY(changed.measurement.cache == core::CacheState::Warm);
    }

    void axesAdvanceTogether()
    {
        SweepEditor editor;
        core::Preset three = preset();
        three.axes.push_back({"seed", {"1", "2", "3"}});
        editor.setPreset(three);
        editor.show();
        child<FoldSection>(editor, "combinationSection")->setOpen(true);
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* link = child<QToolButton>(editor, "linkAxes");
        QVERIFY(!link->isEnabled());
        child<QCheckBox>(editor, "link:precision")->click();
        QVERIFY(!link->isEnabled());
        const auto* seed = child<QCheckBox>(editor, "link:seed");
        QVERIFY(!seed->isEnabled());
        QCOMPARE(seed->toolTip(),
                 QStringLiteral("3 seeds, but 2 precisions: linked axes need equally many values"));
        child<QCheckBox>(editor, "link:batch")->click();
        link->click();
        QCOMPARE(last(edited).linked, (std::vector<core::LinkedAxes>{{"precision", "batch"}}));
        QCOMPARE(child<QLabel>(editor, "link")->text(), QStringLiteral("precision + batch size"));
        QVERIFY(!seed->isEnabled() || !link->isEnabled());  // alone they have nothing to go with
        QVERIFY(!child<QCheckBox>(editor, "link:batch")->isEnabled());
        const auto* message = child<QLabel>(editor, "linkMessage");
        QVERIFY(message->text().isEmpty());
        // A link that an edit has broken says so.
        child<QCheckBox>(editor, "choice:fp16")->click();
        QVERIFY(message->text().contains(QStringLiteral("3 and 2")));
        child<QToolButton>(editor, "remove:link")->click();
        QVERIFY(last(edited).linked.empty());
        QVERIFY(editor.findChild<QLabel*>(QStringLiteral("link")) == nullptr);
    }

    void oneAxisHasNothingToGoWith()
    {
        SweepEditor editor;
        core::Preset one = preset();
        one.axes.pop_back();
        editor.setPreset(one);
        QVERIFY(child<QLabel>(editor, "linkMessage")->text().contains(QStringLiteral("two axes")));
        QVERIFY(!child<QToolButton>(editor, "linkAxes")->isEnabled());
        QVERIFY(!child<QCheckBox>(editor, "link:batch")->isEnabled());
    }

    void theMeasurementIsEdited()
    {
        SweepEditor editor;
        core::Preset fine = preset();
        fine.measurement.minimumWarmupSeconds = 0.12345;  // more digits than a box shows
        fine.measurement.phaseLimitSeconds = {{qs::core::Phase::Load, 30.0}};
        fine.orderSeed = INT64_MAX;
        editor.setPreset(fine);
        QSignalSpy edited(&editor, &SweepEditor::edited);
        child<QDoubleSpinBox>(editor, "maximumSampling")->setValue(4.0);
        child<QSpinBox>(editor, "maximumSamples")->setValue(50);
        child<QDoubleSpinBox>(editor, "maximumNoise")->setValue(2.0);
        child<QDoubleSpinBox>(editor, "limit:load")->setValue(0.0);
        child<QDoubleSpinBox>(editor, "limit:compile")->setValue(90.0);
        child<QDoubleSpinBox>(editor, "limit:quantize")->setValue(45.0);
        child<QDoubleSpinBox>(editor, "limit:outputs")->setValue(20.5);
        auto* isolation = child<QComboBox>(editor, "isolationBox");
        QTest::keyClick(isolation, Qt::Key_Down);
        const core::Preset now = last(edited);
        QCOMPARE(now.measurement.stopping, core::StoppingKind::Noise);
        QCOMPARE(now.measurement.minimumWarmupSeconds, 0.12345);
        QCOMPARE(now.measurement.maximumSampleSeconds, 4.0);
        QCOMPARE(now.measurement.maximumSamples, 50);
        QCOMPARE(now.measurement.maximumRelativeNoise, 0.02);
        QCOMPARE(now.measurement.phaseLimitSeconds,
                 (std::map<core::Phase, double>{{core::Phase::Compile, 90.0},
                                                {core::Phase::Outputs, 20.5},
                                                {core::Phase::Quantize, 45.0}}));
        QCOMPARE(now.isolation, core::Isolation::Model);
        QCOMPARE(now.orderSeed, INT64_MAX);
        auto* energy = child<QDoubleSpinBox>(editor, "energySeconds");
        QCOMPARE(energy->text(), QStringLiteral("only while timing"));
        energy->stepUp();
        QCOMPARE(last(edited).measurement.energySeconds, 2.0);
        const auto count = edited.size();
        energy->setValue(1.5);
        QCOMPARE(edited.size(), count);
        QVERIFY(child<QLabel>(editor, "measurementMessage")
                    ->text()
                    .startsWith(QStringLiteral("Energy needs at least")));
        energy->setValue(0.0);
        QCOMPARE(last(edited).measurement.energySeconds, 0.0);
        auto* stopping = child<QComboBox>(editor, "stoppingKind");
        QTest::keyClick(stopping, Qt::Key_Down);
        QCOMPARE(last(edited).measurement.stopping, core::StoppingKind::Count);
        QVERIFY(!child<QDoubleSpinBox>(editor, "maximumNoise")->isEnabled());
        core::Preset byTime = preset();
        byTime.measurement.stopping = core::StoppingKind::Time;
        editor.setPreset(byTime);
        QCOMPARE(stopping->currentText(), QStringLiteral("Time"));
        editor.setPreset(now);
        QVERIFY(child<QDoubleSpinBox>(editor, "maximumNoise")->isEnabled());
        auto* order = child<QLineEdit>(editor, "orderSeed");
        order->selectAll();
        QTest::keyClicks(order, QStringLiteral("5x-"));
        QCOMPARE(last(edited).orderSeed, std::int64_t{5});
        edited.clear();
        order->selectAll();
        QTest::keyClick(order, Qt::Key_Delete);  // nothing is no seed
        QVERIFY(edited.isEmpty());
    }

    void aPriceIsEntered()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* price = child<QLineEdit>(editor, "devicePrice");
        QVERIFY(price->text().isEmpty());
        QTest::keyClicks(price, QStringLiteral("2.5"));
        QVERIFY2(!editor.isValid(), "a number without a currency is no price");
        QVERIFY(edited.isEmpty());
        QTest::keyClicks(price, QStringLiteral(" USD"));
        QVERIFY(editor.isValid());
        QCOMPARE(last(edited).price, (core::Price{2.5, "USD"}));
        QCOMPARE(price->text(), QStringLiteral("2.5 USD"));
        // As another draft has it, and as it was typed.
        core::Preset other = preset();
        other.price = {0.125, "EUR"};
        editor.setPreset(other);
        QCOMPARE(price->text(), QStringLiteral("0.125 EUR"));
        price->selectAll();
        QTest::keyClick(price, Qt::Key_Delete);
        QVERIFY(editor.isValid());
        QVERIFY(last(edited).price.empty());
        for (const char* wrong : {"USD 2.5", "x USD", "-1 USD", "1 =A1", "1e99 USD"}) {
            price->selectAll();
            QTest::keyClicks(price, QString::fromLatin1(wrong));
            QVERIFY2(!editor.isValid(), wrong);
        }
    }

    void crossedLimitsAreNoSweep()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.show();
        child<FoldSection>(editor, "conductSection")->setOpen(true);
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        const QSignalSpy validity(&editor, &SweepEditor::validityChanged);
        child<QSpinBox>(editor, "minimumSamples")->setValue(2000);
        QVERIFY(!editor.isValid());
        QVERIFY(edited.isEmpty());
        QCOMPARE(validity.count(), 1);
        QVERIFY(!child<QLabel>(editor, "measurementMessage")->text().isEmpty());
        child<FoldSection>(editor, "conductSection")->setOpen(false);
        QVERIFY(child<FoldSection>(editor, "conductSection")
                    ->findChild<QToolButton*>()
                    ->text()
                    .contains(QStringLiteral("exceeds maximum")));
        child<QSpinBox>(editor, "maximumSamples")->setValue(3000);
        QVERIFY(editor.isValid());
        QCOMPARE(last(edited).measurement.minimumSamples, 2000);
        QCOMPARE(validity.count(), 2);
        // Another draft has limits of its own.
        child<QSpinBox>(editor, "minimumSamples")->setValue(4000);
        editor.setPreset(preset());
        QVERIFY(editor.isValid());
    }

    // What is said of a field while one types in it: everything stays where it is.
    void messagesMoveNothing()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        for (const char* section :
             {"moreSection", "combinationSection", "conductSection", "gatesSection"})
            child<FoldSection>(editor, section)->setOpen(true);
        editor.resize(460, 2400);
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        const tests::PlacesOfPart places(editor, 30);
        const auto typed = [&](QLineEdit& line, const char* text) {
            tests::click(line);
            line.selectAll();
            QTest::keyClicks(&line, QString::fromLatin1(text));
            return places.moved();
        };
        auto& batch = *child<QLineEdit>(*child<QWidget>(editor, "batchEdit"), "rangeText");
        for (const char* text : {"x", "1", "1, 4", "1-1000000, nonsense of a long kind, 2, 3, 4"})
            QCOMPARE(typed(batch, text), QString());
        // What can be linked follows the values; its boxes stay.
        auto& seed = *child<QLineEdit>(*child<QWidget>(editor, "seedEdit"), "rangeText");
        for (const char* text : {"1", "1, 2", "7, 8, 9"})
            QCOMPARE(typed(seed, text), QString());
        QCOMPARE(typed(batch, "1, 4"), QString());
        for (const auto& [line, message] : {std::pair{"ownLayers", "ownLayersMessage"},
                                            std::pair{"exclusionMatch", "exclusionMessage"},
                                            std::pair{"gateText", "gateMessage"}}) {
            QCOMPARE(typed(*child<QLineEdit>(editor, line), "colour"), QString());
            QVERIFY(!child<QLabel>(editor, message)->text().isEmpty());
            // What does not fit is in the tool tip.
            QVERIFY(child<QLabel>(editor, message)->toolTip().contains(QStringLiteral("colour")));
        }
        child<QSpinBox>(editor, "minimumSamples")->setValue(2000);
        QVERIFY(!editor.isValid());
        QCOMPARE(places.moved(), QString());
    }

    void expectationsAreGates()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.show();
        auto* section = child<FoldSection>(editor, "gatesSection");
        QCOMPARE(section->findChild<QToolButton*>()->text(), QStringLiteral("Gates: none"));
        section->setOpen(true);
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* text = child<QLineEdit>(editor, "gateText");
        auto* add = child<QToolButton>(editor, "addGate");
        const auto* message = child<QLabel>(editor, "gateMessage");
        QVERIFY(!add->isEnabled() && message->text().isEmpty());
        QTest::keyClicks(text, QStringLiteral("colour"));
        QVERIFY(message->text().contains(QStringLiteral("known are throughput, latency")));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(edited.isEmpty());
        text->clear();
        QTest::keyClicks(text, QStringLiteral("latency < 12"));
        QVERIFY(message->text().contains(QStringLiteral("give the unit")));
        QTest::keyClicks(text, QStringLiteral(" ms for batch=4"));
        QVERIFY(add->isEnabled() && message->text().isEmpty());
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(last(edited).gates.size(), std::size_t{1});
        QCOMPARE(last(edited).gates[0].value, 0.012);
        QCOMPARE(child<QLabel>(editor, "gate")->text(),
                 QStringLiteral("latency < 12 ms for batch=4"));
        QVERIFY(text->text().isEmpty());
        text->completer()->setCompletionPrefix(QStringLiteral("ssim"));
        QCOMPARE(text->completer()->completionCount(),
                 7);  // ms_ssim, torchmetrics_ssim, reconstruction_ssim too
        section->setOpen(false);
        QCOMPARE(section->findChild<QToolButton*>()->text(),
                 QStringLiteral("Gates: latency < 12 ms for batch=4"));
        child<QToolButton>(editor, "remove:gate")->click();
        QVERIFY(last(edited).gates.empty());
    }

    void thereIsAnEndOfGates()
    {
        SweepEditor editor;
        core::Preset full = preset();
        full.gates.assign(core::kMostGates, core::gateFromText("cv <= 5 %").value());
        editor.setPreset(full);
        QVERIFY(child<QLabel>(editor, "gateMessage")->text().contains(QStringLiteral("at most")));
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* text = child<QLineEdit>(editor, "gateText");
        QTest::keyClicks(text, QStringLiteral("cv <= 5 %"));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(edited.isEmpty());
    }

    void reasonsReachEveryEditor()
    {
        SweepEditor editor;
        editor.setPreset(preset());
        editor.setReasons({{"precision", {{"tf32", "r1"}}},
                           {"compile", {{"cuda-graph", "r2"}}},
                           {"attention", {{"cudnn", "r3"}}},
                           {"layers", {{"mlp", "r4"}}},
                           {"batch", {{"4", "r5"}}}});
        const auto toolTip = [&](const char* name) {
            return child<QWidget>(editor, name)->toolTip();
        };
        QVERIFY(toolTip("choice:tf32").contains(QStringLiteral("r1")));
        QVERIFY(toolTip("choice:cuda-graph").contains(QStringLiteral("r2")));
        QVERIFY(toolTip("choice:cudnn").contains(QStringLiteral("r3")));
        QVERIFY(toolTip("choice:mlp").contains(QStringLiteral("r4")));
        QVERIFY(toolTip("chip:4").contains(QStringLiteral("r5")));
    }

    void looksRight()
    {
        for (const bool dark : {false, true}) {
            SweepEditor editor;
            editor.setPalette(dark ? tests::darkPalette() : tests::lightPalette());
            core::Preset full = preset();
            full.axes[0].values.push_back("bf16/int8dq");
            full.exclusions = {{{{"batch", {"4"}}}, "because"}};
            full.gates = {core::gateFromText("cv <= 5 %").value(),
                          core::gateFromText("speedup >= 1.2 for precision=int8dq").value()};
            editor.setPreset(full);
            editor.setReasons({{"precision", {{"tf32", "r1"}, {"bf16/tf32", "r1"}}},
                               {"compile", {{"cuda-graph", "r2"}}}});
            for (FoldSection* section : editor.findChildren<FoldSection*>())
                section->setOpen(true);
            editor.resize(290, editor.sizeHint().height());
            editor.show();
            const QImage image = tests::screenshot(editor, dark ? QStringLiteral("sweep-dark")
                                                                : QStringLiteral("sweep-light"));
            QCOMPARE(image.width(), qRound(editor.width() * editor.devicePixelRatioF()));
        }
    }
};

const tests::GuiTest<TestSweepEditor> registered(__FILE_NAME__);

}  // namespace qs::tst_sweep_editor

#include "tst_sweep_editor.moc"
