#include "widgets/compare/compare_text.h"

#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/sweep/metric.h"

#include "widgets/models/cell_text.h"
#include "widgets/models/verdict_tone.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::widgets {

namespace {

// The worker keeps the outputs of this many pictures per cell.
constexpr int kKeptPictures = 16;

struct CompareTexts {
    Q_DECLARE_TR_FUNCTIONS(CompareText)
};

QString fixed(double value, int digits)
{
    return QLocale().toString(value, 'f', digits);
}

QString psnrText(double psnrDb)
{
    return std::isfinite(psnrDb) ? CompareTexts::tr("PSNR %1 dB").arg(fixed(psnrDb, 1))
                                 : CompareTexts::tr("PSNR: equal when clamped");
}

const core::NoiseFloor* knownFloor(const core::Analysis& analysis, const core::CellSummary& summary)
{
    const core::NoiseFloor* floor = analysis.floorOf(summary);
    return floor == nullptr || floor->setBy.empty() ? nullptr : floor;
}

}  // namespace

QString unavailableText(const core::PlannedCell& cell, const core::CellSummary* summary)
{
    const QString sentence = cell.output == core::OutputKind::Image
                                 ? CompareTexts::tr("This cell has no images: %1")
                                 : CompareTexts::tr("This cell has no outputs: %1");
    if (!cell.possible())
        return sentence.arg(QString::fromStdString(core::noteText(*cell.impossible)));
    if (summary == nullptr)
        return sentence.arg(CompareTexts::tr("not measured yet"));
    if (summary->measured)
        return {};
    return sentence.arg(QString::fromStdString(core::reasonText(*summary)));
}

QString verdictText(const core::Analysis& analysis, const core::PlannedCell& cell)
{
    if (cell.id == cell.referenceId)
        return CompareTexts::tr("this is the quality reference");
    if (cell.referenceId.empty())
        return CompareTexts::tr("nothing to compare with");
    const core::CellSummary* summary = analysis.find(cell.id);
    if (summary == nullptr || !summary->measured)
        return {};
    if (summary->identical())
        return CompareTexts::tr("bit-identical to the reference");
    if (!summary->quality)
        return CompareTexts::tr("not yet compared with the reference");
    if (summary->noiseMultiple) {
        // To as many digits as the table: at 1.02 times the floor the verdict may be worse.
        const QString multiple = CompareTexts::tr("%1× noise floor")
                                     .arg(QLocale().toString(*summary->noiseMultiple, 'g', 3));
        const QString verdict = qualityVerdictText(*summary);
        return verdict.isEmpty() ? multiple : CompareTexts::tr("%1: %2").arg(multiple, verdict);
    }
    const core::NoiseFloor* floor = knownFloor(analysis, *summary);
    if (floor != nullptr && floor->deterministic)
        return CompareTexts::tr("differs from the reference, whose reruns are deterministic");
    if (floor != nullptr && floor->referenceRepeats == false)
        return CompareTexts::tr(
            "differs from the reference, which is not repeatable between rounds");
    return CompareTexts::tr("noise floor not measured");
}

QString verdictExplanation(const core::Analysis& analysis, const core::PlannedCell& cell)
{
    const core::CellSummary* summary = analysis.find(cell.id);
    if (summary == nullptr || !summary->quality)
        return {};
    const QString distance = QLocale().toString(summary->quality->distance, 'g', 3);
    QString text =
        cell.output == core::OutputKind::Image
            ? CompareTexts::tr(
                  "Distance from the quality reference over all images, 1 − mean SSIM: %1.")
                  .arg(distance)
            : CompareTexts::tr("Distance from the quality reference over all samples, by %1: %2.")
                  .arg(QString::fromStdString(core::metricRegistry().distanceOf(cell.output).title),
                       distance);
    const core::NoiseFloor* floor = knownFloor(analysis, *summary);
    if (floor == nullptr)
        return text;
    const core::CellSummary* setBy = analysis.find(floor->setBy);
    const QString name = setBy != nullptr && setBy->cell != nullptr
                             ? cellTitle(setBy->cell->config)
                             : QString::fromStdString(floor->setBy);
    text +=
        QLatin1Char('\n') +
        CompareTexts::tr(
            "Noise floor: %1, the largest distance among runs of the same mathematics; set by %2.")
            .arg(QLocale().toString(floor->distance, 'g', 3), name);
    if (floor->referenceRepeats == false)
        text += QLatin1Char('\n') +
                CompareTexts::tr("The reference itself is not repeatable from round to "
                                 "round: the floor is computed from its first outputs.");
    return text;
}

