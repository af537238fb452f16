#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/precision_edit.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/sweep_editor.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace qs;
using namespace qs::widgets;
using qs::tests::child;

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

    void pairsAreAModel()
    {
        PrecisionPairs pairs;
        const QAbstractItemModelTester tester(
            &pairs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        pairs.setValues(texts({"bf16", "int8dq/bf16", "gptq-x", "a/b/c"}));
        QCOMPARE(pairs.values(), texts({"bf16", "int8dq/bf16", "gptq-x", "a/b/c"}));
        const QSignalSpy edited(&pairs, &PrecisionPairs::valuesEdited);
        pairs.setReasons({{"bf16/int8dq", "needs more"}});
        const QModelIndex pair = pairs.index(3, 5);
        QCOMPARE(pair.data(Qt::ToolTipRole).toString(),
                 QStringLiteral("encoder bf16, decoder int8dq: cannot run, needs more"));
        pairs.toggle(pair);
        QVERIFY(pairs.values().contains(QStringLiteral("bf16/int8dq")));
        pairs.setValues(texts({"fp32"}));
        pairs.toggle(pairs.index(0, 0));
        QCOMPARE(pairs.values(), texts({"fp32"}));  // the last stays
        QCOMPARE(edited.count(), 1);
    }

    void linkIsTheDiagonal()
    {
        PrecisionEdit edit;
        edit.show();
        edit.setValues(texts({"bf16", "int8dq"}));
        auto* linked = child<QCheckBox>(edit, "precisionLinked");
        auto* matrix = child<PrecisionMatrix>(edit, "precisionMatrix");
        QVERIFY(linked->isChecked());
        QVERIFY(!matrix->isVisible());
        QSignalSpy edited(&edit, &PrecisionEdit::valuesEdited);
        linked->click();
        QVERIFY(matrix->isVisible());
        QVERIFY(edited.isEmpty());  // the same sweep, seen as pairs
        // With the keys alone: from the corner to encoder bf16, decoder fp32.
        matrix->setFocus();
        matrix->setCurrentIndex(matrix->model()->index(3, 1));
        QTest::keyClick(matrix, Qt::Key_Left);
        QTest::keyClick(matrix, Qt::Key_Space);
        QCOMPARE(edited.back()[0].toStringList(), texts({"bf16/fp32", "bf16", "int8dq"}));
        linked->click();
        QCOMPARE(edited.back()[0].toStringList(), texts({"bf16", "int8dq"}));
        QVERIFY(!matrix->isVisible());
        // Pairs alone leave what their first stage has.
        edit.setValues(texts({"int8wo/bf16"}));
        QVERIFY(!linked->isChecked());
        linked->click();
        QCOMPARE(edited.back()[0].toStringList(), texts({"int8wo"}));
    }

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
        mode->setCurrentIndex(1);
        Q_EMIT mode->activated(1);
        QCOMPARE(last(edited).mode, core::SweepMode::OneAtATime);
        // All of it is in the last one, besides what it was given.
        QCOMPARE(last(edited).rounds, 7);
        QCOMPARE(last(edited).name, std::string("Test"));
        QCOMPARE(edited.count(), 7);
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
        child<FoldSection>(editor, "moreSection")->setOpen(true);
        const QSignalSpy edited(&editor, &SweepEditor::edited);
        auto* match = child<QLineEdit>(editor, "exclusionMatch");
        auto* reason = child<QLineEdit>(editor, "exclusionReason");
        auto* add = child<QToolButton>(editor, "addExclusion");
        QTest::keyClicks(match, QStringLiteral("batch=4"));
        QVERIFY(!add->isEnabled());
        QVERIFY(child<QLabel>(editor, "exclusionMessage")->text().contains(QStringLiteral("why")));
        QTest::keyClicks(reason, QStringLiteral("too slow"));
        QVERIFY(add->isEnabled());
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(last(edited).exclusions.size(), std::size_t{1});
        QCOMPARE(child<QLabel>(editor, "exclusion")->text(), QStringLiteral("batch=4 — too slow"));
        child<QToolButton>(editor, "removeExclusion")->click();
        QVERIFY(last(edited).exclusions.empty());
    }

    void foldedItSaysWhatItHolds()
    {
        SweepEditor editor;
        core::Preset full = preset();
        full.axes.push_back({"layers", {"all", "mlp"}});
        full.exclusions = {{{{"batch", {"4"}}}, "because"}};
        full.mode = core::SweepMode::OneAtATime;
        editor.setPreset(full);
        auto* section = child<FoldSection>(editor, "moreSection");
        QVERIFY(!section->isOpen());
        const auto* head = section->findChild<QToolButton*>();
        QCOMPARE(head->text(),
                 QStringLiteral(
                     "More: layers all, mlp · attention auto · one axis at a time · 1 left out"));
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
            editor.setPreset(full);
            editor.setReasons({{"precision", {{"tf32", "r1"}, {"bf16/tf32", "r1"}}},
                               {"compile", {{"cuda-graph", "r2"}}}});
            child<FoldSection>(editor, "moreSection")->setOpen(true);
            editor.resize(290, editor.sizeHint().height());
            editor.show();
            const QImage image = tests::screenshot(editor, dark ? QStringLiteral("sweep-dark")
                                                                : QStringLiteral("sweep-light"));
            QCOMPARE(image.width(), qRound(editor.width() * editor.devicePixelRatioF()));
        }
    }
};

QTEST_MAIN(TestSweepEditor)
#include "tst_sweep_editor.moc"
