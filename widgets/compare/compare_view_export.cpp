// The comparison as a picture for a report.
#include "widgets/compare/compare_view.h"

#include "widgets/compare/compare_sheet.h"
#include "widgets/compare/tile_panel.h"

#include <optional>
#include <utility>

namespace qs::widgets {

core::Result<ExportSheet> CompareView::exportSheet()
{
    // The shortcut for exporting may contain Shift itself.
    m_hold->letGo();
    return sheetOf({m_store, m_cells, m_set, m_panes, m_maps, m_contents.judged(), m_tiles->tile(),
                    m_view.pictureSize(), font()});
}

void CompareView::exportPng(const std::filesystem::path& path,
                            std::function<void(core::Status)> done)
{
    core::Result<ExportSheet> sheet = exportSheet();
    if (!sheet.ok())
        return done(sheet.error());
    m_export.start(
        this,
        [path, sheet = std::move(sheet).value(), texts = provenanceTexts(m_store.data())](
            const auto& /*wanted*/) { return std::optional(writeSheet(path, sheet, texts)); },
        [done = std::move(done)](const std::optional<core::Status>& written) {
            done(written.value_or(core::Error{core::ErrorCode::OutOfMemory,
                                              "not enough memory to draw the comparison"}));
        });
}

}  // namespace qs::widgets
