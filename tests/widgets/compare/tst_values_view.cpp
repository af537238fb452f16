#include "core/base/files.h"
#include "core/record/run_folder.h"
#include "core/record/stored_values.h"
#include "core/run/output_metrics.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/difference_plot.h"
#include "widgets/compare/token_text.h"
#include "widgets/compare/value_table.h"
#include "widgets/compare/values_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTextCursor>
#include <QTextEdit>
#include <QToolButton>

#include <limits>

namespace qs::tst_values_view {

using namespace widgets;
using tests::child;
using tests::sampleCellId;

namespace {

constexpr int kSamples = 4;
constexpr std::int64_t kClasses = 12;
constexpr std::int64_t kPad = 1;

// A run whose outputs are no images. int8dq-none-b4 is farthest from its reference in sample 2, and
// writes another text from the third token on.
class ValuesRun final
{
public:
    explicit ValuesRun(core::OutputKind kind) : m_data(tests::sampleRun())
    {
        m_data.folder = m_folder.path();
        m_data.pictureNames.clear();
        m_data.qualities.clear();
        for (core::PlannedCell& cell : m_data.plan.cells) {
            cell.output = kind;
            cell.config.sizes = {};
        }
        for (int sample = 0; sample < kSamples; ++sample) {
            write(reference(), sample, 0.0F);
            write(a(), sample, sample == 2 ? 0.9F : 0.1F);
            compare(kind, sample);
        }
    }

    std::string reference() const { return sampleCellId("bf16", "none", 4); }
    std::string a() const { return sampleCellId("int8dq", "none", 4); }
    const core::RunData& data() const { return m_data; }
    std::filesystem::path folder() const { return m_folder.path(); }

    // As a run that is fed with text keeps its tokenizer.
    void feedText(const std::string& tokenizerJson, std::int64_t pad)
    {
        core::ModelFeeding& feeding = m_data.plan.preset.feeding;
        feeding.inputs = {{"ids", core::TextFeed{"prompts.txt", "tokenizer.json", pad}}};
        QVERIFY(core::createFolders(folder() / "inputs").ok());
        tests::writeFile(folder() / core::feedTokenizerName(feeding, "ids"), tokenizerJson);
    }

    void writeText(const std::string& cell, int sample, std::vector<float> prompt,
                   std::vector<float> generated) const
    {
        const auto store = [&](core::TokenFile file, std::vector<float> ids) {
            const auto count = static_cast<std::int64_t>(ids.size());
            QVERIFY(core::writeNpy(core::tokenArray(folder(), cell, file, sample),
                                   {{count}, std::move(ids)})
                        .ok());
        };
        store(core::TokenFile::Prompt, std::move(prompt));
        store(core::TokenFile::Generated, std::move(generated));
    }

private:
    void write(const std::string& cell, int sample, float error) const
    {
        QVERIFY(core::createFolders(folder() / "cells" / cell).ok());
        QVERIFY(core::writeNpy(core::outputArray(folder(), cell, sample), output(error)).ok());
    }
    // Two positions; the error is in the second, where class 7 loses to class 3.
    static core::FloatArray output(float error)
    {
        core::FloatArray array{{2, kClasses}, {}};
        for (std::int64_t i = 0; i < 2 * kClasses; ++i)
            array.values.push_back(static_cast<float>(i % 5));
        array.values[kClasses + 7] = 8.0F - 4.0F * error;
        array.values[kClasses + 3] = 7.0F + 3.0F * error;
        return array;
    }
    void compare(core::OutputKind kind, int sample)
    {
        const auto read = [&](const std::string& cell) {
            return core::readStoredValues(folder(), cell, sample).value();
        };
        core::OutputQuality quality =
            core::compareOutputs(kind, read(a()), read(reference()), sample).value();
        quality.cellId = a();
        quality.referenceId = reference();
        quality.environmentId = m_data.measurements.front().environmentId;
        m_data.qualities.push_back(std::move(quality));
    }

