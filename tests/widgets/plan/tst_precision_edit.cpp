#include "tests/support/gui_test.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/places.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plan/parameter_field.h"
#include "widgets/plan/precision_edit.h"
#include "widgets/plan/precision_header.h"
#include "widgets/plan/precision_matrix.h"
#include "widgets/plan/precision_pairs.h"
#include "widgets/plan/scheme_words.h"
#include "widgets/plan/variant_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>

#include <memory>

namespace qs::tst_precision_edit {

using namespace widgets;
using tests::child;

namespace {

// Pixels that a plan has for it in a window of 1366 × 768, and in the narrowest one.
constexpr int kUsualWidth = 380;
constexpr int kNarrowWidth = 270;

QStringList texts(std::initializer_list<const char*> values)
{
    QStringList list;
    for (const char* value : values)
        list << QString::fromLatin1(value);
    return list;
}

QStringList last(const QSignalSpy& edited)
{
    return edited.back()[0].toStringList();
}

// A precision editor in a window, as in a plan: with something below it.
struct Shown {
    explicit Shown(const QStringList& values, int width = kUsualWidth)
    {
        edit = new PrecisionEdit;
        edit->setValues(values);
        auto* plan = new QWidget;
        auto* layout = new QVBoxLayout(plan);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(edit);
        layout->addStretch(1);
        area.setWidget(plan);
        area.setWidgetResizable(true);
        area.resize(width, 700);
        area.show();
        if (!QTest::qWaitForWindowActive(&area))
            qFatal("the window does not come");
        edited = std::make_unique<QSignalSpy>(edit, &PrecisionEdit::valuesEdited);
    }

    [[nodiscard]] VariantPanel* panel() const
    {
        return qobject_cast<VariantPanel*>(QApplication::activePopupWidget());
    }
    VariantPanel& open(const char* name)
    {
        tests::click(*child<QToolButton>(*edit, name));
        if (panel() == nullptr)
            qFatal("%s opens nothing", name);
        return *panel();
    }

    QScrollArea area;
    PrecisionEdit* edit;
    std::unique_ptr<QSignalSpy> edited;
};

// Over what stands in the line that has the keyboard.
void overwrite(const char* text)
{
    tests::press(Qt::Key_A, Qt::ControlModifier);
    for (const char* letter = text; *letter != '\0'; ++letter)
        tests::press(Qt::Key(*letter));
}

}  // namespace

class TestPrecisionEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void whatIsNoPairStaysAsItIs()
    {
        SweptSchemes swept;
        const QStringList values = texts({"bf16", "int8sq:alpha=0.25/bf16", "gptq-x", "a/b/c"});
        swept.setValues(values);
        QCOMPARE(swept.values(), values);
        QCOMPARE(swept.others(), texts({"gptq-x", "a/b/c"}));
        QCOMPARE(swept.entries().size(), core::offeredSchemes().size() + 1);
        QVERIFY(swept.removeOther(QStringLiteral("a/b/c")));
        QVERIFY(!swept.removeOther(QStringLiteral("bf16")));
        QCOMPARE(swept.values(), texts({"bf16", "int8sq:alpha=0.25/bf16", "gptq-x"}));
    }

    void variantsStandBehindTheirScheme()
    {
        SweptSchemes swept;
        swept.setValues(texts({"int4wo-64", "int8sq:alpha=0.25", "int8sq:alpha=0.75/int4wo-64"}));
        QStringList shown;
        for (const SweptSchemes::Entry& entry : swept.entries()) {
            const auto& offered = swept.entries()[swept.placeOf(entry.offered)];
            QCOMPARE(&entry.scheme.spec(), &offered.scheme.spec());
            if (entry.variant)
                shown << schemeLabel(entry.scheme, offered.scheme);
        }
        QCOMPARE(shown,
                 (QStringList{QStringLiteral("int4wo-64"), QStringLiteral("int8sq · alpha 0.25"),
                              QStringLiteral("int8sq · alpha 0.75")}));
    }

