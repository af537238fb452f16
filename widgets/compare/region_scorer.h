#pragma once

#include "core/image/region.h"
#include "widgets/background/latest_task.h"
#include "widgets/compare/loaded_pictures.h"

#include <QObject>

#include <memory>
#include <vector>

namespace qs::widgets {

// A cell's picture beside its reference, for scoring a part of them.
struct ScoredPair {
    std::shared_ptr<const core::Picture> picture;
    std::shared_ptr<const core::Picture> reference;
    std::shared_ptr<const Comparison> comparison;  // of the two; null if there is none
};

// Scores one region in several pictures on a worker. Lives on the GUI thread.
class RegionScorer final : public QObject
{
    Q_OBJECT

public:
    // One per pair, empty where there is nothing to score.
    using Scores = std::vector<std::optional<core::RegionScore>>;

    explicit RegionScorer(QObject* parent = nullptr) : QObject(parent) {}

    void request(std::vector<ScoredPair> pairs, const core::Region& region);
    void clear();
    // Of the last request that was answered; empty after clear().
    [[nodiscard]] const Scores& current() const { return m_scores; }
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }

Q_SIGNALS:
    void scored();

private:
    Scores m_scores;
    LatestTask<Scores> m_task;
};

}  // namespace qs::widgets
