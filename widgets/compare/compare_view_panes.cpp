// What the panes of CompareView show, and its export.
#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/compare/pane_grid.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/models/cell_text.h"

#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

QString titleOf(const core::RunData& data, const std::string& cellId)
{
    const core::PlannedCell* cell = data.plan.find(cellId);
    return cell == nullptr ? QString() : cellTitle(cell->config);
}

// The map shares the life of the comparison that it is a part of.
std::shared_ptr<const core::PixelMap> sharedMap(const std::shared_ptr<const Comparison>& comparison,
                                                MapKind kind)
{
    return {comparison, &mapOf(*comparison, kind)};
}

// "NVIDIA H200 · torch 2.11.0 · QuantScope 0.1.0" of the newest row of a cell.
QString measuredOn(const core::RunData& data, const std::string& cellId)
{
    const auto row = std::find_if(data.measurements.rbegin(), data.measurements.rend(),
                                  [&](const auto& each) { return each.cellId == cellId; });
    if (row == data.measurements.rend())
        return {};
    const core::Environment* environment = data.environment(row->environmentId);
    if (environment == nullptr)
        return {};
    QString device = QString::fromStdString(row->config.device);
    for (const core::DeviceDescription& each : environment->devices) {
        if (each.id == row->config.device && !each.name.empty())
            device = QString::fromStdString(each.name);
    }
    return QStringLiteral("%1 · torch %2 · %3")
        .arg(device, QString::fromStdString(environment->torch),
             QString::fromStdString(environment->program));
}

}  // namespace

void CompareView::showHeading()
{
    const core::PlannedCell* cell = cellA();
    QString heading = tr("A: %1").arg(cellTitle(cell->config));
    if (const core::PlannedCell* other = cellB())
        heading += QLatin1Char('\n') + tr("B: %1").arg(cellTitle(other->config));
    m_heading->setText(heading);
    const QString verdict = verdictText(m_store.analysis(), *cell);
    m_verdict->setText(verdict.isEmpty() ? verdict : tr("A: %1").arg(verdict));
    m_verdict->setToolTip(verdictExplanation(m_store.analysis(), *cell));
    m_verdict->setVisible(!verdict.isEmpty());
    const QString untrained = untrainedNote(*cell);
    m_untrained->setText(untrained);
    m_untrained->setVisible(!untrained.isEmpty());
}

void CompareView::showPictureNames()
{
    QStringList names;
    for (int i = 0; i < pictureCount(m_store.data()); ++i)
        names << pictureName(m_store.data(), cellA(), i);
    m_controls->setPictures(names, m_store.selectedPicture());
}

void CompareView::showLoaded()
{
    const LoadedPictures& loaded = *m_set.current();
    m_nextTile = 0;
    for (const PaneContent* content : {&loaded.a, &loaded.reference, &loaded.input}) {
        if (content->picture != nullptr) {
            m_view.setPictureSize({content->picture->width, content->picture->height});
            break;
        }
    }
    m_view.setMark(std::nullopt);
    showPanes();
    showPlace();
}

void CompareView::showPanes()
{
    const LoadedPictures& loaded = *m_set.current();
    showPaneContent(PaneRole::Input, loaded.input);
    showPaneContent(PaneRole::Reference, loaded.reference);
    showPaneContent(PaneRole::B, loaded.b);
    showTitles();
    showPaneA();
    showMap();
    showVisiblePanes();
}

void CompareView::showPaneContent(PaneRole role, const PaneContent& content)
{
    if (content.picture == nullptr)
        pane(role).setMessage(content.problem);
    else
        pane(role).setContent(paneImage(content.picture, content.image));
}

void CompareView::showTitles()
{
    if (m_set.current() == nullptr)
        return;
    const LoadedPictures& loaded = *m_set.current();
    const core::RunData& data = m_store.data();
    const QSize size = m_view.pictureSize();
    pane(PaneRole::Input).setTitle(tr("Input"));
    pane(PaneRole::Input)
        .setCaption({pictureName(data, nullptr, loaded.request.picture),
                     tr("%1 × %2 pixels").arg(size.width()).arg(size.height())});
    const std::string& reference = loaded.request.reference.cellId;
    QStringList caption{titleOf(data, reference)};
    const core::PlannedCell* cell = data.plan.find(reference);
    const core::PictureQuality* original =
        findQuality(data, reference, "input", loaded.request.picture);
    if (cell != nullptr && cell->trained && original != nullptr)
        caption << tr("against input: SSIM %1").arg(QLocale().toString(original->ssim, 'f', 4));
    pane(PaneRole::Reference).setTitle(tr("Reference"));
    pane(PaneRole::Reference).setCaption(caption);
    pane(PaneRole::B).setTitle(tr("B: %1").arg(titleOf(data, loaded.request.b.cellId)));
    pane(PaneRole::B)
        .setCaption(loaded.bToReference.value == nullptr
                        ? QStringList()
                        : metricsLines(*loaded.bToReference.value));
}

