#include "tests/support/safetensors_writer.h"
#include "tests/support/small_program.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/load_report_dialog.h"
#include "widgets/model/load_report_text.h"
#include "widgets/model/model_inspector.h"
#include "widgets/model/model_status.h"

#include "core/model/safetensors/safetensors.h"
#include "tests/support/gui_test.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

#include <cstring>

namespace qs::tst_load_report {

using namespace widgets;
using tests::child;

namespace {

constexpr const char* kSmall = "vitok:w8_d2_h2-w16_d3_h1/1x2x4";

// All weights of the small model in one file, but for `left`, and with some that it does not know.
void writeModel(const std::filesystem::path& path, const std::string& left = {},
                const std::vector<std::string>& unknown = {})
{
    const auto family = core::inspectModel(kSmall, {}, 1).family;
    const std::vector<char> bytes(1 << 16, 1);
    std::vector<tests::TensorToWrite> tensors;
    const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        std::size_t size = 4;
        for (const std::int64_t extent : shape)
            size *= static_cast<std::size_t>(extent);
        tensors.push_back({name,
                           core::StoredType::F32,
                           {shape.begin(), shape.end()},
                           std::as_bytes(std::span(bytes).first(size))});
    };
    for (const core::StageInfo& stage : family->stages()) {
        for (const core::WeightSpec& weight : stage.weights) {
            if (weight.name != left)
                add(weight.name, weight.shape);
        }
    }
    for (const std::string& name : unknown)
        add(name, {2});
    QVERIFY(tests::writeSafetensors(path, tensors).ok());
}

Inspection inspectionOf(const std::filesystem::path& path)
{
    return std::make_shared<core::ModelInspection>(core::inspectModel(path.string(), {}, 42));
}

}  // namespace

class TestLoadReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void wholeModelsInOneLine()
    {
        const tests::TestFolder folder;
        writeModel(folder / "model.safetensors");
        const Inspection seen = inspectionOf(folder.path());
        const QString headline = reportHeadline(*seen);
        QVERIFY2(headline.startsWith(QStringLiteral("2 stages · ")), qPrintable(headline));
        QVERIFY(headline.contains(QStringLiteral("parameters · F32 · ")));
        const auto sections = reportSections(*seen);
        QCOMPARE(sections.size(), std::size_t{2});  // and inputs and outputs
        QVERIFY(!sections[0].problem && !sections[1].problem);
        QVERIFY(
            sections[0].lines.join(QLatin1Char('\n')).contains(QStringLiteral("stage decoder")));
        QVERIFY(reportHeadline(core::inspectModel(kSmall, {}, 1))
                    .contains(QStringLiteral("generated weights")));
    }

    void problemsComeWithAdvice()
    {
        const tests::TestFolder folder;
        writeModel(folder / "model.safetensors", "to_code.bias", {"ema.step", "extra.weight"});
        const Inspection seen = inspectionOf(folder.path());
        QCOMPARE(reportHeadline(*seen), QStringLiteral("1 tensor missing"));
        const auto sections = reportSections(*seen);
        QCOMPARE(sections.size(), std::size_t{3});
        QVERIFY(sections[1].problem);
        QCOMPARE(sections[1].lines, QStringList{QStringLiteral("to_code.bias [4]")});
        QVERIFY(!sections[1].advice.isEmpty());
        QVERIFY(!sections[2].problem);
        QCOMPARE(sections[2].lines.size(), qsizetype{2});
        QVERIFY(reportText(*seen).contains(QStringLiteral("\n  to_code.bias [4]\n")));
    }

    void operationsThatCannotRunAreAllNamed()
    {
        core::ModelInspection inspection;
        inspection.displayName = "router";
        inspection.report.recognised = "program of torch.export";
        inspection.status = core::Error{core::ErrorCode::Unsupported, "router.pt2 uses operations"};
        for (int i = 0; i < 12; ++i)
            inspection.report.unsupported.push_back(
                {"torch.ops.aten.operation_" + std::to_string(i) + ".default",
                 "blocks." + std::to_string(i) + ".router", i + 1, i == 3});
        const QString headline = reportHeadline(inspection);
        QVERIFY2(headline.startsWith(QStringLiteral("12 operations")), qPrintable(headline));
        QVERIFY(headline.contains(QStringLiteral("aten.operation_0,")));
        const auto sections = reportSections(inspection);
        QCOMPARE(sections.size(), std::size_t{2});  // nothing general beside it
        QVERIFY(sections[1].problem);
        QCOMPARE(sections[1].lines.size(), qsizetype{12});
        for (int i = 0; i < 12; ++i) {
            QVERIFY(
                sections[1].lines[i].contains(QStringLiteral("aten.operation_%1.default").arg(i)));
            QVERIFY(sections[1].lines[i].contains(QStringLiteral("blocks.%1.router").arg(i)));
        }
    }

    // Of a program: what goes in and comes out, which axes it has, and what would help.
    void programsTellInputsOutputsAndAdvice()
    {
        const tests::TestFolder folder;
        tests::writeSmallProgram(folder / "small.pt2");
        const Inspection seen = inspectionOf(folder / "small.pt2");
        QVERIFY(seen->usable());
        LoadReportDialog dialog(seen, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        const auto* tree = child<QTreeWidget>(dialog, "loadReportTree");
        QTRY_VERIFY(!tree->findItems(QStringLiteral("float32 [batch, 3, 32, 32]"),
                                     Qt::MatchContains | Qt::MatchRecursive)
                         .isEmpty());
        QCOMPARE(tree->findItems(QStringLiteral("input "), Qt::MatchStartsWith | Qt::MatchRecursive)
                     .size(),
                 qsizetype{3});
        QCOMPARE(tree->findItems(QStringLiteral("output_"), Qt::MatchContains | Qt::MatchRecursive)
                     .size(),
                 qsizetype{2});
        child<QPushButton>(dialog, "copyLoadReport")->click();
        const QString copied = QApplication::clipboard()->text();
        for (const std::string& advice : seen->report.advice)
            QVERIFY(copied.contains(QString::fromStdString(advice)));
        tests::screenshot(dialog, QStringLiteral("load-report-program"));
    }

    void aQuestionHasButtons()
    {
        const tests::TestFolder folder;
        writeModel(folder / "model.safetensors");
        writeModel(folder / "encoder.safetensors");
        ModelStatus status;
        status.show();
        const QSignalSpy chosen(&status, &ModelStatus::choiceMade);
        status.showInspection(inspectionOf(folder.path()));
        const auto buttons = status.findChildren<QPushButton*>(QStringLiteral("modelChoice"));
        QCOMPARE(buttons.size(), qsizetype{2});
        QVERIFY(child<QLabel>(status, "modelHeadline")
                    ->text()
                    .contains(QStringLiteral("both model.safetensors and")));
        buttons[1]->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(),
                 QString::fromStdString((folder / "model.safetensors").string()));
        status.showInspection(inspectionOf(folder / "model.safetensors"));
        QTRY_VERIFY(status.findChildren<QPushButton*>(QStringLiteral("modelChoice")).isEmpty());
    }

    void whatCannotBeUsedIsSaidInTwoLinesAtMost()
    {
        ModelStatus status;
        status.resize(300, 200);
        status.show();
        status.showInspection(
            inspectionOf(tests::dataFile("broken/checkpoints/other_model.safetensors")));
        const auto* headline = child<QLabel>(status, "modelHeadline");
        QVERIFY(headline->text().startsWith(QStringLiteral("other_model.safetensors ")));
        QVERIFY(!headline->text().contains(QLatin1Char('\n')));
        QVERIFY(headline->heightForWidth(250) <= 2 * headline->fontMetrics().lineSpacing());
        QVERIFY(headline->toolTip().contains(QStringLiteral("pt2")));  // the whole of it
    }

    void theReportOpensAndCanBeCopied()
    {
        const tests::TestFolder folder;
        writeModel(folder / "model.safetensors", "to_code.bias");
        ModelStatus status;
        status.show();
        status.showInspection(inspectionOf(folder.path()));
        child<QToolButton>(status, "modelReport")->click();
        auto* dialog = child<LoadReportDialog>(status, "loadReportDialog");
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QCOMPARE(child<QTreeWidget>(*dialog, "loadReportTree")->topLevelItemCount(), 2);
        child<QPushButton>(*dialog, "copyLoadReport")->click();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("to_code.bias")));
        tests::screenshot(*dialog, QStringLiteral("load-report"));
        dialog->close();
    }

    void aMillionLinesStayReadable()
    {
        auto seen = std::make_shared<core::ModelInspection>();
        seen->status = core::Error{core::ErrorCode::Format, "broken"};
        for (int i = 0; i < 100'000; ++i)
            seen->report.missing.push_back("tensor" + std::to_string(i));
        const LoadReportDialog dialog(seen, nullptr);
        auto* tree = child<QTreeWidget>(dialog, "loadReportTree");
        QVERIFY(tree->topLevelItem(1)->childCount() < 1000);
        QVERIFY(reportText(*seen).contains(QStringLiteral("tensor99999")));
    }

    void onlyTheNewestInspectionIsTold()
    {
        const tests::TestFolder folder;
        writeModel(folder / "model.safetensors");
        ModelInspector inspector({});
        const QSignalSpy told(&inspector, &ModelInspector::inspected);
        inspector.inspect(QStringLiteral("/nowhere"), 1);
        inspector.inspect(QString::fromStdString(folder.path().string()), 1);
        QVERIFY(inspector.isBusy());
        QTRY_VERIFY(!inspector.isBusy());
        QCOMPARE(told.count(), 1);
        QVERIFY(told[0][0].value<Inspection>()->usable());
    }

    void hostileFilesAreReports()
    {
        const tests::TestFolder folder;
        tests::writeFile(folder / "empty.safetensors", "");
        tests::writeFile(folder / "page.safetensors", "<html>please log in</html>");
        for (const char* name : {"empty.safetensors", "page.safetensors", "missing.safetensors"}) {
            const Inspection seen = inspectionOf(folder / name);
            QVERIFY(!seen->usable());
            QVERIFY2(reportHeadline(*seen).contains(QString::fromLatin1(name)),
                     qPrintable(reportHeadline(*seen)));
            const auto sections = reportSections(*seen);
            QVERIFY(sections.back().problem);
            QVERIFY(!sections.back().advice.isEmpty());
        }
    }
};

const tests::GuiTest<TestLoadReport> registered(__FILE_NAME__);

}  // namespace qs::tst_load_report

#include "tst_load_report.moc"
