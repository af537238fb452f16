#include "widgets/compare/pane_contents.h"

#include "core/report/words/comparison_text.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/saved_images.h"
#include "widgets/models/cell_text.h"

#include <QLocale>

namespace qs::widgets {

namespace {

}  // namespace

PaneContents::PaneContents(const Sources& sources, const ComparePanes& panes)
    : m_from(sources), m_panes(panes)
{
}

void PaneContents::fill(PicturePane& pane, const PaneContent& content) const
{
    if (content.picture == nullptr)
        pane.setMessage(content.problem);
    else
        pane.setContent(m_from.tones.of(content.picture, content.shown));
}

void PaneContents::showWaiting() const
{
    for (PicturePane* waiting :
         {&m_panes.input(), &m_panes.reference(), &m_panes.picture(ComparedCells::kA)})
        waiting->setMessage(tr("loading …"));
}

void PaneContents::judge()
{
    const core::PlannedCell* other = m_from.cells.isOfOtherRun(ComparedCells::kB)
                                         ? nullptr
                                         : m_from.cells.cell(ComparedCells::kB);
    m_judged = other == nullptr
                   ? core::QualityComparison{}
                   : core::judgeAgainst(m_from.store.data(), m_from.store.analysis(),
                                        m_from.cells.cell(ComparedCells::kA)->id, other->id);
}

bool PaneContents::showInstead(int choice) const
{
    const std::vector<SplitChoice> choices = splitChoices();
    const auto at = static_cast<std::size_t>(choice);
    if (at >= choices.size() || choices[at].content->picture == nullptr)
        return false;
    m_panes.picture(ComparedCells::kA)
        .setText({.title = choices[at].name, .caption = {choices[at].title}});
    fill(m_panes.picture(ComparedCells::kA), *choices[at].content);
    return true;
}

void PaneContents::show(std::optional<int> instead) const
{
    if (m_from.pictures.current() == nullptr)
        return;
    showInput();
    showReference();
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        PicturePane& target = m_panes.picture(place);
        const LoadedPictures& loaded = *m_from.pictures.current();
        if (place == ComparedCells::kA && instead.value_or(0) > 0 && showInstead(*instead))
            continue;
        if (instead != 0 || loadedCell(&loaded, m_from.cells, place).source == nullptr) {
            showCell(place);
            continue;
        }
        target.setText({.title = tr("Reference"), .caption = {titleOf(loaded.request.reference)}});
        fill(target, loaded.reference);
    }
}

void PaneContents::showInput() const
{
    const LoadedPictures& loaded = *m_from.pictures.current();
    const QSize size = m_from.view.pictureSize();
    PaneText text{.title = tr("Input"),
                  .caption = {pictureName(m_from.store.data(), loaded.request.picture)}};
    if (!size.isEmpty())
        text.caption << tr("%1 × %2 px").arg(size.width()).arg(size.height());
    m_panes.input().setText(text);
    fill(m_panes.input(), loaded.input);
}

void PaneContents::showReference() const
{
    const LoadedPictures& loaded = *m_from.pictures.current();
    const core::RunData& data = m_from.store.data();
    const std::string& id = loaded.request.reference.cellId;
    PaneText text{.title = tr("Reference"), .caption = {titleOf(loaded.request.reference)}};
    const core::PlannedCell* cell = data.plan.find(id);
    const core::OutputQuality* original =
        findQuality(data, {id, core::kInputId, m_from.cells.environment(), loaded.request.picture});
    const auto ssim = original == nullptr ? std::nullopt : original->find("ssim");
    if (cell != nullptr && cell->trained && ssim)
        text.caption << tr("against input · SSIM %1").arg(QLocale().toString(*ssim, 'f', 4));
    if (loaded.reference.rounded)
        text.caption << tr("8-bit copy");
    m_panes.reference().setText(text);
    fill(m_panes.reference(), loaded.reference);
}