    void equalVariantsCountOnce()
    {
        SweptSchemes swept;
        swept.setValues(texts({"int8sq"}));
        std::size_t place = 0;
        while (swept.entries()[place].scheme.text() != "int8sq")
            ++place;
        const std::size_t copy = swept.addVariant(place);
        QVERIFY(swept.isRepeated(copy));
        QCOMPARE(swept.values(), texts({"int8sq"}));
        swept.setScheme(copy, core::namedScheme("int8sq:alpha=0.25"));
        QCOMPARE(swept.values(), texts({"int8sq", "int8sq:alpha=0.25"}));
        // Without the defaults it is the only one, whatever it equals.
        QVERIFY(swept.toggle({place, place}));
        swept.setScheme(copy, core::namedScheme("int8sq"));
        QCOMPARE(swept.values(), texts({"int8sq"}));
        swept.dropRepeated();
        QCOMPARE(swept.values(), texts({"int8sq"}));
        QCOMPARE(swept.entries().size(), core::offeredSchemes().size());
        QVERIFY2(!swept.toggle({place, place}), "a sweep over nothing is no sweep");
    }

    void pairsAreAModel()
    {
        SweptSchemes swept;
        PrecisionPairs pairs(swept);
        const QAbstractItemModelTester tester(
            &pairs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        swept.setValues(texts({"bf16", "int8dq/bf16", "gptq-x", "a/b/c"}));
        pairs.refresh();
        const QSignalSpy edited(&pairs, &PrecisionPairs::edited);
        pairs.setReasons({{"bf16/int8dq", "needs more"}});
        const QModelIndex pair = pairs.index(3, 5);
        QCOMPARE(pair.data(Qt::ToolTipRole).toString(),
                 QStringLiteral("encoder bf16, decoder int8dq: cannot run, needs more"));
        pairs.toggle(pair);
        QVERIFY(swept.values().contains(QStringLiteral("bf16/int8dq")));
        swept.setValues(texts({"fp32", "int8dq:rule=reduced/fp32"}));
        pairs.refresh();
        QCOMPARE(pairs.rowCount(), int(core::offeredSchemes().size()) + 1);
        pairs.toggle(pairs.index(6, 0));
        pairs.toggle(pairs.index(0, 0));
        QCOMPARE(swept.values(), texts({"fp32"}));  // the last stays
        QCOMPARE(edited.count(), 2);
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
        QVERIFY(QTest::qWaitForWindowActive(&edit));
        tests::click(*linked);
        QVERIFY(matrix->isVisible());
        QVERIFY(edited.isEmpty());  // the same sweep, seen as pairs
        // On with the keys alone: to encoder bf16, decoder fp32.
        QVERIFY(tests::tabTo(QStringLiteral("precisionMatrix")));
        for (int step = 0; step < 10 && matrix->currentIndex().row() != 3; ++step)
            tests::press(Qt::Key_Down);
        tests::press(Qt::Key_Right);
        QCOMPARE(matrix->currentIndex().row(), 3);
        while (matrix->currentIndex().column() > 0)
            tests::press(Qt::Key_Left);
        tests::press(Qt::Key_Space);
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

    void everyParameterHasItsEditor()
    {
        for (const core::Scheme& scheme : core::offeredSchemes()) {
            for (const core::Parameter& each : scheme->parameters) {
                const std::unique_ptr<ParameterField> field(ParameterField::create(each, nullptr));
                const auto name = "parameter:" + each.name;
                QVERIFY2(field->value() == each.fallback, name.c_str());
                if (const auto* list = field->findChild<QComboBox*>()) {
                    QCOMPARE(list->count(), int(each.choices.size()));
                } else if (const auto* box = field->findChild<QDoubleSpinBox*>()) {
                    QCOMPARE(box->minimum(), each.lowest);
                    QCOMPARE(box->maximum(), each.highest);
                } else {
                    QVERIFY2(std::holds_alternative<std::string>(each.fallback), name.c_str());
                }
                QCOMPARE(child<QWidget>(*field, name.c_str())->accessibleDescription(),
                         parameterHelp(each));
            }
        }
    }

    void numbersKeepAllTheirDigits()
    {
        core::Parameter share{.name = "share",
                              .description = "A share",
                              .fallback = 0.5,
                              .lowest = 0.0,
                              .highest = 1.0};
        const std::unique_ptr<ParameterField> field(ParameterField::create(share, nullptr));
        auto* box = child<QDoubleSpinBox>(*field, "parameter:share");
        field->setValue(0.1234567);
        QCOMPARE(box->text(), QStringLiteral("0.1234567"));
        field->setValue(0.25);
        QCOMPARE(box->text(), QStringLiteral("0.25"));
        box->stepUp();
        QVERIFY(field->value() == core::ParameterValue(0.35));
        core::Parameter seed{.name = "seed",
                             .description = "A seed",
                             .fallback = std::int64_t{0},
                             .lowest = 0.0,
                             .highest = 4294967295.0};
        const std::unique_ptr<ParameterField> large(ParameterField::create(seed, nullptr));
        large->setValue(std::int64_t{4294967295});
        QCOMPARE(child<QDoubleSpinBox>(*large, "parameter:seed")->text(),
                 QStringLiteral("4294967295"));
    }

    void textsAreReadAsTheirParameterSays()
    {
        core::Parameter parts{.name = "parts",
                              .description = "Some parts",
                              .fallback = std::string("rope"),
                              .choices = {std::string("rope"), std::string("norm")},
                              .several = true};
        const std::unique_ptr<ParameterField> field(ParameterField::create(parts, nullptr));
        const QSignalSpy edited(field.get(), &ParameterField::edited);
        const QSignalSpy refused(field.get(), &ParameterField::refused);
        auto* line = child<QLineEdit>(*field, "parameter:parts");
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("norm+x"));
        QVERIFY(!refused.back()[0].toString().isEmpty());
        QVERIFY(field->value() == core::ParameterValue(std::string("norm")));
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("norm+rope"));
        QVERIFY(refused.back()[0].toString().isEmpty());
        QVERIFY(field->value() == core::ParameterValue(std::string("rope+norm")));
        QCOMPARE(line->text(), QStringLiteral("norm+rope"));  // as it was typed
        QVERIFY(edited.count() >= 2);
    }