QString closerText(const core::QualityComparison& comparison)
{
    if (!comparison.verdict)
        return {};
    switch (*comparison.verdict) {
    case core::QualityVerdict::Better:
        return CompareTexts::tr("A is closer to the reference than B");
    case core::QualityVerdict::Worse:
        return CompareTexts::tr("B is closer to the reference than A");
    case core::QualityVerdict::Same:
        return CompareTexts::tr("A and B are equally close to the reference");
    case core::QualityVerdict::Ambiguous:
        return CompareTexts::tr("undecided whether A or B is closer");
    case core::QualityVerdict::TooFewPictures:
        break;
    }
    return CompareTexts::tr("too few images to tell whether A or B is closer");
}

namespace {

QString whyNoVerdict(const core::QualityComparison& comparison)
{
    switch (*comparison.reason) {
    case core::NoVerdict::OtherRun:
        return CompareTexts::tr("a cell is not part of this run");
    case core::NoVerdict::SameCell:
        return CompareTexts::tr("A and B are the same cell");
    case core::NoVerdict::OtherReference:
        return CompareTexts::tr("the cells have different references");
    case core::NoVerdict::Untrained:
        return CompareTexts::tr("no quality with random weights or inputs");
    case core::NoVerdict::OtherEnvironment:
        return CompareTexts::tr("the cells were measured in different environments");
    case core::NoVerdict::NoCommonImages:
        return CompareTexts::tr("no image of both was compared with the reference");
    case core::NoVerdict::NoFloor:
        return CompareTexts::tr("no noise floor: no noise-floor run has finished");
    case core::NoVerdict::FloorIncomplete:
        return CompareTexts::tr("noise floor not final: %1 of %2 noise-floor runs compared")
            .arg(comparison.floorRuns)
            .arg(comparison.floorRunsPlanned);
    case core::NoVerdict::TooFewImages:
        return CompareTexts::tr("a verdict needs at least %1 images").arg(core::kFewestPictures);
    }
    return {};
}

}  // namespace

QString closerExplanation(const core::QualityComparison& comparison)
{
    if (comparison.reason)
        return CompareTexts::tr("A against B: %1").arg(whyNoVerdict(comparison));
    if (!comparison.closer)
        return {};
    const auto number = [](double value) { return QLocale().toString(value, 'g', 3); };
    QString text =
        CompareTexts::tr("A against B over %1 images: the distance 1 − SSIM of B less that of "
                         "A is %2 in the mean")
            .arg(comparison.pictures)
            .arg(number(comparison.closer->value));
    if (const auto& interval = comparison.closer->interval)
        text += CompareTexts::tr(", 95 % interval [%1, %2]")
                    .arg(number(interval->lower), number(interval->upper));
    return text + CompareTexts::tr("; differences below the noise floor of %1 are not significant.")
                      .arg(number(comparison.margin));
}

QString untrainedNote(const core::PlannedCell& cell)
{
    if (cell.trained)
        return {};
    return cell.output == core::OutputKind::Image
               ? CompareTexts::tr("random weights: numeric deviation only, no image quality")
               : CompareTexts::tr("random weights or inputs: numeric deviation only, no quality");
}

QStringList metricsLines(const Comparison& comparison)
{
    if (comparison.identical)
        return {CompareTexts::tr("bit-identical to the reference")};
    QString worst;
    if (!comparison.worstTiles.empty())
        worst =
            CompareTexts::tr(" · worst tile %1").arg(fixed(comparison.worstTiles.front().mean, 4));
    return {CompareTexts::tr("SSIM %1 · %2")
                .arg(fixed(comparison.ssim.mean, 5), psnrText(comparison.psnrDb)),
            CompareTexts::tr("max |Δ| %1")
                    .arg(QLocale().toString(comparison.maximumDifference, 'g', 3)) +
                worst};
}

