#include "core/sweep/metric.h"
#include "widgets/models/column_parts.h"
#include "widgets/models/verdict_tone.h"

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

bool isReference(Cell cell)
{
    return cell.cell != nullptr && cell.cell->referenceId == cell.cellId;
}

// Outputs of untrained weights mean nothing, also in a run that has trained models besides.
bool showsQuality(Cell cell)
{
    return cell.cell != nullptr && cell.cell->trained;
}

QVariant noiseValue(Cell cell, Context context)
{
    if (!showsQuality(cell) || isReference(cell))
        return {};
    if (cell.noiseMultiple)
        return *cell.noiseMultiple;
    const core::NoiseFloor* floor = context.analysis->floorOf(cell);
    // Nothing to divide by; only an identical output has a place among the multiples.
    return cell.identical() && floor != nullptr && floor->deterministic ? QVariant(0.0)
                                                                        : QVariant();
}

QString noiseText(Cell cell, Context)
{
    return cell.noiseMultiple ? QStringLiteral("%1×").arg(significantText(*cell.noiseMultiple, 3))
                              : Text::tr("deterministic");
}

QString noiseDetail(Cell cell, Context context)
{
    const core::NoiseFloor* floor = context.analysis->floorOf(cell);
    if (floor == nullptr || !cell.noiseMultiple)
        return Text::tr("Every noise-floor run equals the reference bit by bit.");
    const core::CellSummary* setter = context.analysis->find(floor->setBy);
    const QString text =
        Text::tr("The floor is a distance of %1, set by %2.")
            .arg(significantText(floor->distance, 3), setter != nullptr && setter->cell != nullptr
                                                          ? cellTitle(*setter->cell)
                                                          : Text::tr("no run yet"));
    return floor->referenceRepeats == false
               ? Text::tr("%1 The reference itself differs from round to round.").arg(text)
               : text;
}

QVariant worstNoiseValue(Cell cell, Context)
{
    return showsQuality(cell) && !isReference(cell) ? optionalValue(cell.worstNoiseMultiple)
                                                    : QVariant();
}

QVariant qualityVerdictValue(Cell cell, Context)
{
    const QString verdict = qualityVerdictText(cell);
    return showsQuality(cell) && !isReference(cell) && !verdict.isEmpty() ? QVariant(verdict)
                                                                          : QVariant();
}

QVariant noiseResultValue(Cell cell, Context)
{
    if (!showsQuality(cell) || isReference(cell))
        return {};
    switch (cell.noiseResult) {
    case core::NoiseResult::Unknown:
        break;
    case core::NoiseResult::Deterministic:
        return Text::tr("deterministic");
    case core::NoiseResult::AtFloor:
        return Text::tr("at the noise floor");
    case core::NoiseResult::AboveFloor:
        return Text::tr("above the noise floor");
    }
    return {};
}

// The distance of the kind of output; of untrained weights relative L2, which is arithmetic only.
const core::OutputMetric* goldenMetric(Cell cell)
{
    const core::OutputMetric& distance = core::metricRegistry().distanceOf(cell.cell->output);
    return cell.cell->trained || !distance.needsTraining
               ? &distance
               : core::metricRegistry().findOutput("relative_l2");
}

QVariant goldenValue(Cell cell, Context)
{
    return cell.golden && cell.cell != nullptr
               ? optionalValue(cell.golden->figures.mean(goldenMetric(cell)->name))
               : QVariant();
}

QString goldenText(Cell cell, Context context)
{
    return cell.golden->figures.identical
               ? Text::tr("identical")
               : significantText(goldenValue(cell, context).toDouble(), goldenMetric(cell)->digits);
}

QString goldenTitle(Context context)
{
    if (context.analysis == nullptr || context.analysis->cells.empty() ||
        context.analysis->cells.front().cell == nullptr)
        return Text::tr("To fp32");
    return Text::tr("%1 to fp32")
        .arg(Text::tr(goldenMetric(context.analysis->cells.front())->title.c_str()));
}

}  // namespace

constexpr CellColumn kQualityColumns[] = {
    {"noise_multiple", true, QT_TRANSLATE_NOOP("CellColumns", "× noise floor"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Distance to the reference divided by the noise floor (bf16 again, "
                       "compiled, fp32). About 1 is no difference. Trained weights only."),
     noiseValue, noiseText, noiseDetail, nullptr, ColumnUse::WhenTrained},
    {"worst_noise_multiple", true, QT_TRANSLATE_NOOP("CellColumns", "× noise floor, worst"), "",
     QT_TRANSLATE_NOOP("CellColumns", "The same for the worst output."), worstNoiseValue,
     [](Cell cell, Context) {
         return QStringLiteral("%1×").arg(significantText(*cell.worstNoiseMultiple, 3));
     },
     nullptr, nullptr, ColumnUse::WhenTrained},
    {"noise_result", false, QT_TRANSLATE_NOOP("CellColumns", "Noise-floor verdict"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Deterministic: bit-identical to the reference. At the noise floor: no "
                       "farther than rounding alone, in the mean and for the worst output."),
     noiseResultValue, asText<noiseResultValue>, nullptr, nullptr, ColumnUse::WhenTrained},
    {"fp32_golden", true, goldenTitle, "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Against the fp32 run of the same shape instead of bf16: distance from exact arithmetic."),
     goldenValue, goldenText, nullptr, nullptr, ColumnUse::WithValues},
    {"quality_verdict", false, QT_TRANSLATE_NOOP("CellColumns", "Quality"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Worse: farther from the reference than the noise floor beyond chance (1 % "
                       "over the whole run). Same: within the floor. Needs six outputs, eight for "
                       "64 comparisons, 16 for any number."),
     qualityVerdictValue, asText<qualityVerdictValue>, nullptr, nullptr, ColumnUse::WhenTrained},
};

std::span<const CellColumn> qualityColumns()
{
    return kQualityColumns;
}

}  // namespace qs::widgets