    void threeStrengthsSideBySide()
    {
        Shown shown(texts({"bf16", "int8sq"}));
        VariantPanel& panel = shown.open("options:int8sq");
        tests::click(*child<QDoubleSpinBox>(panel, "parameter:alpha"));
        overwrite("0.25");
        QCOMPARE(last(*shown.edited), texts({"bf16", "int8sq", "int8sq:alpha=0.25"}));
        QVERIFY2(shown.edited->back()[2].toBool(), "the letters of one number are one edit");
        QCOMPARE(child<QLabel>(panel, "variantText")->text(), QStringLiteral("int8sq:alpha=0.25"));
        const auto edits = shown.edited->count();
        tests::click(*child<QToolButton>(panel, "duplicateVariant"));
        QCOMPARE(shown.edited->count(), edits);  // a copy is nothing yet
        tests::click(*child<QDoubleSpinBox>(panel, "parameter:alpha"));
        overwrite("0.75");
        QCOMPARE(last(*shown.edited),
                 texts({"bf16", "int8sq", "int8sq:alpha=0.25", "int8sq:alpha=0.75"}));
        QCOMPARE(child<QListWidget>(panel, "variantList")->count(), 3);
        tests::press(Qt::Key_Escape);
        QVERIFY(shown.panel() == nullptr);
        QCOMPARE(tests::focusName(), QStringLiteral("options:int8sq"));
        // A line for each, with a box and a button that takes it out.
        auto* quarter = child<QCheckBox>(*shown.edit, "choice:int8sq:alpha=0.25");
        QCOMPARE(quarter->text(), QStringLiteral("int8sq · alpha 0.25"));
        tests::click(*child<QCheckBox>(*shown.edit, "choice:int8sq"));
        tests::click(*quarter);
        QCOMPARE(last(*shown.edited), texts({"bf16", "int8sq:alpha=0.75"}));
        QVERIFY(quarter->isVisible() && !quarter->isChecked());
        tests::click(*child<QToolButton>(*shown.edit, "remove:int8sq:alpha=0.75"));
        QCOMPARE(last(*shown.edited), texts({"bf16"}));
    }

