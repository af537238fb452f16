// What the runs beside the one in view say of the same cell.
#include "core/report/words/comparison_text.h"
#include "core/stats/summary.h"
#include "widgets/models/column_parts.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/verdict_tone.h"

#include <algorithm>
#include <array>

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

// Null where there is no such run.
const RunBeside* runOf(Context context, std::size_t run)
{
    return run < context.beside.size() ? context.beside[run].get() : nullptr;
}

template <std::size_t Run>
const core::MatchedCell* matched(Cell cell, Context context)
{
    const RunBeside* beside = runOf(context, Run);
    return beside == nullptr ? nullptr : beside->find(cell.cellId);
}

template <std::size_t Run>
QString runTitle(Context context)
{
    const RunBeside* beside = runOf(context, Run);
    return beside == nullptr ? Text::tr("Other run") : shortRunName(beside->run->name);
}

// One other run needs no name in every heading.
template <std::size_t Run>
QString titled(Context context, const QString& title)
{
    return context.beside.size() < 2 ? title
                                     : QStringLiteral("%1\n%2").arg(runTitle<Run>(context), title);
}

template <std::size_t Run>
QString ratioTitle(Context context)
{
    return titled<Run>(context, Text::tr("vs this run"));
}

template <std::size_t Run>
QString verdictTitle(Context context)
{
    return titled<Run>(context, Text::tr("Verdict on it"));
}

template <std::size_t Run>
QString outputsTitle(Context context)
{
    return titled<Run>(context, Text::tr("Its outputs"));
}

template <std::size_t Run>
QString whatChanged(Context context)
{
    const RunBeside* beside = runOf(context, Run);
    if (beside == nullptr)
        return {};
    const std::string change = core::changeText(beside->comparison);
    return change.empty() ? Text::tr("Nothing that is known differs between the runs.")
                          : Text::tr("Changed: %1.").arg(QString::fromStdString(change));
}

// For headings that are read without the window.
template <std::size_t Run>
QString changedShortly(Context context)
{
    const RunBeside* beside = runOf(context, Run);
    return beside == nullptr ? QString()
                             : QString::fromStdString(core::changeSummary(beside->comparison));
}

template <std::size_t Run>
QString aboutRatio(Context context)
{
    return Text::tr("Time of the cell in this run divided by its time in the other run, with "
                    "the 95 % interval; above 1 the other run is faster. Repeats of two runs "
                    "are not paired, so that drift between them does not cancel.") +
           QLatin1Char('\n') + whatChanged<Run>(context);
}

template <std::size_t Run>
QString aboutVerdict(Context context)
{
    return Text::tr("What can be said of the other run beside this one. Faster and slower "
                    "need 5 % more than within a run, and same is never claimed.") +
           QLatin1Char('\n') + whatChanged<Run>(context);
}

// What became of the cell in the other run, where it has no throughput there.
template <std::size_t Run>
QString missing(Cell cell, Context context)
{
    // Reruns for the noise floor are compared with nothing.
    if (runOf(context, Run) == nullptr || (cell.cell != nullptr && cell.cell->rerun > 0))
        return {};
    const core::MatchedCell* found = matched<Run>(cell, context);
    if (found == nullptr)
        return Text::tr("not there");
    if (!found->after->measured || found->after->status != core::CellStatus::Ok)
        return statusText(*found->after);
    return {};
}

template <std::size_t Run>
QVariant throughputValue(Cell cell, Context context)
{
    const core::MatchedCell* found = matched<Run>(cell, context);
    return found == nullptr ? QVariant() : measuredOnly(*found->after, found->after->throughput);
}

template <std::size_t Run>
QString comparedThroughputText(Cell cell, Context context)
{
    const core::CellSummary& after = *matched<Run>(cell, context)->after;
    const auto interval = after.throughputInterval();
    return interval ? estimateText(after.throughput, *interval)
                    : significantText(after.throughput, 4);
}

template <std::size_t Run>
QString throughputBrief(Cell cell, Context context)
{
    return significantText(matched<Run>(cell, context)->after->throughput, 5);
}

template <std::size_t Run>
QString runDetail(Cell cell, Context context)
{
    const core::CellSummary& after = *matched<Run>(cell, context)->after;
    return Text::tr("In %1, over %2 repeats.")
        .arg(runOf(context, Run)->run->name, QLocale().toString(after.roundsOk));
}

template <std::size_t Run>
QVariant ratioValue(Cell cell, Context context)
{
    const core::MatchedCell* found = matched<Run>(cell, context);
    return found == nullptr || !found->speed ? QVariant()
                                             : QVariant(found->speed->evidence.ratio.value);
}

template <std::size_t Run>
QString ratioText(Cell cell, Context context)
{
    const core::Estimate& ratio = matched<Run>(cell, context)->speed->evidence.ratio;
    if (!ratio.interval)
        return QStringLiteral("%1×").arg(significantText(ratio.value, 3));
    const int digits = std::min(3, core::supportedDigits(ratio.value, *ratio.interval));
    return QStringLiteral("%1× [%2, %3]")
        .arg(significantText(ratio.value, digits), significantText(ratio.interval->lower, digits),
             significantText(ratio.interval->upper, digits));
}

