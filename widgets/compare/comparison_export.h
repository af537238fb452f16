#pragma once

#include "core/base/result.h"
#include "core/image/png_codec.h"
#include "core/image/tiles.h"
#include "core/record/run_data.h"
#include "widgets/compare/map_scale.h"

#include <QFont>
#include <QImage>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

namespace qs::widgets {

struct ExportPane {
    QString title;
    QStringList caption;
    QImage image;
    QPoint offset;  // of the image, in pixels of the picture
};

// A comparison as it goes into a report.
struct ExportSheet {
    QString heading;
    QStringList notes;  // below the panes: verdict, where measured
    QSize pictureSize;
    QFont font;                     // its family; sizes follow the pictures
    std::vector<ExportPane> panes;  // in rows of at most kExportColumns
    std::optional<MapScale> scale;  // of the maps, if there are any
    bool clipped = false;
    std::optional<core::Tile> worstTile;  // framed, and magnified below each pane
};

inline constexpr int kExportColumns = 5;

// Light, whatever the theme; magnified pixels stay square. Any thread.
[[nodiscard]] QImage renderSheet(const ExportSheet& sheet);

// The preset and the environments of the run, by the keywords that an exported PNG carries.
[[nodiscard]] core::PngTexts provenanceTexts(const core::RunData& data);
inline constexpr const char* kPresetKeyword = "QuantScope-Preset";
inline constexpr const char* kEnvironmentsKeyword = "QuantScope-Environments";

// Renders and writes. Blocking: meant for a worker thread.
[[nodiscard]] core::Status writeSheet(const std::filesystem::path& path, const ExportSheet& sheet,
                                      const core::PngTexts& texts);

}  // namespace qs::widgets
