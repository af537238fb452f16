#include "widgets/models/cell_text.h"

#include "core/analysis/time_notes.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/speed_baseline_name.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace qs::widgets {

namespace {

struct CellWords {
    Q_DECLARE_TR_FUNCTIONS(CellText)
};

bool hasRun(const core::CellSummary& summary)
{
    return summary.measured || summary.failure;
}

QString verdictWord(core::Verdict verdict)
{
    switch (verdict) {
    case core::Verdict::Faster:
        return CellWords::tr("faster");
    case core::Verdict::Slower:
        return CellWords::tr("slower");
    case core::Verdict::Same:
        return CellWords::tr("same");
    case core::Verdict::Ambiguous:
        return CellWords::tr("undecided");
    case core::Verdict::TooFewRounds:
        break;
    }
    return {};
}

bool impossible(const core::CellSummary& summary)
{
    return !summary.measured && summary.cell != nullptr && !summary.cell->possible();
}

}  // namespace

QString verdictText(const core::SpeedClaim& claim)
{
    const QString word = verdictWord(claim.verdict);
    return claim.provisional && !word.isEmpty()
               ? CellWords::tr("%1 so far", "faster, slower, same, undecided").arg(word)
               : word;
}

QString compileText(const std::string& compile)
{
    return QString::fromStdString(core::wordOf(*core::findAxisSpec("compile"), compile));
}

QString cellTitle(const core::CellConfig& config)
{
    QStringList parts{QString::fromStdString(core::precisionText(config)),
                      compileText(config.compile)};
    if (config.layers != "all")
        parts << CellWords::tr("layers %1").arg(QString::fromStdString(config.layers));
    if (config.attention != "auto")
        parts << CellWords::tr("attention %1").arg(QString::fromStdString(config.attention));
    if (config.inputs != "device")
        parts << CellWords::tr("inputs %1").arg(QString::fromStdString(config.inputs));
    parts << CellWords::tr("batch %1").arg(QLocale().toString(qlonglong{config.batch}));
    return parts.join(QStringLiteral(" · "));
}

QString cellTitle(const core::PlannedCell& cell)
{
    const QString title = cellTitle(cell.config);
    // The rerun of the reference has its configuration to the letter.
    return cell.rerun == 0 ? title : CellWords::tr("%1 · again").arg(title);
}

QString roleText(core::CellRole role)
{
    switch (role) {
    case core::CellRole::Swept:
        return CellWords::tr("swept");
    case core::CellRole::QualityReference:
        return CellWords::tr("quality reference");
    case core::CellRole::NoiseFloor:
        return CellWords::tr("noise floor");
    }
    return {};
}

QString statusText(const core::CellSummary& summary)
{
    if (impossible(summary))
        return CellWords::tr("impossible");
    if (!hasRun(summary))
        return CellWords::tr("planned");
    // Said where one looks whether a figure can be believed.
    if (summary.status == core::CellStatus::Ok && core::isHostBound(summary))
        return CellWords::tr("ok, host-bound");
    const std::string_view name = core::name(summary.status);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
        .replace(QLatin1Char('_'), QLatin1Char(' '));
}

Severity statusSeverity(const core::CellSummary& summary)
{
    if (impossible(summary) || !hasRun(summary))
        return Severity::Muted;
    switch (summary.status) {
    case core::CellStatus::Ok:
        return summary.doubts.empty() ? Severity::Ok : Severity::Error;
    case core::CellStatus::Unsupported:
    case core::CellStatus::Cancelled:
    case core::CellStatus::Skipped:
        return Severity::Warning;
    case core::CellStatus::Oom:
    case core::CellStatus::Timeout:
    case core::CellStatus::Crashed:
    case core::CellStatus::Failed:
    case core::CellStatus::CompileError:
    case core::CellStatus::NonFinite:
    case core::CellStatus::Differs:
        return Severity::Error;
    }
    return Severity::Error;
}

bool ranSomethingElse(const core::CellSummary& summary)
{
    return core::anyMismatch(summary.executed);
}

QString baselineText(const core::Analysis& analysis, const QString& baseline)
{
    if (baseline.toStdString() == core::kSameEager)
        return CellWords::tr("the same, eager");
    if (const auto precision = core::bestPrecision(baseline.toStdString()))
        return CellWords::tr("best %1").arg(QString::fromStdString(*precision));
    if (const auto precision = core::eagerPrecision(baseline.toStdString()))
        return CellWords::tr("%1 eager").arg(QString::fromStdString(*precision));
    if (const auto precision = core::sameCompilePrecision(baseline.toStdString()))
        return CellWords::tr("%1, compiled alike").arg(QString::fromStdString(*precision));
    const core::CellSummary* cell = analysis.find(baseline.toStdString());
    return cell != nullptr && cell->cell != nullptr ? cellTitle(*cell->cell)
                                                    : CellWords::tr("a cell of another run");
}

QString cellReason(const core::CellSummary& summary)
{
    if (summary.doubts.empty())
        return QString::fromStdString(core::reasonText(summary));
    QStringList doubts;
    for (const std::string& doubt : core::noteTexts(summary.doubts))
        doubts << QString::fromStdString(doubt);
    return doubts.join(QStringLiteral("; "));
}

}  // namespace qs::widgets
