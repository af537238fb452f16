#include "widgets/table/table_text.h"

#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "widgets/models/cell_table_model.h"
#include "widgets/table/latex_field.h"

#include <QLocale>
#include <QRegularExpression>

namespace qs::tst_table_text {

using namespace widgets;
using Model = CellTableModel;

class TableTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void csvHoldsRawNumbers();
    void csvQuotesAndDefusesFormulas();
    void tsv();
    void markdown();
    void latex();
    void latexKeepsIntervals();
    void latexEscapes_data();
    void latexEscapes();
    void nothing();
    void headingsOfUntrainedRuns();

private:
    static TableExcerpt cells(const Model& model, std::initializer_list<const char*> ids,
                              std::vector<int> columns)
    {
        TableExcerpt excerpt{.model = &model, .rows = {}, .columns = std::move(columns)};
        for (const char* id : ids)
            excerpt.rows.push_back(model.rowOf(QString::fromLatin1(id)));
        return excerpt;
    }
};

// Files are in the C locale whatever the window speaks.
void TableTextTest::init()
{
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
}

void TableTextTest::csvHoldsRawNumbers()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    const QString csv =
        csvText(cells(model, {"int8dq-none-b16"},
                      {columnOf("precision"), columnOf("batch"), columnOf("throughput")}));
    const QStringList lines = csv.split(QLatin1Char('\n'));
    QCOMPARE(lines[0], QStringLiteral("Precision,Batch,Throughput (images/s),"
                                      "\"Throughput (images/s), 95 % from\","
                                      "\"Throughput (images/s), 95 % to\""));
    const QStringList fields = lines[1].split(QLatin1Char(','));
    QCOMPARE(fields.size(), 5);
    const auto interval = store.analysis().find("int8dq-none-b16")->throughputInterval();
    QVERIFY(interval.has_value());
    QVERIFY(fields[3].toDouble() == interval->lower);
    QVERIFY(fields[4].toDouble() == interval->upper);
    QCOMPARE(fields[0], QStringLiteral("int8dq"));
    QCOMPARE(fields[1], QStringLiteral("16"));
    // Reads back to the very same double.
    QVERIFY(fields[2].toDouble() == store.analysis().find("int8dq-none-b16")->throughput);
}

void TableTextTest::csvQuotesAndDefusesFormulas()
{
    qs::core::RunData data = qs::tests::sampleRun({.withFailures = true});
    for (auto& row : data.measurements) {
        if (row.cellId == "bf16-cuda-graph-b64")
            row.failure->detail = "=HYPERLINK(\"http://x\"), a reason";
    }
    RunStore store;
    store.setRun(std::move(data));
    const Model model(store);
    const QString csv = csvText(
        cells(model, {"bf16-cuda-graph-b64"}, {columnOf("throughput"), columnOf("reason")}));
    // A missing value is an empty field.
    QCOMPARE(csv.section(QLatin1Char('\n'), 1, 1),
             QStringLiteral(",\"'=HYPERLINK(\"\"http://x\"\"), a reason\""));
}

void TableTextTest::tsv()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    // Rows and columns come as they are given: as the user sees them.
    QCOMPARE(tsvText(cells(model, {"int8dq-none-b4", "bf16-none-b1"},
                           {columnOf("batch"), columnOf("precision")})),
             QStringLiteral("Batch\tPrecision\n4\tint8dq\n1\tbf16\n"));
}

void TableTextTest::markdown()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    const QString text =
        markdownText(cells(model, {"bf16-cuda-graph-b4"},
                           {columnOf("compile"), columnOf("speedup"), columnOf("psnr_mean")}));
    QCOMPARE(text, QStringLiteral("| Compile | Speed-up vs best bf16 | PSNR mean (dB) |\n"
                                  "| --- | ---: | ---: |\n"
                                  "| cuda-graph | 1× (baseline) | identical |\n"));
}