    void aVariantIsEditedInItsPlace()
    {
        Shown shown(texts({"int8sq:alpha=0.25", "gptq-int4-128:order=group"}));
        VariantPanel& panel = shown.open("options:gptq-int4-128:order=group");
        QCOMPARE(child<QListWidget>(panel, "variantList")->currentRow(), 1);
        auto* set = child<QComboBox>(panel, "parameter:set");
        tests::click(*set);
        tests::press(Qt::Key_End);
        tests::press(Qt::Key_Return);
        QVERIFY(set->currentText() != QStringLiteral("generated"));
        const QString calibrated =
            QStringLiteral("gptq-int4-128:order=group:set=") + set->currentText();
        QCOMPARE(last(*shown.edited),
                 (QStringList{QStringLiteral("int8sq:alpha=0.25"), calibrated}));
        // Delete in the list takes it out; what is left last stays.
        tests::click(*child<QListWidget>(panel, "variantList")->viewport());
        auto* list = child<QListWidget>(panel, "variantList");
        list->setCurrentRow(1);
        tests::press(Qt::Key_Delete);
        QCOMPARE(last(*shown.edited), texts({"int8sq:alpha=0.25"}));
        QCOMPARE(list->count(), 1);
        tests::press(Qt::Key_Escape);
        VariantPanel& other = shown.open("options:int8sq:alpha=0.25");
        const auto edits = shown.edited->count();
        tests::click(*child<QToolButton>(other, "removeVariant"));
        QCOMPARE(shown.edited->count(), edits);
        QCOMPARE(child<QListWidget>(other, "variantList")->count(), 2);
        tests::click(*child<QToolButton>(other, "closeVariants"));
        QVERIFY(shown.panel() == nullptr);
    }

    void theKeysAlone()
    {
        Shown shown(texts({"bf16"}));
        QVERIFY(tests::tabTo(QStringLiteral("options:float8-delayed")));
        tests::press(Qt::Key_Space);
        QVERIFY(shown.panel() != nullptr);
        QCOMPARE(tests::focusName(), QStringLiteral("variantList"));
        QVERIFY(tests::tabTo(QStringLiteral("parameter:history")));
        tests::press(Qt::Key_Down);
        QCOMPARE(last(*shown.edited), texts({"bf16", "float8-delayed:history=15"}));
        QVERIFY(tests::tabTo(QStringLiteral("parameter:samples")));
        QVERIFY(tests::tabTo(QStringLiteral("removeVariant")));
        tests::press(Qt::Key_Space);
        QCOMPARE(last(*shown.edited), texts({"bf16"}));
        tests::press(Qt::Key_Escape);
        QCOMPARE(tests::focusName(), QStringLiteral("options:float8-delayed"));
        // Nobody has changed anything: nothing is told.
        const auto edits = shown.edited->count();
        tests::press(Qt::Key_Space);
        tests::press(Qt::Key_Escape);
        QCOMPARE(shown.edited->count(), edits);
    }

    // A value on its way passes others.
    void steppingOverTheDefaultsLeavesThem()
    {
        Shown shown(texts({"bf16", "int8sq:alpha=0.4"}));
        VariantPanel& panel = shown.open("options:int8sq:alpha=0.4");
        tests::click(*child<QDoubleSpinBox>(panel, "parameter:alpha"));
        tests::press(Qt::Key_Up);
        QCOMPARE(last(*shown.edited), texts({"bf16"}));
        QVERIFY(!child<QCheckBox>(*shown.edit, "choice:int8sq")->isChecked());
        tests::press(Qt::Key_Up);
        QCOMPARE(last(*shown.edited), texts({"bf16", "int8sq:alpha=0.6"}));
        tests::press(Qt::Key_Escape);
        QVERIFY(child<QCheckBox>(*shown.edit, "choice:int8sq:alpha=0.6")->isChecked());
    }