    tests::TestFolder m_folder;
    core::RunData m_data;
};

QString cellText(const QTableView& view, int row, int column)
{
    return view.model()->index(row, column).data().toString();
}

}  // namespace

class TestValuesView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void textsStandBesideEachOther()
    {
        const ValuesRun run(core::OutputKind::Logits);
        run.writeText(run.reference(), 2, {5.0F, 6.0F}, {10.0F, 11.0F, 12.0F, 13.0F});
        run.writeText(run.a(), 2, {5.0F, 6.0F}, {10.0F, 11.0F, 40.0F, 13.0F});
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        QVERIFY(child<QLabel>(view, "prompt")->isVisible());
        QVERIFY(child<QLabel>(view, "prompt")->text().endsWith(QStringLiteral("5 6")));
        const auto* texts = child<QTableView>(view, "texts");
        QVERIFY(texts->isVisible());
        QCOMPARE(texts->model()->rowCount(), 2);
        QCOMPARE(texts->model()->columnCount(), 4);
        QVERIFY(texts->model()
                    ->headerData(1, Qt::Vertical)
                    .toString()
                    .contains(QStringLiteral("3 of 4")));
        const auto colour = [&](int row, int place) {
            return texts->model()->index(row, place).data(Qt::BackgroundRole);
        };
        QCOMPARE(cellText(*texts, 0, 2), QStringLiteral("12"));
        QVERIFY(cellText(*texts, 1, 2).endsWith(QStringLiteral("40")));
        QCOMPARE(colour(1, 2), markColour(ValueMark::FirstDifferent));
        QVERIFY(!colour(1, 1).isValid());
        QVERIFY(!colour(1, 3).isValid());
        tests::screenshot(view, QStringLiteral("values-text"));
    }

    // With the run's copy of a tokenizer texts are read, and where one leaves the reference is seen
    // by a colour and by a sign.
    void textsAreReadWithTheTokenizerOfTheRun()
    {
        ValuesRun run(core::OutputKind::Logits);
        const std::string tokenizerJson =
            tests::readFile(tests::dataFile("golden/tokenizers/gpt2.tokenizer.json"));
        run.feedText(tokenizerJson, kPad);
        const auto tokenizer = core::Tokenizer::parse(tokenizerJson, "test").value();
        const auto ids = [&](const char* text) {
            const std::vector<std::int64_t> tokens = tokenizer.encode(text).value();
            return std::vector<float>(tokens.begin(), tokens.end());
        };
        std::vector<float> prompt = ids("The quick brown fox");
        prompt.insert(prompt.begin(), 3, static_cast<float>(kPad));
        run.writeText(run.reference(), 2, prompt, ids(" jumps over the lazy dog é"));
        run.writeText(run.a(), 2, prompt, ids(" jumps over a hill é"));
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        QVERIFY(child<QLabel>(view, "prompt")
                    ->text()
                    .endsWith(QStringLiteral(": The quick brown fox")));
        auto* texts = child<QTextEdit>(view, "generatedTexts");
        QVERIFY(texts->isVisible());
        const QString shown = texts->toPlainText();
        QVERIFY2(shown.contains(QStringLiteral(" jumps over the lazy dog é")), qPrintable(shown));
        QCOMPARE(shown.count(QStringLiteral("≠ ")), 1);
        const qsizetype sign = shown.indexOf(QStringLiteral("≠ "));
        QVERIFY(shown.left(sign).endsWith(QStringLiteral(" jumps over")));
        QVERIFY(shown.endsWith(QStringLiteral(" hill é")));
        QTextCursor cursor(texts->document());
        cursor.setPosition(static_cast<int>(sign) + 1);
        QCOMPARE(QVariant(cursor.charFormat().background().color()),
                 markColour(ValueMark::FirstDifferent));
        cursor.setPosition(static_cast<int>(sign) - 1);
        QVERIFY(cursor.charFormat().background().style() == Qt::NoBrush);
        // The tokens one by one have their texts, too, and their ids in the tip.
        const auto* tokens = child<QTableView>(view, "texts");
        QCOMPARE(cellText(*tokens, 0, 0),
                 tokenText(tokenizer, tokenizer.encode(" jumps").value().front()));
        QVERIFY(!tokens->model()->index(0, 0).data(Qt::ToolTipRole).toString().isEmpty());
        tests::screenshot(view, QStringLiteral("values-read-text"));
        // One text alone in the same place, and all again.
        QTest::mouseClick(texts->viewport(), Qt::LeftButton);
        QTest::keyClick(texts, Qt::Key_Right);
        QVERIFY(texts->toPlainText().endsWith(QStringLiteral(" jumps over the lazy dog é")));
        QTest::keyClick(texts, Qt::Key_Right);
        QVERIFY(texts->toPlainText().endsWith(QStringLiteral(" hill é")));
        QVERIFY(!texts->toPlainText().contains(QStringLiteral("lazy")));
        QTest::keyClick(texts, Qt::Key_Left);
        QVERIFY(!texts->toPlainText().contains(QStringLiteral("hill")));
        QTest::keyClick(texts, Qt::Key_Escape);
        QCOMPARE(texts->toPlainText(), shown);
    }

