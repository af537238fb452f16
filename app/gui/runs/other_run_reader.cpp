#include "app/gui/runs/other_run_reader.h"

#include "app/gui/path_text.h"
#include "core/analysis/find_answer.h"
#include "core/analysis/measured_run.h"
#include "core/report/words/warning_text.h"

#include <QCoreApplication>

#include <exception>
#include <utility>

namespace qs::app {

namespace {

struct OtherRunReaderText {
    Q_DECLARE_TR_FUNCTIONS(OtherRunReader)
};

// What whoever compares with it must know; empty: nothing.
QString doubtOf(const core::RunData& data, const core::Analysis& analysis)
{
    QStringList doubts;
    if (data.leftOut.isLoss()) {
        for (const std::string& text : core::leftOutTexts(data.leftOut))
            doubts << QString::fromStdString(text);
    }
    if (!core::findAnswer(analysis, {}).progress.complete)
        doubts << OtherRunReaderText::tr(
            "it is running, or was stopped; what it had measured when it was read is "
            "compared");
    return doubts.join(QStringLiteral("; "));
}

core::Result<std::shared_ptr<const widgets::OtherRun>> readOne(const std::filesystem::path& folder)
{
    // A hundred thousand rows are not needed once their figures are known.
    QS_TRY(core::MeasuredRun read, core::readMeasuredRun(folder, core::RowPlace::InJournal));
    auto run =
        std::make_shared<widgets::OtherRun>(widgets::OtherRun{.name = folderName(folder),
                                                              .data = std::move(read.data),
                                                              .figures = std::move(read.figures),
                                                              .analysis = {}});
    run->analysis = core::analyse(run->data, run->figures, run->data.plan.preset.speedBaseline);
    return std::shared_ptr<const widgets::OtherRun>(std::move(run));
}

}  // namespace

ReadRuns readOtherRuns(const std::vector<std::filesystem::path>& folders,
                       const std::function<bool()>& wanted)
{
    ReadRuns result;
    for (const std::filesystem::path& folder : folders) {
        if (!wanted())
            break;
        const auto say = [&](const QString& problem) {
            result.problems << QStringLiteral("%1: %2").arg(folderName(folder), problem);
        };
        try {
            auto read = readOne(folder);
            if (!read.ok()) {
                say(QString::fromStdString(read.error().message));
                continue;
            }
            if (const QString doubt = doubtOf(read.value()->data, read.value()->analysis);
                !doubt.isEmpty())
                say(doubt);
            result.runs.push_back(std::move(read).value());
        } catch (const std::exception& failure) {
            say(QString::fromLocal8Bit(failure.what()));
        }
    }
    return result;
}

}  // namespace qs::app