QStringList metricsLines(const core::OutputQuality& recorded)
{
    if (recorded.identical)
        return {CompareTexts::tr("bit-identical to the reference")};
    QString second =
        CompareTexts::tr("max |Δ| %1")
            .arg(QLocale().toString(recorded.find("max_difference").value_or(0.0), 'g', 3));
    if (recorded.worstTile)
        second += CompareTexts::tr(" · worst tile %1").arg(fixed(recorded.worstTile->ssim, 4));
    return {
        CompareTexts::tr("SSIM %1 · %2")
            .arg(fixed(recorded.find("ssim").value_or(0.0), 5),
                 psnrText(recorded.find("psnr").value_or(std::numeric_limits<double>::infinity()))),
        second};
}

QStringList deviationLines(const Comparison& comparison, const core::OutputQuality* recorded)
{
    const bool identical = recorded != nullptr ? recorded->identical : comparison.identical;
    if (identical)
        return {CompareTexts::tr("bit-identical to the reference")};
    QStringList lines;
    const auto relative = recorded == nullptr ? std::nullopt : recorded->find("relative_l2");
    if (relative)
        lines << CompareTexts::tr("relative L2 %1").arg(QLocale().toString(*relative, 'g', 3));
    const auto most = recorded == nullptr ? std::nullopt : recorded->find("max_difference");
    lines << CompareTexts::tr("max |Δ| %1")
                 .arg(QLocale().toString(most.value_or(comparison.maximumDifference), 'g', 3));
    return lines;
}

QString visibleLine(const core::OutputQuality& recorded)
{
    const auto flip = recorded.find("flip");
    if (!flip || recorded.identical)
        return {};
    const QString text = CompareTexts::tr("FLIP %1").arg(QLocale().toString(*flip, 'g', 3));
    const auto scales = recorded.find("ms_ssim");
    return scales ? CompareTexts::tr("%1 · MS-SSIM %2").arg(text, fixed(*scales, 5)) : text;
}

QString regionLine(const core::RegionScore& score)
{
    const QString size =
        CompareTexts::tr("region %1 × %2 px").arg(score.region.width).arg(score.region.height);
    if (score.identical)
        return CompareTexts::tr("%1 · identical").arg(size);
    const QString ssim = score.ssim ? CompareTexts::tr("SSIM %1").arg(fixed(*score.ssim, 5))
                                    : CompareTexts::tr("no SSIM at the border");
    return QStringList{
        size, ssim, psnrText(score.psnrDb),
        CompareTexts::tr("max |Δ| %1").arg(QLocale().toString(score.maxAbsolute, 'g', 3))}
        .join(QStringLiteral(" · "));
}

const core::OutputQuality* findQuality(const core::RunData& data, const QualityKey& key)
{
    const auto found = std::find_if(
        data.qualities.rbegin(), data.qualities.rend(), [&](const core::OutputQuality& quality) {
            return quality.sample == key.picture && quality.cellId == key.cellId &&
                   quality.referenceId == key.referenceId &&
                   quality.environmentId == key.environmentId;
        });
    return found == data.qualities.rend() ? nullptr : &*found;
}

QString pictureName(const core::RunData& data, int picture)
{
    const auto index = static_cast<std::size_t>(picture);
    return index < data.pictureNames.size() ? QString::fromStdString(data.pictureNames[index])
                                            : CompareTexts::tr("image %1").arg(picture + 1);
}

QString pictureName(const core::RunData& data, const core::PlannedCell& cell,
                    const std::string& environmentId, int picture)
{
    const QString name = pictureName(data, picture);
    if (cell.id == cell.referenceId || !cell.trained)
        return name;
    const core::OutputQuality* quality =
        findQuality(data, {cell.id, cell.referenceId, environmentId, picture});
    if (quality == nullptr)
        return name;
    const auto ssim = quality->find("ssim");
    return ssim ? CompareTexts::tr("%1 · SSIM %2").arg(name, fixed(*ssim, 5)) : name;
}

int pictureCount(const core::RunData& data)
{
    const int named = static_cast<int>(data.pictureNames.size());
    return std::min(kKeptPictures, named > 0 ? named : data.plan.preset.pictures.count);
}

}  // namespace qs::widgets