    // Logits of every token: how far each is from the reference is a colour and a tip.
    void tokensShowHowFarTheirLogitsAre()
    {
        const ValuesRun run(core::OutputKind::Logits);
        run.writeText(run.reference(), 2, {5.0F}, {10.0F, 11.0F});
        run.writeText(run.a(), 2, {5.0F}, {10.0F, 11.0F});
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        const auto* model = child<QTableView>(view, "texts")->model();
        QCOMPARE(model->columnCount(), 2);
        QVERIFY(!model->index(1, 0).data(Qt::BackgroundRole).isValid());
        QVERIFY(model->index(1, 1).data(Qt::BackgroundRole).isValid());
        QVERIFY(model->index(1, 1).data(Qt::BackgroundRole) != markColour(ValueMark::Different));
        QVERIFY(!model->index(1, 1).data(Qt::ToolTipRole).toString().isEmpty());
        QVERIFY(model->index(0, 1).data(Qt::ToolTipRole).toString().isEmpty());
        // And a number below each token.
        QCOMPARE(model->rowCount(), 3);
        QCOMPARE(model->index(2, 0).data().toString(), QStringLiteral("0"));
        QVERIFY(model->index(2, 1).data().toDouble() > 0.0);
        QCOMPARE(model->index(2, 1).data(Qt::BackgroundRole),
                 model->index(1, 1).data(Qt::BackgroundRole));
        QVERIFY(!model->headerData(2, Qt::Vertical).toString().isEmpty());
    }

    // A model that reads a text in one pass writes none: what it would go on with is compared.
    void likeliestTokensStandForATextThatIsNotWritten()
    {
        const ValuesRun run(core::OutputKind::Logits);
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        const auto* tokens = child<QTableView>(view, "texts");
        QVERIFY(tokens->isVisible());
        QCOMPARE(tokens->model()->columnCount(), 2);  // positions
        QCOMPARE(cellText(*tokens, 0, 1), QStringLiteral("7"));
        QVERIFY(cellText(*tokens, 1, 1).endsWith(QStringLiteral(" 3")));
        QVERIFY2(!child<QTextEdit>(view, "generatedTexts")->isVisible(), "there is no tokenizer");
    }

