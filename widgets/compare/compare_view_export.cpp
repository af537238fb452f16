// The comparison as a picture for a report.
#include "widgets/compare/compare_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/picture_pane.h"

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

// "NVIDIA H200 · torch 2.11.0 · QuantScope 0.1.0"; empty if the environment is not known.
QString madeOn(const core::Environment* environment, const core::PlannedCell& cell)
{
    if (environment == nullptr)
        return {};
    QString device = QString::fromStdString(cell.config.device);
    for (const core::DeviceDescription& each : environment->devices) {
        if (each.id == cell.config.device && !each.name.empty())
            device = QString::fromStdString(each.name);
    }
    return QStringLiteral("%1 · torch %2 · %3")
        .arg(device, QString::fromStdString(environment->torch),
             QString::fromStdString(environment->program));
}

// What the captions do not say already of the maps.
QString mapsNote(const MapScale& scale)
{
    if (scale.kind == MapKind::Flip)
        return CompareView::tr("Maps: %1").arg(scaleTitle(scale));
    const auto variant = otherVariantOf(scale.kind);
    return variant
               ? CompareView::tr("Maps: 1 − %1").arg(QString::fromStdString(core::name(*variant)))
               : QString();
}

}  // namespace

core::Result<ExportSheet> CompareView::exportSheet()
{
    // The shortcut for exporting may contain Shift itself.
    holdReference(false);
    const core::PlannedCell* cell = cellA();
    if (cell == nullptr || m_set.current() == nullptr || m_set.isLoading() || m_maps.isBusy())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "select a cell and wait for its pictures before exporting them"};
    ExportSheet sheet;
    sheet.pictureSize = m_view.pictureSize();
    sheet.font = font();
    sheet.heading = QStringLiteral("%1 · %2").arg(
        QString::fromStdString(cell->config.model),
        pictureName(m_store.data(), m_set.current()->request.picture));
    const auto add = [&sheet](const PicturePane& shown) {
        if (!shown.isHidden() && !shown.image().isNull())
            sheet.panes.push_back({.title = shown.title(),
                                   .caption = shown.caption(),
                                   .image = shown.image(),
                                   .offset = shown.imageOffset()});
    };
    add(*m_input);
    add(*m_reference);
    for (const CellPanes& each : m_cells)
        add(*each.picture);
    const std::size_t pictures = sheet.panes.size();
    for (const CellPanes& each : m_cells)
        add(*each.map);
    if (sheet.panes.empty())
        return core::Error{core::ErrorCode::InvalidArgument, "there are no pictures to export"};
    if (sheet.panes.size() > pictures) {
        sheet.scale = m_controls->scale();
        for (const DrawnMap& drawn : m_maps.current())
            sheet.clipped = sheet.clipped || drawn.largest > sheet.scale->range;
    }
    if (const ComparisonContent* compared = mapComparison(kA);
        compared != nullptr && compared->value != nullptr && !compared->value->identical &&
        !compared->value->worstTiles.empty())
        sheet.worstTile = m_tile ? *m_tile : compared->value->worstTiles.front();
    const QString verdict = verdictText(m_store.analysis(), *cell);
    for (const QString& note :
         {verdict.isEmpty() ? verdict : tr("A: %1").arg(verdict), closerText(m_judged),
          untrainedNote(*cell), madeOn(m_store.data().environment(environment()), *cell),
          QString::fromStdString(core::name(core::SsimVariant::Wang04)),
          sheet.scale ? mapsNote(*sheet.scale) : QString()}) {
        if (!note.isEmpty())
            sheet.notes << note;
    }
    return sheet;
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