    void theListFitsANarrowPlan()
    {
        constexpr int kNarrowestPlan = 290;
        const Shown shown(texts({"bf16", "gptq-int4-64:order=group:damp=0.05:samples=128:seed=7"}),
                          kNarrowestPlan);
        QCOMPARE(shown.area.horizontalScrollBar()->maximum(), 0);
        for (const QToolButton* button : shown.edit->findChildren<QToolButton*>()) {
            const QPoint end = button->mapTo(shown.edit, QPoint(button->width(), 0));
            QVERIFY2(end.x() <= shown.edit->width(), qPrintable(button->objectName()));
        }
        const auto* variant = child<QCheckBox>(
            *shown.edit, "choice:gptq-int4-64:order=group:damp=0.05:samples=128:seed=7");
        QVERIFY(variant->text().contains(QStringLiteral("…")));
        QVERIFY(variant->accessibleName().contains(QStringLiteral("samples 128")));
    }

    void openingMovesNothing()
    {
        Shown shown(texts({"bf16", "int8sq:alpha=0.25"}));
        const tests::PlacesOfPart places(*shown.edit, 20);
        VariantPanel& panel = shown.open("options:gptq-int4-128");
        QCOMPARE(places.moved(), QString());
        const QRect screen = shown.area.screen()->availableGeometry();
        // At scale 2 the screen of the tests is smaller than any that the program is made for.
        QVERIFY(screen.contains(panel.geometry()) || screen.width() < panel.width());
        // Nor does anything in it, whatever is said and however many there are.
        const QSize size = panel.size();
        const tests::PlacesOfPart inside(panel, 12);
        tests::click(*child<QWidget>(panel, "parameter:damp"));
        QCOMPARE(tests::focusName(), QStringLiteral("parameter:damp"));
        QCOMPARE(inside.moved(), QString());
        for (const char* name : {"parameter:by", "parameter:samples"}) {
            QVERIFY2(tests::tabTo(QLatin1String(name)), name);
            QCOMPARE(inside.moved(), QString());
        }
        for (int i = 0; i < 12; ++i)
            tests::click(*child<QToolButton>(panel, "duplicateVariant"));
        QCOMPARE(inside.moved(), QString());
        QCOMPARE(panel.size(), size);
        tests::press(Qt::Key_Escape);
        QCOMPARE(places.moved(), QString());  // copies that were never changed are gone
    }

    void otherValuesCanBeSeenAndRemoved()
    {
        Shown shown(texts({"bf16/int8dq", "gptq-x/bf16"}));
        auto* box = child<QCheckBox>(*shown.edit, "choice:gptq-x/bf16");
        QVERIFY(box->isVisible() && box->isChecked());
        tests::click(*child<QToolButton>(*shown.edit, "remove:gptq-x/bf16"));
        QCOMPARE(last(*shown.edited), texts({"bf16/int8dq"}));
        QVERIFY(shown.edit->findChild<QCheckBox*>(QStringLiteral("choice:gptq-x/bf16")) == nullptr);
    }