    // The position that differs most, with the likeliest of both.
    void scoresStandBesideEachOther()
    {
        const ValuesRun run(core::OutputKind::Classes);
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        const auto* scores = child<QTableView>(view, "scores");
        QVERIFY(scores->isVisible());
        QCOMPARE(scores->model()->rowCount(), 5);
        QCOMPARE(scores->model()->columnCount(), 4);
        QCOMPARE(cellText(*scores, 0, 0), QStringLiteral("7"));
        QVERIFY(cellText(*scores, 0, 2).endsWith(QStringLiteral(" 3")));
        QCOMPARE(scores->model()->index(0, 2).data(Qt::BackgroundRole),
                 markColour(ValueMark::Different));
        QVERIFY(cellText(*scores, 0, 1).endsWith(QLatin1Char('%')));
        // Of the record, with those that the registry has for this kind.
        const auto* figures = child<QTableView>(view, "figures");
        QVERIFY(figures->isVisible());
        QVERIFY(figures->model()->rowCount() >= 3);
        // No text, and nothing of images.
        QVERIFY(!child<QTableView>(view, "texts")->isVisible());
        QVERIFY(!child<QWidget>(view, "place")->isVisible());
    }

    // A table is as large as its values: nothing stands empty beside or below them.
    void tablesKeepNoEmptyStrip()
    {
        const ValuesRun run(core::OutputKind::Classes);
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        for (const char* name : {"scores", "figures"}) {
            const auto* table = child<QTableView>(view, name);
            QVERIFY2(table->isVisible(), name);
            const QSize values(table->horizontalHeader()->length(),
                               table->verticalHeader()->length());
            QVERIFY2(values.width() > 0 && values.height() > 0, name);
            QTRY_VERIFY2(table->viewport()->width() - values.width() <= 1, name);
            const QSize room = table->viewport()->size();
            QVERIFY2(room.width() - values.width() <= 1 && room.height() - values.height() <= 1,
                     qPrintable(QStringLiteral("%1: %2 x %3 in %4 x %5")
                                    .arg(QLatin1String(name))
                                    .arg(values.width())
                                    .arg(values.height())
                                    .arg(room.width())
                                    .arg(room.height())));
        }
    }

    void samplesAreChosenWorstFirst()
    {
        const ValuesRun run(core::OutputKind::Logits);
        RunStore store;
        CompareView view(store);
        show(store, view, run, 0);
        QVERIFY(QTest::qWaitForWindowActive(&view));
        auto* samples = child<QTableView>(view, "samples");
        QCOMPARE(samples->model()->rowCount(), kSamples);
        QCOMPARE(samples->model()->headerData(0, Qt::Vertical).toString(),
                 QStringLiteral("Sample 3"));
        const QPoint first = samples->visualRect(samples->model()->index(0, 0)).center();
        tests::clickAt(*samples->viewport(), samples->viewport()->mapTo(&view, first));
        QCOMPARE(store.selectedPicture(), 2);
        tests::press(Qt::Key_Down);
        QVERIFY(store.selectedPicture() != 2);
        tests::press(Qt::Key_Up);
        QCOMPARE(store.selectedPicture(), 2);
        QTRY_VERIFY(!view.isBusy());
        // Other keys are the comparison's.
        tests::press(Qt::Key_1);
        QCOMPARE(view.cells().pinned(1), QString::fromStdString(run.a()));
        tests::press(Qt::Key_Space);
        QVERIFY(view.wantsRoom());
        QVERIFY(child<QToolButton>(view, "largeValues")->isChecked());
        tests::press(Qt::Key_Escape);
        QVERIFY(!view.wantsRoom());
        tests::click(*child<QToolButton>(view, "largeValues"));
        QVERIFY(view.wantsRoom());
    }

    void pinnedCellsStayBesideTheNext()
    {
        const ValuesRun run(core::OutputKind::Logits);
        RunStore store;
        CompareView view(store);
        show(store, view, run, 0);
        tests::click(*child<QToolButton>(view, "pinValues"));
        store.selectCell(QString::fromStdString(sampleCellId("int8dq", "cuda-graph", 4)));
        QTRY_VERIFY(!view.isBusy());
        const auto* scores = child<QTableView>(view, "scores");
        QCOMPARE(scores->model()->columnCount(), 6);  // the reference, A, the pinned one
        QVERIFY(cellText(*scores, 0, 4).contains(QLatin1Char('7')));
        // A has no files: that is said, and the others are shown.
        QCOMPARE(cellText(*scores, 0, 2), QStringLiteral("–"));
        QVERIFY(child<QLabel>(view, "missingValues")->isVisible());
    }

