#include "core/analysis/quality_figures.h"

#include "core/stats/moments.h"

#include <algorithm>
#include <map>
#include <utility>

namespace qs::core {

namespace {

bool isIdentical(const PictureQuality& quality)
{
    // PSNR is of clamped values; outputs may still differ beyond the range.
    return !quality.psnr && quality.maximumDifference == 0.0;
}

// The means of one cell while its pictures are gone through.
struct QualityMoments {
    Moments ssim;
    Moments psnr;
    Moments msSsim;
    Moments flip;
    Moments difference;
    Moments relative;
    Moments cosine;

    void add(const PictureQuality& quality)
    {
        ssim.add(quality.ssim);
        difference.add(quality.meanDifference);
        for (const auto& [moments, value] :
             {std::pair(&psnr, quality.psnr), std::pair(&msSsim, quality.msSsim),
              std::pair(&flip, quality.flip), std::pair(&relative, quality.relativeL2),
              std::pair(&cosine, quality.cosineSimilarity)}) {
            if (value)
                moments->add(*value);
        }
    }
    // A mean over some of the pictures would be one of other pictures than that of SSIM.
    [[nodiscard]] std::optional<double> meanOfAll(const Moments& moments) const
    {
        return moments.count() == ssim.count() ? std::optional(moments.mean()) : std::nullopt;
    }
};

QualityFigures figuresOf(const std::map<int, const PictureQuality*>& pictures)
{
    QualityFigures figures;
    QualityMoments moments;
    figures.identical = true;
    for (const auto& [picture, quality] : pictures) {
        if (figures.pictures.empty() || quality->ssim < figures.ssimWorst) {
            figures.ssimWorst = quality->ssim;
            figures.worstPicture = picture;
        }
        moments.add(*quality);
        figures.maximumDifference = std::max(figures.maximumDifference, quality->maximumDifference);
        figures.pictures.push_back(picture);
        figures.distances.push_back(isIdentical(*quality) ? 0.0
                                                          : std::max(0.0, 1.0 - quality->ssim));
        figures.identical = figures.identical && isIdentical(*quality);
    }
    figures.ssimMean = moments.ssim.mean();
    figures.meanDifference = moments.difference.mean();
    // Identical pictures have no finite PSNR; see CellSummary::psnrPictures.
    figures.psnrPictures = moments.psnr.count();
    if (figures.psnrPictures > 0)
        figures.psnrMean = moments.psnr.mean();
    figures.msSsimMean = moments.meanOfAll(moments.msSsim);
    figures.flipMean = moments.meanOfAll(moments.flip);
    if (figures.flipMean)
        figures.flipWorst = moments.flip.maximum();
    figures.relativeL2 = moments.meanOfAll(moments.relative);
    figures.cosineSimilarity = moments.meanOfAll(moments.cosine);
    return figures;
}

}  // namespace

double QualityFigures::distance() const
{
    return identical ? 0.0 : std::max(0.0, 1.0 - ssimMean);
}

double QualityFigures::worstDistance() const
{
    return identical ? 0.0 : std::max(0.0, 1.0 - ssimWorst);
}

QualityIndex::QualityIndex(const std::vector<PictureQuality>& qualities)
{
    for (const PictureQuality& quality : qualities)
        m_byCell[quality.cellId].push_back(&quality);
}

std::optional<QualityFigures> QualityIndex::figures(const std::string& cellId,
                                                    const std::string& referenceId,
                                                    const std::string& environmentId) const
{
    const auto found = m_byCell.find(cellId);
    if (found == m_byCell.end())
        return std::nullopt;
    std::map<int, const PictureQuality*> pictures;
    for (const PictureQuality* quality : found->second) {
        if (quality->referenceId == referenceId && quality->environmentId == environmentId)
            pictures[quality->picture] = quality;
    }
    if (pictures.empty())
        return std::nullopt;
    return figuresOf(pictures);
}

bool QualityIndex::comparedAnywhere(const std::string& cellId, const std::string& referenceId) const
{
    const auto found = m_byCell.find(cellId);
    return found != m_byCell.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](const auto* quality) { return quality->referenceId == referenceId; });
}

}  // namespace qs::core
