// What the panes of CompareView show.
#include "widgets/compare/color_bar.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/pane_grid.h"
#include "widgets/compare/picture_pane.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

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
    return cell == nullptr ? QString() : cellTitle(*cell);
}

}  // namespace

QString CompareView::cellLabel(int cell) const
{
    if (cell == kA)
        return tr("A");
    return cell == kB ? tr("B") : QString::number(cell - kFirstPin + 1);
}

bool CompareView::hasCell(int cell) const
{
    if (cell == kA)
        return cellA() != nullptr;
    if (cell == kB)
        return cellB() != nullptr;
    return !m_pinned[static_cast<std::size_t>(cell - kFirstPin)].empty();
}

CompareView::LoadedCell CompareView::loadedCell(int cell) const
{
    const LoadedPictures* loaded = m_set.current().get();
    if (loaded == nullptr || !hasCell(cell))
        return {};
    if (cell == kA)
        return {&loaded->request.a, &loaded->a, &loaded->aToReference};
    if (cell == kB)
        return {&loaded->request.b, &loaded->b, &loaded->bToReference};
    const std::string& wanted = m_pinned[static_cast<std::size_t>(cell - kFirstPin)];
    for (std::size_t i = 0; i < loaded->pinned.size(); ++i) {
        if (loaded->request.pinned[i].cellId == wanted)
            return {&loaded->request.pinned[i], &loaded->pinned[i].content,
                    &loaded->pinned[i].toReference};
    }
    return {};
}

void CompareView::showHeading()
{
    const core::PlannedCell* cell = cellA();
    const QString verdict = verdictText(m_store.analysis(), *cell);
    const QString title = tr("A: %1").arg(cellTitle(*cell));
    m_heading->setText(verdict.isEmpty() ? title : tr("%1 — %2").arg(title, verdict));
    m_heading->setToolTip(plainTip(verdictExplanation(m_store.analysis(), *cell)));
    const QString untrained = untrainedNote(*cell);
    m_untrained->setText(untrained);
    m_untrained->setVisible(!untrained.isEmpty());
}

void CompareView::showPictureNames()
{
    QStringList names;
    for (int i = 0; i < pictureCount(m_store.data()); ++i)
        names << pictureName(m_store.data(), *cellA(), environment(), i);
    m_controls->setPictures(names, m_store.selectedPicture());
}

void CompareView::showLoaded()
{
    const LoadedPictures& loaded = *m_set.current();
    m_nextTile = 0;
    const QSize before = m_view.pictureSize();
    for (const PaneContent* content : {&loaded.a, &loaded.reference, &loaded.input}) {
        if (content->picture != nullptr) {
            m_view.setPictureSize({content->picture->width, content->picture->height});
            break;
        }
    }
    // The tile stays from cell to cell, so that the same place is seen in all of them; in another
    // picture it would be anywhere.
    if (m_tile && (before != m_view.pictureSize() || m_tilePicture != loaded.request.picture)) {
        m_tile.reset();
        m_view.setMark(std::nullopt);
    }
    showPanes();
    showStrip();
    scoreRegion();
    showPlace();
}

void CompareView::showPanes()
{
    const LoadedPictures& loaded = *m_set.current();
    showPaneContent(*m_input, loaded.input);
    showPaneContent(*m_reference, loaded.reference);
    showFixedTitles();
    drawMaps();
    showCells();
}

void CompareView::showPaneContent(PicturePane& pane, const PaneContent& content)
{
    if (content.picture == nullptr)
        pane.setMessage(content.problem);
    else
        pane.setContent(content.shown);
}

void CompareView::showFixedTitles()
{
    const LoadedPictures& loaded = *m_set.current();
    const core::RunData& data = m_store.data();
    const QSize size = m_view.pictureSize();
    m_input->setTitle(tr("Input"));
    QStringList inputCaption{pictureName(data, loaded.request.picture)};
    if (!size.isEmpty())
        inputCaption << tr("%1 × %2 px").arg(size.width()).arg(size.height());
    m_input->setCaption(inputCaption);
    const std::string& reference = loaded.request.reference.cellId;
    QStringList caption{titleOf(data, reference)};
    const core::PlannedCell* cell = data.plan.find(reference);
    const core::PictureQuality* original =
        findQuality(data, {reference, core::kInputId, environment(), loaded.request.picture});
    if (cell != nullptr && cell->trained && original != nullptr)
        caption << tr("against input · SSIM %1").arg(QLocale().toString(original->ssim, 'f', 4));
    if (loaded.reference.rounded)
        caption << tr("8-bit copy");
    m_reference->setTitle(tr("Reference"));
    m_reference->setCaption(caption);
}

QStringList CompareView::cellCaption(int cell, const LoadedCell& loaded) const
{
    const LoadedPictures& current = *m_set.current();
    if (*loaded.source == current.request.reference)
        return {tr("this is the quality reference")};
    QStringList caption;
    if (loaded.toReference->value != nullptr) {
        const core::PictureQuality* recorded =
            findQuality(m_store.data(), {loaded.source->cellId, current.request.reference.cellId,
                                         environment(), current.request.picture});
        const Comparison& comparison = *loaded.toReference->value;
        caption = comparison.rounded && recorded != nullptr ? metricsLines(*recorded)
                                                            : metricsLines(comparison);
        if (const QString line = recorded != nullptr ? visibleLine(*recorded) : QString();
            !line.isEmpty())
            caption << line;
        if (comparison.rounded)
            caption << (recorded != nullptr ? tr("shown: 8-bit copies · figures: of the run")
                                            : tr("from 8-bit copies"));
    }
    const core::PlannedCell* planned = m_store.data().plan.find(loaded.source->cellId);
    if (planned != nullptr) {
        const QString verdict = verdictText(m_store.analysis(), *planned);
        // "identical" has been said already, of this picture and with it of all.
        const core::CellSummary* summary = m_store.analysis().find(planned->id);
        if (!verdict.isEmpty() && (summary == nullptr || !summary->identical))
            caption << tr("all pictures: %1").arg(verdict);
    }
    if (const QString closer = cell == kB ? closerText(m_judged) : QString(); !closer.isEmpty())
        caption << tr("all pictures: %1").arg(closer);
    if (m_view.isDrawingRegion()) {
        const auto& scores = m_scorer.current();
        const auto at = static_cast<std::size_t>(cell);
        caption << (at < scores.size() && scores[at] ? regionLine(*scores[at])
                                                     : tr("region: drag a rectangle"));
    }
    return caption;
}

