#pragma once

#include "widgets/compare/compare_maps.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/compare/pane_contents.h"

namespace qs::widgets {

struct SheetSources {
    const RunStore& store;
    const ComparedCells& cells;
    const PictureSet& pictures;
    const ComparePanes& panes;
    const CompareMaps& maps;
    const core::QualityComparison& judged;
    std::optional<core::Tile> tile;  // that was jumped to
    QSize pictureSize;
    QFont font;
};

// The comparison that is seen, as a picture for a report: its panes with their captions, the worst
// tile, what was found and where it was measured. An error while it is not all there.
[[nodiscard]] core::Result<ExportSheet> sheetOf(const SheetSources& from);

}  // namespace qs::widgets
