#pragma once

#include "core/model/workload.h"
#include "core/record/run_data.h"
#include "core/stats/moments.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace qs::core {

// One output metric over the outputs of a cell.
struct MetricFigure {
    double mean = 0.0;
    double worst = 0.0;
    int worstSample = 0;
    std::size_t samples = 0;  // that have it: equal images have no finite PSNR

    bool operator==(const MetricFigure&) const = default;
};

struct FinerDistance {
    double mean = 0.0;
    double worst = 0.0;

    bool operator==(const FinerDistance&) const = default;
};

// Over the outputs of one cell against one reference.
struct QualityFigures {
    std::vector<int> samples;  // that were compared, ascending
    bool identical = false;    // all of them, bit by bit
    std::map<std::string, MetricFigure, std::less<>> metrics;
    // How far each of them is from the reference, 0 if they are identical; see
    // OutputMetric::isDistanceOf.
    std::vector<double> distances;
    double distance = 0.0;  // in the mean
    double worstDistance = 0.0;
    int worstSample = 0;
    // The same by what tells equal choices apart, see OutputMetric::isFinerDistanceOf; nothing for
    // other kinds, and where a record lacks it.
    std::optional<FinerDistance> finer = {};

    [[nodiscard]] std::optional<double> mean(std::string_view metric) const;
    [[nodiscard]] std::optional<double> worst(std::string_view metric) const;

    bool operator==(const QualityFigures&) const = default;
};

// How far the outputs of a cell are from those of the same cell without compiling.
struct FromUncompiled {
    double difference = 0.0;  // the largest of a value
    // Of texts that are written: share of the tokens that are the same, without the prompt and
    // with it.
    std::optional<double> equalTokens = {};
    std::optional<double> equalTokensWithPrompt = {};

    bool operator==(const FromUncompiled&) const = default;
};

// The qualities of a run by cell, reference and environment; an output that was compared twice
// counts as the second time.
class QualityIndex final
{
public:
    // `qualities` must outlive the object.
    explicit QualityIndex(const std::vector<OutputQuality>& qualities);

    // Nothing if no output was compared.
    [[nodiscard]] std::optional<QualityFigures> figures(const PlannedCell& cell,
                                                        const std::string& referenceId,
                                                        const std::string& environmentId) const;
    // Share of the labelled samples that a cell is right about; nothing without labels.
    [[nodiscard]] std::optional<double> rightShare(const PlannedCell& cell,
                                                   const std::string& environmentId) const;
    // Of the texts that it reads, in nats a token; nothing for other cells.
    [[nodiscard]] std::optional<double> textLoss(const PlannedCell& cell,
                                                 const std::string& environmentId) const;
    // Nothing for one that is not compiled.
    [[nodiscard]] std::optional<FromUncompiled>
    fromUncompiled(const PlannedCell& cell, const std::string& environmentId) const;
    // Whether the cell was compared with the reference in any environment.
    [[nodiscard]] bool comparedAnywhere(const std::string& cellId,
                                        const std::string& referenceId) const;

private:
    // Over the samples, of a figure against something that is no cell.
    [[nodiscard]] Moments momentsOver(std::string_view figure, std::string_view referenceId,
                                      const PlannedCell& cell,
                                      const std::string& environmentId) const;
    [[nodiscard]] std::optional<double> meanOf(std::string_view figure,
                                               std::string_view referenceId,
                                               const PlannedCell& cell,
                                               const std::string& environmentId) const;

    std::unordered_map<std::string, std::vector<const OutputQuality*>> m_byCell;
};

}  // namespace qs::core
