#include "widgets/compare/compare_text.h"

#include "core/report/words/failure_text.h"

#include "widgets/models/cell_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::widgets {

namespace {

// The worker keeps the outputs of this many pictures per cell.
constexpr int kKeptPictures = 16;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(CompareText)
};

QString fixed(double value, int digits)
{
    return QLocale().toString(value, 'f', digits);
}

QString psnrText(double psnrDb)
{
    return std::isfinite(psnrDb) ? Text::tr("PSNR %1 dB").arg(fixed(psnrDb, 1))
                                 : Text::tr("PSNR: equal when clamped");
}

const core::NoiseFloor* knownFloor(const core::Analysis& analysis, const core::CellSummary& summary)
{
    const core::NoiseFloor* floor = analysis.floorOf(summary);
    return floor == nullptr || floor->setBy.empty() ? nullptr : floor;
}

}  // namespace

QString unavailableText(const core::PlannedCell& cell, const core::CellSummary* summary)
{
    const QString sentence = Text::tr("This cell has no pictures: %1");
    if (!cell.possible())
        return sentence.arg(QString::fromStdString(cell.impossible));
    if (summary == nullptr)
        return sentence.arg(Text::tr("not measured yet"));
    if (summary->measured)
        return {};
    return sentence.arg(QString::fromStdString(core::reasonText(*summary)));
}

QString verdictText(const core::Analysis& analysis, const core::PlannedCell& cell)
{
    if (cell.id == cell.referenceId)
        return Text::tr("this is the quality reference");
    const core::CellSummary* summary = analysis.find(cell.id);
    if (summary == nullptr || !summary->measured)
        return {};
    if (summary->identical)
        return Text::tr("identical to the reference");
    if (!summary->ssimMean)
        return Text::tr("not yet compared with the reference");
    if (summary->noiseMultiple)
        return Text::tr("%1× noise floor").arg(QLocale().toString(*summary->noiseMultiple, 'g', 2));
    const core::NoiseFloor* floor = knownFloor(analysis, *summary);
    if (floor != nullptr && floor->deterministic)
        return Text::tr("differs from the reference, whose reruns are deterministic");
    if (floor != nullptr && floor->referenceRepeats == false)
        return Text::tr("differs from the reference, which does not repeat between rounds");
    return Text::tr("noise floor not measured");
}

QString verdictExplanation(const core::Analysis& analysis, const core::PlannedCell& cell)
{
    const core::CellSummary* summary = analysis.find(cell.id);
    if (summary == nullptr || !summary->ssimMean)
        return {};
    QString text = Text::tr("Distance to the quality reference over all pictures: 1 − mean SSIM = "
                            "%1.")
                       .arg(QLocale().toString(1.0 - *summary->ssimMean, 'g', 3));
    const core::NoiseFloor* floor = knownFloor(analysis, *summary);
    if (floor == nullptr)
        return text;
    const core::CellSummary* setBy = analysis.find(floor->setBy);
    const QString name = setBy != nullptr && setBy->cell != nullptr
                             ? cellTitle(setBy->cell->config)
                             : QString::fromStdString(floor->setBy);
    text += QLatin1Char('\n') +
            Text::tr("Noise floor: %1, the largest distance among runs that compute the same "
                     "mathematics; set by %2.")
                .arg(QLocale().toString(floor->distance, 'g', 3), name);
    if (floor->referenceRepeats == false)
        text += QLatin1Char('\n') +
                Text::tr("The reference itself gives other outputs from round to round: the floor "
                         "is that of its first ones.");
    return text;
}

QString closerText(const core::QualityComparison& comparison)
{
    if (!comparison.verdict)
        return {};
    switch (*comparison.verdict) {
    case core::QualityVerdict::Better:
        return Text::tr("A is closer to the reference than B");
    case core::QualityVerdict::Worse:
        return Text::tr("B is closer to the reference than A");
    case core::QualityVerdict::Same:
        return Text::tr("A and B are equally close to the reference");
    case core::QualityVerdict::Ambiguous:
        return Text::tr("whether A or B is closer is not settled");
    case core::QualityVerdict::TooFewPictures:
        break;
    }
    return Text::tr("too few pictures to tell whether A or B is closer");
}