void PaneContents::showCell(int place) const
{
    const core::PlannedCell* cell = m_from.cells.cell(place);
    if (cell == nullptr)
        return;
    PicturePane& target = m_panes.picture(place);
    const auto title = [this, place](const QString& of) {
        return tr("%1: %2").arg(labelOf(place), of);
    };
    const LoadedCell loaded = loadedCell(m_from.pictures.current().get(), m_from.cells, place);
    if (loaded.source == nullptr) {
        target.setText({.title = title(cellTitle(*cell))});
        target.setMessage(tr("loading …"));
        return;
    }
    // Until those of the selection are there, the pictures of the one before are shown as its.
    const core::PlannedCell* shown = plannedOf(*loaded.source);
    QString details =
        shown == nullptr ? QString() : verdictExplanation(analysisOf(*loaded.source), *shown);
    if (place == ComparedCells::kB && !m_from.cells.isOfOtherRun(ComparedCells::kB))
        details += QLatin1Char('\n') + closerExplanation(m_judged);
    target.setText({.title = title(titleOf(*loaded.source)),
                    .caption = captionOf(place, loaded),
                    .details = details.trimmed()});
    if (place == ComparedCells::kA && loaded.content->picture == nullptr)
        showNearest(target, *cell, loaded.content->problem);
    else
        fill(target, *loaded.content);
}

void PaneContents::showNearest(PicturePane& pane, const core::PlannedCell& cell,
                               const QString& problem) const
{
    const core::RunData& data = m_from.store.data();
    const core::Analysis& analysis = m_from.store.analysis();
    const int picture = m_from.pictures.current()->request.picture;
    const core::PlannedCell* nearest = nearestSaved(data, analysis, cell, picture);
    const core::CellSummary* summary = analysis.find(cell.id);
    QString message = problem;
    const auto batches = savedBatches(data, analysis, cell, picture);
    if (summary != nullptr && summary->measured && !batches.empty()) {
        QStringList texts;
        for (const std::int64_t batch : batches)
            texts << QLocale().toString(qlonglong{batch});
        message = tr("Not saved for batch %1 (saved: %2).")
                      .arg(QLocale().toString(qlonglong{cell.config.batch}),
                           texts.join(QStringLiteral(", ")));
    }
    pane.setMessage(message,
                    nearest == nullptr ? QString() : tr("Show %1").arg(cellTitle(*nearest)));
}

const OtherRun* PaneContents::otherRunOf(const OutputSource& source) const
{
    const RunBeside* beside = m_from.store.others().shown();
    return !source.runFolder.empty() && beside != nullptr &&
                   beside->run->data.folder == source.runFolder
               ? beside->run.get()
               : nullptr;
}

const core::PlannedCell* PaneContents::plannedOf(const OutputSource& source) const
{
    if (source.runFolder.empty())
        return m_from.store.data().plan.find(source.cellId);
    const OtherRun* other = otherRunOf(source);
    return other == nullptr ? nullptr : other->data.plan.find(source.cellId);
}

const core::Analysis& PaneContents::analysisOf(const OutputSource& source) const
{
    const OtherRun* other = otherRunOf(source);
    return other == nullptr ? m_from.store.analysis() : other->analysis;
}

QString PaneContents::titleOf(const OutputSource& source) const
{
    const core::PlannedCell* cell = plannedOf(source);
    return cell == nullptr ? QString() : cellTitle(*cell);
}

QString PaneContents::labelOf(int place) const
{
    const QString label = ComparedCells::label(place);
    const OtherRun* other = m_from.cells.otherRun();
    if (other == nullptr || place > ComparedCells::kB)
        return label;
    const QString own = QString::fromStdString(m_from.store.data().folder.filename().string());
    return tr("%1 (%2)", "A (name of a run)")
        .arg(label, shortRunName(place == ComparedCells::kB ? other->name : own));
}

QString PaneContents::besideText() const
{
    const core::MatchedCell* matched = m_from.cells.matched();
    if (matched == nullptr)
        return closerText(m_judged);
    const std::string outputs = core::outputChangeText(*matched);
    return outputs.empty() ? QString() : tr("beside A: %1").arg(QString::fromStdString(outputs));
}

