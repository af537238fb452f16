#include "tests/support/gui_test.h"
#include "widgets/models/short_names.h"

namespace qs::tst_short_names {

using widgets::shortNames;

class TestShortNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loseOptionsThatAllHave_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* name, const QStringList& names,
                            const QStringList& expected) {
            QTest::newRow(name) << names << expected;
        };
        const auto text = [](const char* name) { return QString::fromUtf8(name); };
        row("none", {}, {});
        row("one", {text("int8dq:rest=fp16 · eager")}, {text("int8dq:rest=fp16 · eager")});
        row("without options", {text("bf16 · eager"), text("int8dq · eager")},
            {text("bf16 · eager"), text("int8dq · eager")});
        row("one has options", {text("bf16"), text("float8-delayed:history=1")},
            {text("bf16"), text("float8-delayed:history=1")});
        row("all have the same",
            {text("float8-delayed:history=1:amax=recent · eager"),
             text("float8-delayed:history=1:amax=recent · fused"), text("bf16 · eager")},
            {text("float8-delayed · eager"), text("float8-delayed · fused"), text("bf16 · eager")});
        row("some of them",
            {text("gptq-int4-128:samples=4 · eager"),
             text("gptq-int4-128:by=kernel:samples=4 · eager"), text("bf16 · eager")},
            {text("gptq-int4-128 · eager"), text("gptq-int4-128:by=kernel · eager"),
             text("bf16 · eager")});
        row("what stands behind stays",
            {text("bf16:a · eager · te-llama:1b"), text("bf16:a · surgical: rope · te-llama:1b")},
            {text("bf16 · eager · te-llama:1b"), text("bf16 · surgical: rope · te-llama:1b")});
        row("alike without", {text("int8dq:rest=fp16"), text("int8dq"), text("int8wo:rest=fp16")},
            {text("int8dq:rest=fp16"), text("int8dq"), text("int8wo:rest=fp16")});
        row("alike", {text("bf16:a · eager"), text("bf16:a · eager")},
            {text("bf16:a · eager"), text("bf16:a · eager")});
    }
    void loseOptionsThatAllHave()
    {
        QFETCH(QStringList, names);
        QFETCH(QStringList, expected);
        QCOMPARE(shortNames(names), expected);
    }
};

const tests::GuiTest<TestShortNames> registered(__FILE_NAME__);

}  // namespace qs::tst_short_names

#include "tst_short_names.moc"