    // Fifteen schemes and variants of them: rows and columns that can be read and clicked.
    void matrixOfSixteenIsLegible_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("usual") << kUsualWidth;
        QTest::newRow("narrow") << kNarrowWidth;
    }
    void matrixOfSixteenIsLegible()
    {
        QFETCH(const int, width);
        Shown shown(texts({"bf16/int8dq", "bf16/int8sq:alpha=0.25"}), width);
        auto* matrix = child<PrecisionMatrix>(*shown.edit, "precisionMatrix");
        const int count = matrix->model()->rowCount();
        QVERIFY(count >= 16);
        const auto* rows = qobject_cast<PrecisionHeader*>(matrix->verticalHeader());
        const auto* columns = qobject_cast<PrecisionHeader*>(matrix->horizontalHeader());
        QVERIFY(rows->width() < width / 2);
        for (int i = 0; i < count; ++i) {
            const QString whole = matrix->model()->headerData(i, Qt::Vertical).toString();
            QCOMPARE(rows->title(i), whole);  // nothing is left out
            const int length = matrix->fontMetrics().horizontalAdvance(whole);
            QVERIFY2(length < rows->width(), qPrintable(whole));
            QVERIFY2(length < columns->height(), qPrintable(whole));
            QVERIFY(rows->sectionSize(i) >= matrix->fontMetrics().height());
            QVERIFY(columns->sectionSize(i) >= matrix->fontMetrics().height());
        }
        QVERIFY2(matrix->verticalScrollBar()->maximum() == 0, "all rows are in sight");
        // The farthest pair can be scrolled to and clicked.
        const QModelIndex far = matrix->model()->index(count - 1, count - 1);
        matrix->scrollTo(far);
        const QRect place = matrix->visualRect(far);
        QVERIFY(matrix->viewport()->rect().contains(place));
        tests::clickAt(*matrix, matrix->viewport()->mapTo(&shown.area, place.center()));
        QCOMPARE(far.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(last(*shown.edited).size(), qsizetype{3});
        QVERIFY(shown.area.horizontalScrollBar()->maximum() == 0);
    }

    void theMatrixNamesThePairAndOpensItsOptions()
    {
        Shown shown(texts({"bf16/int8dq", "int8sq:alpha=0.25/bf16"}));
        auto* matrix = child<PrecisionMatrix>(*shown.edit, "precisionMatrix");
        const auto* legend = child<QLabel>(*shown.edit, "precisionLegend");
        const QString before = legend->text();
        const tests::PlacesOfPart places(*shown.edit, 1);
        QVERIFY(tests::tabTo(QStringLiteral("precisionMatrix")));
        for (int step = 0; step < 40; ++step) {
            const QString row =
                matrix->model()->headerData(matrix->currentIndex().row(), Qt::Vertical).toString();
            if (row == QStringLiteral("int8sq · alpha 0.25"))
                break;
            tests::press(Qt::Key_Down);
        }
        QVERIFY(legend->text() != before);
        QVERIFY(legend->text().contains(QStringLiteral("int8sq · alpha 0.25")));
        QCOMPARE(places.moved(), QString());
        tests::press(Qt::Key_Return);
        QVERIFY(shown.panel() != nullptr);
        QCOMPARE(child<QListWidget>(*shown.panel(), "variantList")->currentRow(), 1);
        QVERIFY(tests::tabTo(QStringLiteral("parameter:alpha")));
        overwrite("0.75");
        // Every pair that has the variant keeps it.
        QCOMPARE(last(*shown.edited), texts({"bf16/int8dq", "int8sq:alpha=0.75/bf16"}));
        tests::press(Qt::Key_Escape);
        QCOMPARE(tests::focusName(), QStringLiteral("precisionMatrix"));
        // Three dots beside a name open the same; a new variant has its diagonal.
        const auto* rows = matrix->verticalHeader();
        const int first = 5;
        QCOMPARE(matrix->model()->headerData(first, Qt::Vertical).toString(),
                 QStringLiteral("int8dq"));
        const QPoint at(rows->width() - 6, rows->sectionViewportPosition(first) + 6);
        tests::clickAt(*matrix, rows->viewport()->mapTo(&shown.area, at));
        QVERIFY(shown.panel() != nullptr);
        QVERIFY(tests::tabTo(QStringLiteral("parameter:rule")));
        tests::press(Qt::Key_Down);
        QCOMPARE(last(*shown.edited),
                 texts({"bf16/int8dq", "int8dq:rule=reduced", "int8sq:alpha=0.75/bf16"}));
        tests::press(Qt::Key_Escape);
    }

    void looksRight()
    {
        for (const bool dark : {false, true}) {
            const QPalette palette = dark ? tests::darkPalette() : tests::lightPalette();
            const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
            Shown shown(texts({"bf16", "int8sq", "int8sq:alpha=0.25", "gptq-int4-64:order=group"}));
            shown.edit->setReasons({{"tf32", "needs a GPU"}});
            shown.area.setPalette(palette);
            tests::screenshot(*shown.edit, QStringLiteral("precision-list-") + theme);
            VariantPanel& panel = shown.open("options:gptq-int4-64:order=group");
            panel.setPalette(palette);
            tests::screenshot(panel, QStringLiteral("precision-options-") + theme);
            tests::press(Qt::Key_Escape);
            shown.edit->setValues(texts({"bf16/int8dq", "bf16/int8sq:alpha=0.25", "x/y/z"}));
            const QImage image =
                tests::screenshot(*shown.edit, QStringLiteral("precision-matrix-") + theme);
            QVERIFY(!image.isNull());
        }
    }
};

const tests::GuiTest<TestPrecisionEdit> registered(__FILE_NAME__);

}  // namespace qs::tst_precision_edit

#include "tst_precision_edit.moc"