// Of another run nobody has recorded how far it is from the reference of this one, unless its
// outputs are those of A bit by bit.
const core::OutputQuality* PaneContents::recordedOf(const OutputSource& source) const
{
    const PictureRequest& request = m_from.pictures.current()->request;
    std::string cell = source.cellId;
    if (!source.runFolder.empty()) {
        const core::MatchedCell* matched = m_from.cells.matched();
        if (matched == nullptr || matched->identical != true)
            return nullptr;
        cell = request.a.cellId;
    }
    return findQuality(m_from.store.data(), {cell, request.reference.cellId,
                                             m_from.cells.environment(), request.picture});
}

QStringList PaneContents::metricsOf(const LoadedCell& loaded) const
{
    if (loaded.toReference->value == nullptr)
        return {};
    const core::OutputQuality* recorded = recordedOf(*loaded.source);
    const Comparison& comparison = *loaded.toReference->value;
    if (const core::PlannedCell* cell = plannedOf(*loaded.source);
        cell != nullptr && !cell->trained)
        return deviationLines(comparison, recorded);
    QStringList lines = comparison.rounded && recorded != nullptr ? metricsLines(*recorded)
                                                                  : metricsLines(comparison);
    if (const QString line = recorded != nullptr ? visibleLine(*recorded) : QString();
        !line.isEmpty())
        lines << line;
    if (comparison.rounded)
        lines << (recorded != nullptr
                      ? tr("shown from 8-bit copies · figures from the full outputs")
                      : tr("from 8-bit copies"));
    return lines;
}

QStringList PaneContents::captionOf(int place, const LoadedCell& loaded) const
{
    if (*loaded.source == m_from.pictures.current()->request.reference)
        return {tr("this is the quality reference")};
    QStringList caption = metricsOf(loaded);
    const core::Analysis& analysis = analysisOf(*loaded.source);
    if (const core::PlannedCell* cell = plannedOf(*loaded.source)) {
        const QString verdict = verdictText(analysis, *cell);
        // "identical" has been said already, of this picture and with it of all.
        const core::CellSummary* summary = analysis.find(cell->id);
        if (!verdict.isEmpty() && (summary == nullptr || !summary->identical()))
            caption << tr("all images: %1").arg(verdict);
    }
    if (const QString closer = place == ComparedCells::kB ? besideText() : QString();
        !closer.isEmpty())
        caption << tr("all images: %1").arg(closer);
    // What is asked for comes first: a caption is one line.
    if (m_from.view.isDrawingRegion()) {
        const auto& scores = m_from.scorer.current();
        const auto at = static_cast<std::size_t>(place);
        caption.prepend(at < scores.size() && scores[at] ? regionLine(*scores[at])
                                                         : tr("region: drag a rectangle"));
    }
    return caption;
}

std::vector<PaneContents::SplitChoice> PaneContents::splitChoices() const
{
    std::vector<SplitChoice> choices;
    const LoadedPictures* loaded = m_from.pictures.current().get();
    if (loaded == nullptr)
        return choices;
    choices.push_back({tr("reference"), &loaded->reference, titleOf(loaded->request.reference)});
    choices.push_back(
        {tr("input"), &loaded->input, pictureName(m_from.store.data(), loaded->request.picture)});
    for (int place = ComparedCells::kB; place < ComparedCells::kCount; ++place) {
        const LoadedCell other = loadedCell(loaded, m_from.cells, place);
        if (other.content != nullptr)
            choices.push_back({labelOf(place), other.content, titleOf(*other.source)});
    }
    return choices;
}

QStringList PaneContents::splitNames() const
{
    QStringList names;
    for (const SplitChoice& choice : splitChoices())
        names << choice.name;
    return names;
}

void PaneContents::showSplit(std::optional<int> left) const
{
    const std::vector<SplitChoice> choices = splitChoices();
    const auto at = static_cast<std::size_t>(left.value_or(0));
    if (left && at < choices.size() && choices[at].content->picture != nullptr &&
        m_from.pictures.current()->a.picture != nullptr)
        m_panes.picture(ComparedCells::kA)
            .setSplit(m_from.tones.of(choices[at].content->picture, choices[at].content->shown),
                      choices[at].name, tr("A"));
    else
        m_panes.picture(ComparedCells::kA).clearSplit();
}

}  // namespace qs::widgets
