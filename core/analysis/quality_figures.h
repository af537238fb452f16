#pragma once

#include "core/record/run_data.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// Over the pictures of one cell against one reference.
struct QualityFigures {
    double ssimMean = 0.0;
    double ssimWorst = 0.0;
    int worstPicture = 0;
    std::optional<double> psnrMean;  // over pictures that differ …
    std::size_t psnrPictures = 0;    // … which are so many
    bool identical = false;          // all of them, bit by bit
    std::optional<double> msSsimMean;
    std::optional<double> flipMean;
    std::optional<double> flipWorst;
    double maximumDifference = 0.0;    // of all pictures
    double meanDifference = 0.0;       // mean over pictures
    std::optional<double> relativeL2;  // mean
    std::optional<double> cosineSimilarity;
    std::vector<int> pictures;
    std::vector<double> distances;  // 1 - SSIM of each of them

    // 1 - mean SSIM; rounding must not make it negative.
    [[nodiscard]] double distance() const;
    // The same of the worst picture.
    [[nodiscard]] double worstDistance() const;
};

// The qualities of a run by cell, reference and environment; a picture that was compared twice
// counts as the second time.
class QualityIndex final
{
public:
    // `qualities` must outlive the object.
    explicit QualityIndex(const std::vector<PictureQuality>& qualities);

    [[nodiscard]] std::optional<QualityFigures> figures(const std::string& cellId,
                                                        const std::string& referenceId,
                                                        const std::string& environmentId) const;
    // Whether the cell was compared with the reference in any environment.
    [[nodiscard]] bool comparedAnywhere(const std::string& cellId,
                                        const std::string& referenceId) const;

private:
    std::unordered_map<std::string, std::vector<const PictureQuality*>> m_byCell;
};

}  // namespace qs::core
