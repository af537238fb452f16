#pragma once

#include "core/analysis/quality_comparison.h"
#include "widgets/compare/compare_panes.h"
#include "widgets/compare/image_tone.h"
#include "widgets/compare/picture_set.h"
#include "widgets/compare/region_scorer.h"

#include <optional>

namespace qs::widgets {

// Fills the panes of input, reference and cells with what was loaded, and says above each what it
// is and how it compares.
class PaneContents final
{
    Q_DECLARE_TR_FUNCTIONS(PaneContents)

public:
    struct Sources {
        const RunStore& store;
        const ComparedCells& cells;
        const PictureSet& pictures;
        const SharedView& view;
        const RegionScorer& scorer;
        TonedImages& tones;
    };

    // Everything given must outlive the object.
    PaneContents(const Sources& sources, const ComparePanes& panes);

    // Until the first pictures of a run are there.
    void showWaiting() const;
    // Compares A with B over all pictures of the run; takes time, so once per analysis.
    void judge();
    // A against B; without a verdict if there is no B.
    [[nodiscard]] const core::QualityComparison& judged() const { return m_judged; }
    // `instead`: one of splitNames() in the place of A, the first of them in that of every cell.
    // Nothing happens before something was loaded.
    void show(std::optional<int> instead) const;
    // What A can be wiped or blinked with, by name.
    [[nodiscard]] QStringList splitNames() const;
    // The one with that number; none: no line.
    void showSplit(std::optional<int> left) const;

private:
    struct SplitChoice {
        QString name;
        const PaneContent* content = nullptr;
        QString title;  // what it is
    };

    void fill(PicturePane& pane, const PaneContent& content) const;
    // Something else in the place of A; false if there is no such thing.
    [[nodiscard]] bool showInstead(int choice) const;

    void showInput() const;
    void showReference() const;
    void showCell(int place) const;
    // A has no picture: why, and which cell has some.
    void showNearest(PicturePane& pane, const core::PlannedCell& cell,
                     const QString& problem) const;
    // Of the run in view or, by its folder, of the one beside it; null if it has no such cell.
    [[nodiscard]] const core::PlannedCell* plannedOf(const OutputSource& source) const;
    [[nodiscard]] const core::Analysis& analysisOf(const OutputSource& source) const;
    // The one that is beside the run in view now, if the source is of it.
    [[nodiscard]] const OtherRun* otherRunOf(const OutputSource& source) const;
    [[nodiscard]] QString titleOf(const OutputSource& source) const;
    // "A", or with the name of the run where another one is beside it.
    [[nodiscard]] QString labelOf(int place) const;
    // How B compares with A over all images; empty if nothing can be said.
    [[nodiscard]] QString besideText() const;
    [[nodiscard]] QStringList captionOf(int place, const LoadedCell& loaded) const;
    [[nodiscard]] const core::OutputQuality* recordedOf(const OutputSource& source) const;
    [[nodiscard]] QStringList metricsOf(const LoadedCell& loaded) const;
    [[nodiscard]] std::vector<SplitChoice> splitChoices() const;

    Sources m_from;
    const ComparePanes& m_panes;
    core::QualityComparison m_judged;
};

}  // namespace qs::widgets
