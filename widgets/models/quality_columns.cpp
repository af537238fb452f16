#include "widgets/models/column_parts.h"

#include <limits>

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

bool isReference(Cell cell)
{
    return cell.cell != nullptr && cell.cell->referenceId == cell.cellId;
}

// Pictures of untrained weights mean nothing, also in a run that has trained models besides.
bool showsQuality(Cell cell)
{
    return cell.cell != nullptr && cell.cell->trained;
}

QString deviationHeading(Context context, const QString& trained, const QString& untrained)
{
    if (!context.untrained)
        return trained;
    return Text::tr("Numeric deviation (untrained weights)\n%1").arg(untrained);
}

QVariant ssimMeanValue(Cell cell, Context context)
{
    if (context.untrained) {
        const NumericDeviation* deviation = context.deviation(cell);
        return deviation == nullptr ? QVariant() : optionalValue(deviation->relativeL2);
    }
    return showsQuality(cell) ? optionalValue(cell.ssimMean) : QVariant();
}

QVariant ssimWorstValue(Cell cell, Context context)
{
    if (context.untrained) {
        const NumericDeviation* deviation = context.deviation(cell);
        return deviation == nullptr ? QVariant() : QVariant(deviation->maximumDifference);
    }
    return showsQuality(cell) ? optionalValue(cell.ssimWorst) : QVariant();
}

QString ssimText(double value)
{
    // 0.99997 and 0.99994 differ by a factor of two in distance; four digits would hide it.
    return QLocale().toString(value, 'f', 5);
}

QString ssimMeanText(Cell cell, Context context)
{
    if (context.untrained)
        return significantText(*context.deviation(cell)->relativeL2, 3);
    return cell.identical ? Text::tr("identical") : ssimText(*cell.ssimMean);
}

QString ssimWorstText(Cell cell, Context context)
{
    if (context.untrained)
        return significantText(context.deviation(cell)->maximumDifference, 3);
    return cell.identical ? Text::tr("identical") : ssimText(*cell.ssimWorst);
}

QString ssimDetail(Cell cell, Context context)
{
    if (context.untrained)
        return Text::tr("Pictures put through untrained weights: %1.")
            .arg(context.deviation(cell)->pictures);
    if (cell.identical)
        return Text::tr("Every output equals the reference bit by bit.");
    return Text::tr("Distance 1 − SSIM: mean %1, worst picture %2.")
        .arg(significantText(1.0 - cell.ssimMean.value_or(1.0), 3),
             significantText(1.0 - cell.ssimWorst.value_or(1.0), 3));
}

QVariant psnrValue(Cell cell, Context)
{
    if (!showsQuality(cell) || isReference(cell))
        return {};
    if (cell.identical)
        return std::numeric_limits<double>::infinity();
    return optionalValue(cell.psnrMean);
}

QString psnrText(Cell cell, Context)
{
    return cell.identical ? Text::tr("identical") : significantText(*cell.psnrMean, 4);
}

QString psnrDetail(Cell cell, Context)
{
    return cell.psnrPictures < cell.pictures && cell.psnrPictures > 0
               ? Text::tr(
                     "Over the %1 of %2 images that differ; an identical one has no finite PSNR.")
                     .arg(cell.psnrPictures)
                     .arg(cell.pictures)
               : QString();
}

