#include "widgets/models/cell_text.h"

#include "core/analysis/analysis.h"
#include "tests/support/gui_test.h"
#include "tests/support/host_bound_run.h"
#include "tests/support/sample_run.h"

namespace qs::tst_cell_text {

using namespace widgets;
using core::CellStatus;
using core::CellSummary;
using core::Failure;
using core::FailureKind;
using core::NoteCode;

class CellTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void compileModesInTheWindowsWords();
    void titles();
    void statuses_data();
    void statuses();
    void plannedAndImpossible();
    void mismatchIsAnError();
    void hostBoundIsSaidOnTheRow();
    void rolesInWords();
    void baselines();
};

void CellTextTest::compileModesInTheWindowsWords()
{
    QCOMPARE(compileText("none"), QStringLiteral("eager"));
    QCOMPARE(compileText("cuda-graph"), QStringLiteral("cuda-graph"));
    QCOMPARE(compileText("regions:rope+mlp"), QStringLiteral("surgical: rope+mlp"));
    QCOMPARE(compileText("regions:at=b.{0-3}.ffn"), QStringLiteral("surgical: b.{0-3}.ffn"));
    QCOMPARE(compileText("regions:rope:at=b.0"), QStringLiteral("surgical: rope+b.0"));
}

void CellTextTest::titles()
{
    qs::core::CellConfig config;
    config.precision = {"int8dq"};
    config.batch = 64;
    QCOMPARE(cellTitle(config), QStringLiteral("int8dq · eager · batch 64"));
    config.precision = {"bf16", "int8dq"};
    config.layers = "mlp -first2";
    config.attention = "flash";
    QCOMPARE(cellTitle(config), QStringLiteral("bf16/int8dq · eager · layers mlp -first2 · "
                                               "attention flash · batch 64"));
}

void CellTextTest::statuses_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("severity");
    const auto row = [](CellStatus status, const char* text, Severity severity) {
        QTest::newRow(text) << static_cast<int>(status) << QString::fromLatin1(text)
                            << static_cast<int>(severity);
    };
    row(CellStatus::Ok, "ok", Severity::Ok);
    row(CellStatus::Oom, "oom", Severity::Error);
    row(CellStatus::Timeout, "timeout", Severity::Error);
    row(CellStatus::Crashed, "crashed", Severity::Error);
    row(CellStatus::Failed, "failed", Severity::Error);
    row(CellStatus::CompileError, "compile error", Severity::Error);
    row(CellStatus::Unsupported, "unsupported", Severity::Warning);
    row(CellStatus::NonFinite, "non finite", Severity::Error);
    row(CellStatus::Cancelled, "cancelled", Severity::Warning);
    row(CellStatus::Skipped, "skipped", Severity::Warning);
}

void CellTextTest::statuses()
{
    QFETCH(int, status);
    QFETCH(QString, text);
    QFETCH(int, severity);
    CellSummary summary;
    summary.status = static_cast<CellStatus>(status);
    if (summary.status == CellStatus::Ok)
        summary.measured = true;
    else
        summary.failure = Failure{.kind = FailureKind::Internal, .detail = "because"};
    QCOMPARE(statusText(summary), text);
    QCOMPARE(static_cast<int>(statusSeverity(summary)), severity);
}

void CellTextTest::plannedAndImpossible()
{
    qs::core::PlannedCell cell;
    CellSummary summary;
    summary.cell = &cell;
    summary.status = CellStatus::Skipped;
    QCOMPARE(statusText(summary), QStringLiteral("planned"));
    QCOMPARE(cellTitle(cell), cellTitle(cell.config));
    cell.rerun = 1;
    QVERIFY(cellTitle(cell).endsWith(QStringLiteral(" · again")));
    QCOMPARE(statusSeverity(summary), Severity::Muted);
    QCOMPARE(cellReason(summary), QStringLiteral("not measured yet"));

    cell.impossible = qs::core::remark("needs compute capability 8.9");
    QCOMPARE(statusText(summary), QStringLiteral("impossible"));
    QCOMPARE(statusSeverity(summary), Severity::Muted);
    QCOMPARE(cellReason(summary), QStringLiteral("needs compute capability 8.9"));
}

void CellTextTest::mismatchIsAnError()
{
    CellSummary summary;
    summary.status = CellStatus::Ok;
    summary.measured = true;
    summary.executed = {{.stage = "encoder",
                         .scheme = "int8dq",
                         .matched = 112,
                         .layers = 116,
                         .activationRule = {},
                         .products = {{"aten::_int_mm", qs::core::DType::Int32, 112, 112}}}};
    QVERIFY(!ranSomethingElse(summary));
    summary.executed.front().products.front().ran = 0;
    QVERIFY(ranSomethingElse(summary));
    QCOMPARE(statusSeverity(summary), Severity::Ok);
    summary.doubts = {{NoteCode::Remark, {"something else ran"}}, {NoteCode::Remark, {"too fast"}}};
    QCOMPARE(statusSeverity(summary), Severity::Error);
    QCOMPARE(cellReason(summary), QStringLiteral("something else ran; too fast"));
}

void CellTextTest::hostBoundIsSaidOnTheRow()
{
    const qs::core::RunData data = qs::tests::hostBoundRun(
        [](const qs::core::CellConfig& config) { return config.compile == "none"; });
    const qs::core::Analysis analysis = analyse(data, "best-bf16");
    const CellSummary& eager = *analysis.find(qs::tests::sampleCellId("int8dq", "none", 4));
    const CellSummary& graph = *analysis.find(qs::tests::sampleCellId("int8dq", "cuda-graph", 4));
    QCOMPARE(graph.status, eager.status);
    QVERIFY(statusText(eager) != statusText(graph));
    QVERIFY(statusText(eager).startsWith(statusText(graph)));
    QCOMPARE(statusSeverity(eager), Severity::Ok);
}

void CellTextTest::rolesInWords()
{
    QCOMPARE(roleText(qs::core::CellRole::Swept), QStringLiteral("swept"));
    QCOMPARE(roleText(qs::core::CellRole::QualityReference), QStringLiteral("quality reference"));
    QCOMPARE(roleText(qs::core::CellRole::NoiseFloor), QStringLiteral("noise floor"));
}

void CellTextTest::baselines()
{
    const qs::core::RunData data = qs::tests::sampleRun();
    const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
    QCOMPARE(baselineText(analysis, QStringLiteral("best-bf16")), QStringLiteral("best bf16"));
    QCOMPARE(baselineText(analysis, QStringLiteral("bf16-eager")), QStringLiteral("bf16 eager"));
    QCOMPARE(baselineText(analysis, QStringLiteral("int8dq-none-b4")),
             QStringLiteral("int8dq · eager · batch 4"));
    QCOMPARE(baselineText(analysis, QStringLiteral("gone")),
             QStringLiteral("a cell of another run"));
}

const tests::GuiTest<CellTextTest> registered(__FILE_NAME__);

}  // namespace qs::tst_cell_text

#include "tst_cell_text.moc"