    void numbersHaveDifferences()
    {
        const ValuesRun run(core::OutputKind::Tensor);
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        QVERIFY(child<DifferencePlot>(view, "differencePlot")->isVisible());
        QVERIFY(!child<DifferencePlot>(view, "differencePlot")->bins().empty());
        const auto* differences = child<QTableView>(view, "differences");
        QVERIFY(differences->isVisible());
        QCOMPARE(differences->model()->rowCount(), 2);  // only what differs
        QCOMPARE(cellText(*differences, 0, 0), QStringLiteral("[1, 7]"));
        QVERIFY(!child<QTableView>(view, "scores")->isVisible());
        tests::screenshot(view, QStringLiteral("values-tensor"));
        // The reference is shown alone.
        store.selectCell(QString::fromStdString(run.reference()));
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(!differences->isVisible());
        QVERIFY(!child<QTableView>(view, "figures")->isVisible());
    }

    void figuresAreThereWithoutFiles()
    {
        const ValuesRun run(core::OutputKind::Logits);
        std::filesystem::remove_all(run.folder() / "cells");
        RunStore store;
        CompareView view(store);
        show(store, view, run, 2);
        QVERIFY(child<QTableView>(view, "figures")->isVisible());
        QVERIFY(!child<QTableView>(view, "scores")->isVisible());
        QVERIFY(!child<QTableView>(view, "texts")->isVisible());
        QVERIFY(child<QLabel>(view, "missingValues")->isVisible());
        QCOMPARE(child<QTableView>(view, "samples")->model()->rowCount(), kSamples);
    }

    void damagedFilesAreSaid_data()
    {
        QTest::addColumn<std::vector<qint64>>("shape");
        QTest::addColumn<std::vector<float>>("values");
        QTest::newRow("another size") << std::vector<qint64>{3} << std::vector<float>{1, 2, 3};
        QTest::newRow("no values") << std::vector<qint64>{0} << std::vector<float>{};
        QTest::newRow("a single number") << std::vector<qint64>{} << std::vector<float>{1};
        QTest::newRow("not a number")
            << std::vector<qint64>{2, kClasses}
            << std::vector<float>(2 * kClasses, std::numeric_limits<float>::quiet_NaN());
    }

    void damagedFilesAreSaid()
    {
        QFETCH(const std::vector<qint64>, shape);
        QFETCH(const std::vector<float>, values);
        for (const auto kind : core::kOutputKinds.values()) {
            if (kind == core::OutputKind::Image || kind == core::OutputKind::Tokens)
                continue;
            const ValuesRun run(kind);
            QVERIFY(core::writeNpy(core::outputArray(run.folder(), run.a(), 2),
                                   {{shape.begin(), shape.end()}, values})
                        .ok());
            RunStore store;
            CompareView view(store);
            show(store, view, run, 2);
            QVERIFY(child<QLabel>(view, "missingValues")->isVisible());
            QVERIFY(!child<QTableView>(view, "differences")->isVisible());
        }
    }

private:
    static void show(RunStore& store, CompareView& view, const ValuesRun& run, int sample)
    {
        store.setRun(run.data());
        store.selectPicture(sample);
        store.selectCell(QString::fromStdString(run.a()));
        view.resize(900, 700);
        view.show();
        QTRY_VERIFY(!view.isBusy());
    }
};

const tests::GuiTest<TestValuesView> registered(__FILE_NAME__);

}  // namespace qs::tst_values_view

#include "tst_values_view.moc"