void CompareView::showPaneA()
{
    if (m_set.current() == nullptr)
        return;
    const LoadedPictures& loaded = *m_set.current();
    PicturePane& target = pane(PaneRole::A);
    const bool isReference = loaded.request.a == loaded.request.reference;
    if (m_referenceHeld) {
        target.setTitle(tr("Reference (Shift held)"));
        target.setCaption({titleOf(m_store.data(), loaded.request.reference.cellId)});
        showPaneContent(PaneRole::A, loaded.reference);
    } else {
        target.setTitle(tr("A: %1").arg(titleOf(m_store.data(), loaded.request.a.cellId)));
        if (isReference)
            target.setCaption({tr("this is the quality reference")});
        else
            target.setCaption(loaded.aToReference.value == nullptr
                                  ? QStringList()
                                  : metricsLines(*loaded.aToReference.value));
        showPaneContent(PaneRole::A, loaded.a);
    }
    const bool split = m_controls->isSplit() && !m_referenceHeld && loaded.a.picture != nullptr &&
                       loaded.reference.picture != nullptr;
    if (split)
        target.setSplit(paneImage(loaded.reference.picture, loaded.reference.image),
                        tr("reference"), tr("A"));
    else
        target.clearSplit();
}

void CompareView::showMap()
{
    PicturePane& target = pane(PaneRole::Map);
    const MapScale scale = m_controls->scale();
    const ComparisonContent& compared = mapComparison();
    const QString other =
        m_controls->against() == MapAgainst::B ? tr("A against B") : tr("A against reference");
    target.setTitle(QStringLiteral("%1: %2").arg(kindName(scale.kind), other));
    if (compared.value == nullptr) {
        target.setCaption({});
        target.setMessage(compared.problem);
        m_magnify->hide();
        m_bar->setScale(scale, false);
        return;
    }
    const core::PixelMap& map = mapOf(*compared.value, scale.kind);
    const double largest = largestMagnitude(map);
    target.setContent(paneImage(sharedMap(compared.value, scale.kind), scale));
    target.setCaption({tr("scale %1").arg(rangeText(scale)),
                       tr("largest %1").arg(QLocale().toString(largest, 'g', 3))});
    m_bar->setScale(scale, largest > scale.range);
    const std::optional<double> clearer = clearerRange(map, scale);
    m_magnify->setVisible(clearer.has_value());
    if (clearer)
        m_magnify->setText(
            tr("Faint: magnify to %1").arg(rangeText({.kind = scale.kind, .range = *clearer})));
}

void CompareView::showVisiblePanes()
{
    for (int i = 0; i < kPaneCount; ++i) {
        const auto role = static_cast<PaneRole>(i);
        pane(role).setVisible(m_controls->isPaneWanted(role));
    }
    m_bar->setVisible(m_controls->isPaneWanted(PaneRole::Map));
    m_grid->arrange();
}

void CompareView::showPlace()
{
    QStringList parts;
    if (m_set.isLoading())
        parts << tr("loading …");
    if (const auto cursor = m_view.cursor())
        parts << tr("x %1, y %2")
                     .arg(static_cast<int>(std::floor(cursor->x())))
                     .arg(static_cast<int>(std::floor(cursor->y())));
    const double scale = m_view.scaleIn(pane(PaneRole::A).viewport().size());
    parts << tr("zoom %1 %").arg(QLocale().toString(scale * devicePixelRatioF() * 100.0, 'f', 0));
    m_place->setText(parts.join(QStringLiteral(" · ")));
}

core::Status CompareView::exportPng(const std::filesystem::path& path)
{
    // The shortcut for exporting may contain Shift itself.
    holdReference(false);
    const core::PlannedCell* cell = cellA();
    if (cell == nullptr || m_set.current() == nullptr || m_set.isLoading())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "select a cell and wait for its pictures before exporting them"};
    ExportSheet sheet;
    sheet.pictureSize = m_view.pictureSize();
    sheet.heading = QStringLiteral("%1 · %2").arg(
        QString::fromStdString(cell->config.model),
        pictureName(m_store.data(), nullptr, m_set.current()->request.picture));
    for (int i = 0; i < kPaneCount; ++i) {
        const auto role = static_cast<PaneRole>(i);
        const PicturePane& shown = pane(role);
        if (!shown.isHidden() && !shown.image().isNull())
            sheet.panes.push_back({.title = shown.title(),
                                   .caption = shown.caption(),
                                   .image = shown.image(),
                                   .offset = shown.imageOffset()});
    }
    const ComparisonContent& compared = mapComparison();
    if (compared.value != nullptr) {
        if (!compared.value->worstTiles.empty() && !compared.value->identical)
            sheet.worstTile = compared.value->worstTiles.front();
        if (m_controls->isPaneWanted(PaneRole::Map)) {
            sheet.scale = m_controls->scale();
            sheet.clipped =
                largestMagnitude(mapOf(*compared.value, sheet.scale->kind)) > sheet.scale->range;
        }
    }
    const QString verdict = verdictText(m_store.analysis(), *cell);
    for (const QString& note : {verdict.isEmpty() ? verdict : tr("A: %1").arg(verdict),
                                untrainedNote(*cell), measuredOn(m_store.data(), cell->id),
                                QString::fromStdString(core::name(core::SsimVariant::Wang04))}) {
        if (!note.isEmpty())
            sheet.notes << note;
    }
    return writeSheet(path, sheet, provenanceTexts(m_store.data()));
}

}  // namespace qs::widgets