QVariant noiseValue(Cell cell, Context context)
{
    if (!showsQuality(cell) || isReference(cell))
        return {};
    if (cell.noiseMultiple)
        return *cell.noiseMultiple;
    const core::NoiseFloor* floor = context.analysis->floorOf(cell);
    // Nothing to divide by; only an identical output has a place among the multiples.
    return cell.identical && floor != nullptr && floor->deterministic ? QVariant(0.0) : QVariant();
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

template <std::optional<double> core::CellSummary::*Member>
QVariant trainedValue(Cell cell, Context)
{
    return showsQuality(cell) && !isReference(cell) ? optionalValue(cell.*Member) : QVariant();
}

QString flipMeanText(Cell cell, Context)
{
    return cell.identical ? Text::tr("identical") : significantText(*cell.flipMean, 3);
}

QString flipWorstText(Cell cell, Context)
{
    return cell.identical ? Text::tr("identical") : significantText(*cell.flipWorst, 3);
}

// Of the raw outputs: said with untrained weights, too.
template <std::optional<double> core::CellSummary::*Member>
QVariant rawValue(Cell cell, Context)
{
    return isReference(cell) ? QVariant() : optionalValue(cell.*Member);
}

template <std::optional<double> core::CellSummary::*Member>
QString rawText(Cell cell, Context)
{
    return cell.identical ? Text::tr("identical") : significantText(*(cell.*Member), 3);
}

QString cosineText(Cell cell, Context)
{
    // A relative error of a thousandth is first seen in the seventh digit.
    return cell.identical ? Text::tr("identical")
                          : QLocale().toString(*cell.cosineSimilarity, 'f', 8);
}

QVariant verdictValue(Cell cell, Context)
{
    if (!showsQuality(cell) || isReference(cell) || !cell.qualityVerdict)
        return {};
    switch (*cell.qualityVerdict) {
    case core::QualityVerdict::Better:
        return Text::tr("better");
    case core::QualityVerdict::Worse:
        return Text::tr("worse");
    case core::QualityVerdict::Same:
        return Text::tr("same");
    case core::QualityVerdict::Ambiguous:
        return Text::tr("not settled");
    case core::QualityVerdict::TooFewPictures:
        break;
    }
    return {};
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

QVariant goldenValue(Cell cell, Context context)
{
    if (!cell.golden)
        return {};
    if (context.untrained)
        return optionalValue(cell.golden->relativeL2);
    return showsQuality(cell) ? QVariant(cell.golden->ssimMean) : QVariant();
}

QString goldenText(Cell cell, Context context)
{
    if (cell.golden->identical)
        return Text::tr("identical");
    return context.untrained ? significantText(*cell.golden->relativeL2, 3)
                             : ssimText(cell.golden->ssimMean);
}

QVariant reconstructionPsnr(Cell cell, Context)
{
    return showsQuality(cell) ? optionalValue(cell.reconstructionPsnr) : QVariant();
}

QVariant reconstructionSsim(Cell cell, Context)
{
    return showsQuality(cell) ? optionalValue(cell.reconstructionSsim) : QVariant();
}

}  // namespace

constexpr CellColumn kQualityColumns[] = {
    {"ssim_mean", true,
     +[](Context context) {
         return deviationHeading(context, Text::tr("SSIM mean"), Text::tr("relative L2"));
     },
     "",
     +[](Context context) {
         return context.untrained
                    ? Text::tr("‖output − reference‖ / ‖reference‖ of the raw outputs. With "
                               "untrained weights pictures mean nothing; this is arithmetic only.")
                    : Text::tr("Likeness to the pictures of the quality reference (bf16 eager), "
                               "mean over pictures; 1 is equal.");
     },
     ssimMeanValue, ssimMeanText, ssimDetail},
    {"ssim_worst", true,
     +[](Context context) {
         return deviationHeading(context, Text::tr("SSIM worst"), Text::tr("max. difference"));
     },
     "",
     +[](Context context) {
         return context.untrained
                    ? Text::tr("Largest difference of a value from the reference, on the scale "
                               "[0, 1]. With untrained weights this is arithmetic only.")
                    : Text::tr("Likeness to the quality reference of the picture that suffers "
                               "most; 1 is equal.");
     },
     ssimWorstValue, ssimWorstText, ssimDetail},
    {"psnr", true, QT_TRANSLATE_NOOP("CellColumns", "PSNR"), "dB",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Peak signal-to-noise ratio against the quality reference, mean over pictures that "
         "differ; more is better. Trained weights only."),
     psnrValue, psnrText, psnrDetail},
    {"ms_ssim", true, QT_TRANSLATE_NOOP("CellColumns", "MS-SSIM"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "SSIM over five scales, mean over pictures; 1 is equal. Needs pictures "
                       "of 176 pixels. Trained weights only."),
     trainedValue<&core::CellSummary::msSsimMean>,
     [](Cell cell, Context) {
         return cell.identical ? Text::tr("identical") : ssimText(*cell.msSsimMean);
     },
     nullptr},
    {"flip_mean", true, QT_TRANSLATE_NOOP("CellColumns", "FLIP mean"), "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "The difference that a person sees when both pictures alternate on a screen, at 67 "
         "pixels per degree; 0 is none, 1 the largest. Trained weights only."),
     trainedValue<&core::CellSummary::flipMean>, flipMeanText, nullptr},
    {"flip_worst", true, QT_TRANSLATE_NOOP("CellColumns", "FLIP worst"), "",
     QT_TRANSLATE_NOOP("CellColumns", "The same of the picture that suffers most."),
     trainedValue<&core::CellSummary::flipWorst>, flipWorstText, nullptr},
    {"largest_difference", true, QT_TRANSLATE_NOOP("CellColumns", "Largest |Δ|, scale 0 … 1"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Largest |output − reference| of a single value in all pictures, before "
                       "values are limited to 0 … 1; one level of 8 bits is 0.0039. Also with "
                       "untrained weights, as arithmetic only."),
     rawValue<&core::CellSummary::maximumDifference>,
     rawText<&core::CellSummary::maximumDifference>, nullptr},
    {"mean_difference", true, QT_TRANSLATE_NOOP("CellColumns", "Mean |Δ|, scale 0 … 1"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Mean |output − reference| of all values, before they are limited to "
                       "0 … 1, mean over pictures; one level of 8 bits is 0.0039. Also with "
                       "untrained weights, as arithmetic only."),
     rawValue<&core::CellSummary::meanDifference>, rawText<&core::CellSummary::meanDifference>,
     nullptr},
    {"relative_l2", true, QT_TRANSLATE_NOOP("CellColumns", "Relative L2 error"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "‖output − reference‖ / ‖reference‖ of the values on the scale 0 … 1, "
                       "not limited, mean over pictures; a ratio, 0 is equal. Also with "
                       "untrained weights, as arithmetic only."),
     rawValue<&core::CellSummary::relativeL2>, rawText<&core::CellSummary::relativeL2>, nullptr},
    {"cosine_similarity", true, QT_TRANSLATE_NOOP("CellColumns", "Cosine similarity"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Cosine of the angle between the values of the output and of the "
                       "reference, mean over pictures; −1 … 1, 1 is the same direction, "
                       "whatever the length. Also with untrained "
                       "weights, as arithmetic only."),
     rawValue<&core::CellSummary::cosineSimilarity>, cosineText, nullptr},
    {"noise_multiple", true, QT_TRANSLATE_NOOP("CellColumns", "× noise floor"), "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Distance to the reference over the distance that mere rounding order makes (bf16 "
         "again, compiled, fp32). About 1 is no difference at all. Trained weights only."),
     noiseValue, noiseText, noiseDetail},
    {"noise_worst_multiple", true, QT_TRANSLATE_NOOP("CellColumns", "× noise floor, worst"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "The same of the picture that suffers most, over the worst picture of "
                       "the noise-floor runs."),
     trainedValue<&core::CellSummary::worstNoiseMultiple>,
     [](Cell cell, Context) {
         return QStringLiteral("%1×").arg(significantText(*cell.worstNoiseMultiple, 3));
     },
     nullptr},
    {"noise_result", false, QT_TRANSLATE_NOOP("CellColumns", "Beside the floor"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Deterministic: every output equals the reference bit by bit. At the "
                       "noise floor: no farther than mere rounding goes, in the mean and in "
                       "the worst picture."),
     noiseResultValue, asText<noiseResultValue>, nullptr},
    {"fp32_golden", true,
     +[](Context context) {
         return deviationHeading(context, Text::tr("SSIM to fp32"),
                                 Text::tr("relative L2 to fp32"));
     },
     "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Against the fp32 run of the same shape instead of the bf16 reference: "
                       "how far the arithmetic is from what the model means."),
     goldenValue, goldenText, nullptr},
    {"quality_verdict", false, QT_TRANSLATE_NOOP("CellColumns", "Quality"), "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Worse: farther from the reference than the noise floor, picture by picture, beyond "
         "what chance explains (1 % over the whole run). Same: within the floor. Needs six "
         "images, eight for 64 comparisons, 16 for any number."),
     verdictValue, asText<verdictValue>, nullptr},
    {"reconstruction_psnr", true, QT_TRANSLATE_NOOP("CellColumns", "Reconstruction PSNR"), "dB",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Output against the input picture: how well the model works, whatever bf16 does. "
         "Trained weights only."),
     reconstructionPsnr,
     [](Cell cell, Context) { return significantText(*cell.reconstructionPsnr, 4); }, nullptr},
    {"reconstruction_ssim", true, QT_TRANSLATE_NOOP("CellColumns", "Reconstruction SSIM"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Output against the input picture. Trained weights only."),
     reconstructionSsim, [](Cell cell, Context) { return ssimText(*cell.reconstructionSsim); },
     nullptr},
};

std::span<const CellColumn> qualityColumns()
{
    return kQualityColumns;
}

}  // namespace qs::widgets