QString closerExplanation(const core::QualityComparison& comparison)
{
    if (!comparison.reason.empty())
        return Text::tr("A against B: %1").arg(QString::fromStdString(comparison.reason));
    if (!comparison.closer)
        return {};
    const auto number = [](double value) { return QLocale().toString(value, 'g', 3); };
    QString text = Text::tr("A against B over %1 pictures: the distance 1 − SSIM of B less that of "
                            "A is %2 in the mean")
                       .arg(comparison.pictures)
                       .arg(number(comparison.closer->value));
    if (const auto& interval = comparison.closer->interval)
        text += Text::tr(", 95 % interval [%1, %2]")
                    .arg(number(interval->lower), number(interval->upper));
    return text + Text::tr("; less than the noise floor of %1 is no difference.")
                      .arg(number(comparison.margin));
}

QString untrainedNote(const core::PlannedCell& cell)
{
    if (cell.trained)
        return {};
    return Text::tr("numeric deviation (untrained weights): random weights reconstruct nothing");
}

QStringList metricsLines(const Comparison& comparison)
{
    if (comparison.identical)
        return {Text::tr("identical to the reference"), Text::tr("every value is equal")};
    QString worst;
    if (!comparison.worstTiles.empty())
        worst = Text::tr(" · worst tile %1").arg(fixed(comparison.worstTiles.front().mean, 4));
    return {
        Text::tr("SSIM %1 · %2").arg(fixed(comparison.ssim.mean, 5), psnrText(comparison.psnrDb)),
        Text::tr("max |Δ| %1").arg(QLocale().toString(comparison.maximumDifference, 'g', 3)) +
            worst};
}

QStringList metricsLines(const core::PictureQuality& recorded)
{
    if (recorded.maximumDifference == 0.0)
        return {Text::tr("identical to the reference"), Text::tr("every value is equal")};
    return {Text::tr("SSIM %1 · %2")
                .arg(fixed(recorded.ssim, 5),
                     psnrText(recorded.psnr.value_or(std::numeric_limits<double>::infinity()))),
            Text::tr("max |Δ| %1 · worst tile %2")
                .arg(QLocale().toString(recorded.maximumDifference, 'g', 3),
                     fixed(recorded.worstTileSsim, 4))};
}

QString visibleLine(const core::PictureQuality& recorded)
{
    if (!recorded.flip || recorded.maximumDifference == 0.0)
        return {};
    const QString flip = Text::tr("FLIP %1").arg(QLocale().toString(*recorded.flip, 'g', 3));
    return recorded.msSsim ? Text::tr("%1 · MS-SSIM %2").arg(flip, fixed(*recorded.msSsim, 5))
                           : flip;
}

QString regionLine(const core::RegionScore& score)
{
    const QString size =
        Text::tr("region %1 × %2 px").arg(score.region.width).arg(score.region.height);
    if (score.identical)
        return Text::tr("%1 · identical").arg(size);
    const QString ssim = score.ssim ? Text::tr("SSIM %1").arg(fixed(*score.ssim, 5))
                                    : Text::tr("no SSIM at the border");
    return QStringList{size, ssim, psnrText(score.psnrDb),
                       Text::tr("max |Δ| %1").arg(QLocale().toString(score.maxAbsolute, 'g', 3))}
        .join(QStringLiteral(" · "));
}

const core::PictureQuality* findQuality(const core::RunData& data, const QualityKey& key)
{
    const auto found = std::find_if(
        data.qualities.rbegin(), data.qualities.rend(), [&](const core::PictureQuality& quality) {
            return quality.picture == key.picture && quality.cellId == key.cellId &&
                   quality.referenceId == key.referenceId &&
                   quality.environmentId == key.environmentId;
        });
    return found == data.qualities.rend() ? nullptr : &*found;
}

QString pictureName(const core::RunData& data, int picture)
{
    const auto index = static_cast<std::size_t>(picture);
    return index < data.pictureNames.size() ? QString::fromStdString(data.pictureNames[index])
                                            : Text::tr("picture %1").arg(picture + 1);
}

QString pictureName(const core::RunData& data, const core::PlannedCell& cell,
                    const std::string& environmentId, int picture)
{
    const QString name = pictureName(data, picture);
    if (cell.id == cell.referenceId)
        return name;
    const core::PictureQuality* quality =
        findQuality(data, {cell.id, cell.referenceId, environmentId, picture});
    if (quality == nullptr)
        return name;
    return Text::tr("%1 · SSIM %2").arg(name, fixed(quality->ssim, 5));
}

int pictureCount(const core::RunData& data)
{
    const int named = static_cast<int>(data.pictureNames.size());
    return std::min(kKeptPictures, named > 0 ? named : data.plan.preset.pictures.count);
}

}  // namespace qs::widgets