void TableTextTest::latex()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    const QString text =
        latexText(cells(model, {"bf16-cuda-graph-b4", "bf16-none-b1"},
                        {columnOf("compile"), columnOf("batch"), columnOf("latency")}));
    QStringList lines = text.split(QLatin1Char('\n'));
    QVERIFY(lines.takeFirst().startsWith(QLatin1Char('%')));
    QCOMPARE(lines[0], QStringLiteral("\\begin{tabular}{lrr}"));
    QCOMPARE(lines[1], QStringLiteral("\\toprule"));
    QVERIFY(lines[2].startsWith(QStringLiteral("Compile & Batch & ")));
    QVERIFY(lines[2].endsWith(QStringLiteral(" \\\\")));
    QCOMPARE(lines[3], QStringLiteral("\\midrule"));
    QVERIFY(lines[4].startsWith(QStringLiteral("cuda-graph & 4 & ")));
    QVERIFY(lines[5].startsWith(QStringLiteral("eager & 1 & ")));
    QCOMPARE(lines[6], QStringLiteral("\\bottomrule"));
    QCOMPARE(lines[7], QStringLiteral("\\end{tabular}"));
    QVERIFY(lines[8].isEmpty());
}

void TableTextTest::latexKeepsIntervals()
{
    QLocale::setDefault(QLocale::c());
    RunStore store;
    store.setRun(qs::tests::sampleRun());
    const Model model(store);
    const QString text =
        latexText(cells(model, {"int8dq-none-b16"}, {columnOf("throughput"), columnOf("speedup")}));
    const QStringList fields = text.section(QLatin1Char('\n'), 5, 5).split(QStringLiteral(" & "));
    QCOMPARE(fields.size(), 2);
    QVERIFY(fields[0].contains(QStringLiteral(" \\textpm{} ")));
    static const QRegularExpression withInterval(
        QStringLiteral(R"(^[\d.]+\\texttimes\{\} \[[\d.]+, [\d.]+\] \\\\$)"));
    QVERIFY2(withInterval.match(fields[1]).hasMatch(), qPrintable(fields[1]));
}

void TableTextTest::latexEscapes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("written");
    const auto row = [](const char* name, const QString& text, const QString& written) {
        QTest::newRow(name) << text << written;
    };
    row("plain", QStringLiteral("int8dq-row"), QStringLiteral("int8dq-row"));
    row("signs", QStringLiteral("5 % of a_b & #1, $2 {x}"),
        QStringLiteral("5 \\% of a\\_b \\& \\#1, \\$2 \\{x\\}"));
    row("accents", QStringLiteral("a~b^c"),
        QStringLiteral("a\\textasciitilde{}b\\textasciicircum{}c"));
    row("backslash", QStringLiteral("a\\{b"), QStringLiteral("a\\textbackslash{}\\{b"));
    row("other fonts", QStringLiteral("a<b>c|d"),
        QStringLiteral("a\\textless{}b\\textgreater{}c\\textbar{}d"));
    row("times", QStringLiteral("2.1× · b64"),
        QStringLiteral("2.1\\texttimes{} \\textperiodcentered{} b64"));
    row("mathematics", QStringLiteral("≤ 3 ∞"), QStringLiteral("$\\leq$ 3 $\\infty$"));
    row("lines", QStringLiteral("one\ntwo\tthree"), QStringLiteral("one two three"));
    // "\\" followed by one of these would take it for an argument.
    row("bracket first", QStringLiteral("[2, 3]"), QStringLiteral("{[}2, 3]"));
    row("star first", QStringLiteral("*"), QStringLiteral("{*}"));
    row("letters", QStringLiteral("Gemäß"), QStringLiteral("Gemäß"));
}

void TableTextTest::latexEscapes()
{
    QFETCH(QString, text);
    QFETCH(QString, written);
    QCOMPARE(latexField(text), written);
}

void TableTextTest::nothing()
{
    QVERIFY(latexText({}).isEmpty());
    QVERIFY(csvText({}).isEmpty());
    QVERIFY(tsvText({}).isEmpty());
    QVERIFY(markdownText({}).isEmpty());
}

void TableTextTest::headingsOfUntrainedRuns()
{
    RunStore store;
    store.setRun(qs::tests::sampleRun({.trained = false}));
    const Model model(store);
    QCOMPARE(tsvText(cells(model, {"int8dq-none-b4"}, {columnOf("relative_l2_mean")}))
                 .section(QLatin1Char('\n'), 0, 0),
             QStringLiteral("Numeric deviation (random weights or inputs): Relative L2 mean"));
}

const tests::GuiTest<TableTextTest> registered(__FILE_NAME__);

}  // namespace qs::tst_table_text

#include "tst_table_text.moc"