void CompareView::judge()
{
    const core::PlannedCell* other = cellB();
    m_judged = other == nullptr
                   ? core::QualityComparison{}
                   : core::judgeAgainst(m_store.data(), m_store.analysis(), cellA()->id, other->id);
}

void CompareView::showCell(int cell)
{
    PicturePane& target = *m_cells[static_cast<std::size_t>(cell)].picture;
    if (!hasCell(cell))
        return;
    const LoadedCell loaded = loadedCell(cell);
    const std::string& pinned =
        cell < kFirstPin ? std::string() : m_pinned[static_cast<std::size_t>(cell - kFirstPin)];
    if (loaded.source == nullptr) {
        target.setTitle(tr("%1: %2").arg(cellLabel(cell), titleOf(m_store.data(), pinned)));
        target.setCaption({});
        target.setMessage(tr("loading …"));
        return;
    }
    if (m_referenceHeld) {
        const LoadedPictures& current = *m_set.current();
        target.setTitle(tr("Reference (Shift held)"));
        target.setCaption({titleOf(m_store.data(), current.request.reference.cellId)});
        showPaneContent(target, current.reference);
        return;
    }
    target.setTitle(
        tr("%1: %2").arg(cellLabel(cell), titleOf(m_store.data(), loaded.source->cellId)));
    const core::PlannedCell* planned = m_store.data().plan.find(loaded.source->cellId);
    QString details =
        planned == nullptr ? QString() : verdictExplanation(m_store.analysis(), *planned);
    if (cell == kB)
        details += QLatin1Char('\n') + closerExplanation(m_judged);
    target.setCaption(cellCaption(cell, loaded), details.trimmed());
    showPaneContent(target, *loaded.content);
}

void CompareView::showCells()
{
    if (m_set.current() == nullptr)
        return;
    for (int cell = 0; cell < kCells; ++cell)
        showCell(cell);
    QStringList names;
    for (const SplitChoice& choice : splitChoices())
        names << choice.name;
    m_controls->setSplitChoices(names);
    showSplit();
    showVisiblePanes();
}

std::vector<CompareView::SplitChoice> CompareView::splitChoices() const
{
    std::vector<SplitChoice> choices;
    const LoadedPictures* loaded = m_set.current().get();
    if (loaded == nullptr)
        return choices;
    choices.push_back({tr("reference"), &loaded->reference});
    choices.push_back({tr("input"), &loaded->input});
    for (int cell = kB; cell < kCells; ++cell) {
        if (const LoadedCell other = loadedCell(cell); other.content != nullptr)
            choices.push_back({cellLabel(cell), other.content});
    }
    return choices;
}

void CompareView::showSplit()
{
    PicturePane& target = *m_cells[kA].picture;
    const std::vector<SplitChoice> choices = splitChoices();
    const auto left = static_cast<std::size_t>(m_controls->splitLeft());
    const bool split = m_controls->isSplit() && !m_referenceHeld && left < choices.size() &&
                       choices[left].content->picture != nullptr &&
                       m_set.current()->a.picture != nullptr;
    if (split)
        target.setSplit(choices[left].content->shown, choices[left].name, tr("A"));
    else
        target.clearSplit();
}

void CompareView::showVisiblePanes()
{
    std::vector<std::pair<PicturePane*, bool>> panes{
        {m_input, m_controls->isPaneWanted(PaneRole::Input)},
        {m_reference, m_controls->isPaneWanted(PaneRole::Reference)}};
    bool maps = false;
    for (int cell = 0; cell < kCells; ++cell) {
        const CellPanes& each = m_cells[static_cast<std::size_t>(cell)];
        const bool picture = cell == kA   ? m_controls->isPaneWanted(PaneRole::A)
                             : cell == kB ? m_controls->isPaneWanted(PaneRole::B)
                                          : hasCell(cell);
        panes.emplace_back(each.picture, picture);
        panes.emplace_back(each.map, isMapWanted(cell));
        maps = maps || isMapWanted(cell);
    }
    const bool alone = std::any_of(panes.begin(), panes.end(), [this](const auto& pane) {
        return pane.first == m_alone && pane.second;
    });
    if (!alone)
        m_alone = nullptr;
    for (const auto& [pane, wanted] : panes)
        pane->setVisible(wanted && (m_alone == nullptr || pane == m_alone));
    m_bar->setVisible(maps);
    if (!maps)
        m_magnify->hide();
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
    const QSize area = (m_alone != nullptr ? m_alone : m_cells[kA].picture)->viewport().size();
    const double scale = m_view.scaleIn(area);
    parts << tr("zoom %1 %").arg(QLocale().toString(scale * devicePixelRatioF() * 100.0, 'f', 0));
    if (const auto region = m_view.region())
        parts << tr("region %1 × %2 px").arg(region->width()).arg(region->height());
    m_place->setText(parts.join(QStringLiteral(" · ")));
}

}  // namespace qs::widgets