template <std::size_t Run>
VerdictTone tone(Cell cell, Context context)
{
    const core::MatchedCell* found = matched<Run>(cell, context);
    return found == nullptr || !found->speed ? VerdictTone::None : claimTone(*found->speed);
}

template <std::size_t Run>
QString ratioBrief(Cell cell, Context context)
{
    return verdictSign(tone<Run>(cell, context)) +
           QStringLiteral("%1×").arg(significantText(ratioValue<Run>(cell, context).toDouble(), 3));
}

template <std::size_t Run>
QString changeDetail(Cell cell, Context context)
{
    const core::MatchedCell& found = *matched<Run>(cell, context);
    const core::SpeedClaim& claim = *found.speed;
    QStringList parts{Text::tr("The cell of %1 beside that of this run: %2.")
                          .arg(runOf(context, Run)->run->name,
                               QString::fromStdString(core::speedChangeText(found)))};
    if (claim.verdict == core::Verdict::Faster || claim.verdict == core::Verdict::Slower)
        parts << Text::tr("p-value %1 %, Holm-corrected over all cells of the comparison.")
                     .arg(significantText(claim.pValue * 100.0, 2));
    return parts.join(QLatin1Char(' '));
}

QVariant wordValue(const std::string& word)
{
    return word.empty() ? QVariant() : QVariant(QString::fromStdString(word));
}

template <std::size_t Run>
QVariant changeValue(Cell cell, Context context)
{
    const core::MatchedCell* found = matched<Run>(cell, context);
    if (found == nullptr || !found->speed)
        return {};
    const QString word = widgets::verdictText(*found->speed);
    if (word.isEmpty())
        return {};
    return found->otherDevice
               ? Text::tr("%1 on another device", "faster, slower, undecided").arg(word)
               : word;
}

template <std::size_t Run>
QVariant outputsValue(Cell cell, Context context)
{
    const core::MatchedCell* found = matched<Run>(cell, context);
    return found == nullptr ? QVariant() : wordValue(core::outputChangeText(*found));
}

QString throughputUnit(Context context)
{
    return unitsPerSecond(context.unit);
}

template <std::size_t Run>
std::array<CellColumn, 4> columnsOf(const std::array<const char*, 4>& ids)
{
    const auto column = [](const char* id, bool number, ColumnText title, ColumnText explanation) {
        return CellColumn{.id = id,
                          .number = number,
                          .title = title,
                          .unit = "",
                          .explanation = explanation,
                          .value = nullptr,
                          .text = nullptr,
                          .detail = nullptr,
                          .missing = nullptr,
                          .use = ColumnUse::WithValues};
    };
    CellColumn throughput =
        column(ids[0], true, runTitle<Run>,
               QT_TRANSLATE_NOOP("CellColumns", "Throughput of the same cell in the other run."));
    throughput.unit = throughputUnit;
    throughput.value = throughputValue<Run>;
    throughput.text = comparedThroughputText<Run>;
    throughput.detail = runDetail<Run>;
    throughput.missing = missing<Run>;
    throughput.brief = throughputBrief<Run>;
    CellColumn ratio = column(ids[1], true, ratioTitle<Run>, aboutRatio<Run>);
    ratio.value = ratioValue<Run>;
    ratio.text = ratioText<Run>;
    ratio.detail = changeDetail<Run>;
    ratio.brief = ratioBrief<Run>;
    ratio.tone = tone<Run>;
    CellColumn verdict = column(ids[2], false, verdictTitle<Run>, aboutVerdict<Run>);
    verdict.value = changeValue<Run>;
    verdict.text = asText<changeValue<Run>>;
    verdict.detail = changeDetail<Run>;
    verdict.tone = tone<Run>;
    verdict.across = changedShortly<Run>;
    CellColumn outputs =
        column(ids[3], false, outputsTitle<Run>,
               QT_TRANSLATE_NOOP("CellColumns",
                                 "Outputs of the other run beside those of this one, where both "
                                 "have the same images: identical or not, better or worse."));
    outputs.value = outputsValue<Run>;
    outputs.text = asText<outputsValue<Run>>;
    return {throughput, ratio, verdict, outputs};
}

std::vector<CellColumn> makeComparedColumns()
{
    static_assert(OtherRuns::kMost == 3, "as many as there are columns for");
    std::vector<CellColumn> columns;
    for (const auto& some :
         {columnsOf<0>({"other_throughput", "other_ratio", "other_verdict", "other_outputs"}),
          columnsOf<1>(
              {"other_throughput_2", "other_ratio_2", "other_verdict_2", "other_outputs_2"}),
          columnsOf<2>(
              {"other_throughput_3", "other_ratio_3", "other_verdict_3", "other_outputs_3"})})
        columns.insert(columns.end(), some.begin(), some.end());
    return columns;
}

}  // namespace

std::span<const CellColumn> comparedColumns()
{
    static const std::vector<CellColumn> kColumns = makeComparedColumns();
    return kColumns;
}

}  // namespace qs::widgets
