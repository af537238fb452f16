#include "widgets/compare/compare_sheet.h"

#include "widgets/compare/compare_text.h"

#include <QCoreApplication>

namespace qs::widgets {

namespace {

struct CompareSheetText {
    Q_DECLARE_TR_FUNCTIONS(CompareSheet)
};

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
        return CompareSheetText::tr("Maps: %1").arg(scaleTitle(scale));
    const auto variant = otherVariantOf(scale.kind);
    return variant ? CompareSheetText::tr("Maps: 1 − %1")
                         .arg(QString::fromStdString(core::name(*variant)))
                   : QString();
}

QStringList notesOf(const SheetSources& from, const core::PlannedCell& cell, bool maps)
{
    const QString verdict = verdictText(from.store.analysis(), cell);
    QStringList notes{verdict.isEmpty() ? verdict : CompareSheetText::tr("A: %1").arg(verdict),
                      closerText(from.judged),
                      untrainedNote(cell),
                      madeOn(from.store.data().environment(from.cells.environment()), cell),
                      QString::fromStdString(core::name(core::SsimVariant::Wang04)),
                      maps ? mapsNote(from.maps.scale()) : QString()};
    notes.removeAll(QString());
    return notes;
}

void addPane(const PicturePane& pane, ExportSheet& sheet)
{
    if (!pane.image().isNull())
        sheet.panes.push_back({.title = pane.title(),
                               .caption = pane.caption(),
                               .image = pane.image(),
                               .offset = pane.imageOffset()});
}

// What is seen, and of each cell that is seen its picture and its map; says whether there are maps.
bool addPanes(const SheetSources& from, ExportSheet& sheet)
{
    for (const PicturePane* pane : {&from.panes.input(), &from.panes.reference()}) {
        if (!pane->isHidden())
            addPane(*pane, sheet);
    }
    bool maps = false;
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        if (from.panes.seen(place).isHidden())
            continue;
        addPane(from.panes.picture(place), sheet);
        const bool mapped = from.maps.isWanted(place) && !from.panes.map(place).image().isNull();
        if (mapped)
            addPane(from.panes.map(place), sheet);
        maps = maps || mapped;
    }
    return maps;
}

}  // namespace

core::Result<ExportSheet> sheetOf(const SheetSources& from)
{
    const core::PlannedCell* cell = from.cells.cell(ComparedCells::kA);
    if (cell == nullptr || from.pictures.current() == nullptr || from.pictures.isLoading() ||
        from.maps.isBusy())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "select a cell and wait for its images before exporting them"};
    if (cell->output != core::OutputKind::Image)
        return core::Error{core::ErrorCode::InvalidArgument,
                           "the outputs of this model are not images"};
    ExportSheet sheet;
    sheet.pictureSize = from.pictureSize;
    sheet.font = from.font;
    sheet.heading = QStringLiteral("%1 · %2").arg(
        QString::fromStdString(cell->config.model),
        pictureName(from.store.data(), from.pictures.current()->request.picture));
    const bool maps = addPanes(from, sheet);
    if (sheet.panes.empty())
        return core::Error{core::ErrorCode::InvalidArgument, "there are no images to export"};
    if (maps) {
        sheet.scale = from.maps.scale();
        sheet.clipped = from.maps.isClipped();
    }
    if (const ComparisonContent* compared = from.maps.comparison(ComparedCells::kA);
        compared != nullptr && compared->value != nullptr && !compared->value->identical &&
        !compared->value->worstTiles.empty())
        sheet.worstTile = from.tile ? *from.tile : compared->value->worstTiles.front();
    sheet.notes = notesOf(from, *cell, maps);
    return sheet;
}

}  // namespace qs::widgets
