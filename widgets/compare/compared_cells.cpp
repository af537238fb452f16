#include "widgets/compare/compared_cells.h"

#include "core/model/image_inputs.h"
#include "widgets/compare/compare_text.h"
#include "widgets/models/cell_text.h"

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

// Of the images that a model takes: "256", or "144 × 192 of 256", width first.
QString shapeText(const core::CellConfig& cell)
{
    const std::int64_t side = cell.imageSize();
    const core::MiddlePart part = core::middlePartOf(cell.sizes).of(side, side);
    if (part == core::MiddlePart{.rows = side, .columns = side})
        return QString::number(side);
    return ComparedCells::tr("%1 × %2 of %3").arg(part.columns).arg(part.rows).arg(side);
}

}  // namespace

ComparedCells::ComparedCells(const RunStore& store, QObject* parent)
    : QObject(parent), m_store(store)
{
    connect(&store, &RunStore::runReplaced, this, [this] { m_pinned.fill({}); });
}

QString ComparedCells::label(int place)
{
    if (place == kA)
        return tr("A");
    return place == kB ? tr("B") : QString::number(place - kFirstPin + 1);
}

const core::PlannedCell* ComparedCells::cell(int place) const
{
    const core::Plan& plan = m_store.data().plan;
    if (place >= kFirstPin)
        return plan.find(m_pinned.at(static_cast<std::size_t>(place - kFirstPin)));
    if (place == kA)
        return plan.find(m_store.selectedCell().toStdString());
    // While runs are compared, another cell of this run would be taken for one of the other.
    if (m_store.others().shown() != nullptr)
        return matched() == nullptr ? nullptr : matched()->after->cell;
    const std::string compared = m_store.comparedCell().toStdString();
    return compared == referenceId() ? nullptr : plan.find(compared);
}

const core::MatchedCell* ComparedCells::matched() const
{
    const RunBeside* beside = m_store.others().shown();
    return beside == nullptr ? nullptr : beside->find(m_store.selectedCell().toStdString());
}

const OtherRun* ComparedCells::otherRun() const
{
    return matched() == nullptr ? nullptr : m_store.others().shown()->run.get();
}

std::string ComparedCells::referenceId() const
{
    const core::PlannedCell* a = cell(kA);
    return a == nullptr ? std::string() : a->referenceId;
}

std::string ComparedCells::environment() const
{
    const core::PlannedCell* a = cell(kA);
    if (a == nullptr)
        return {};
    // A cell without rows has no pictures, its reference may have.
    for (const std::string& id : {a->id, a->referenceId}) {
        const core::CellSummary* summary = m_store.analysis().find(id);
        if (summary != nullptr && !summary->environmentId.empty())
            return summary->environmentId;
    }
    return {};
}

OutputSource ComparedCells::sourceOf(const core::PlannedCell& cell, const core::PlannedCell& a,
                                     const std::string& environment) const
{
    const core::Analysis& analysis = m_store.analysis();
    OutputSource source{.cellId = cell.id,
                        .folder = analysis.outputs.subfolder(cell.id, environment),
                        .unavailable = unavailableText(cell, analysis.find(cell.id))};
    if (source.unavailable.isEmpty())
        source.unavailable = whyNotBeside(a, cell, environment);
    return source;
}

OutputSource ComparedCells::outputSource(const core::PlannedCell& cell) const
{
    return sourceOf(cell, *this->cell(kA), environment());
}

OutputSource ComparedCells::otherSource(const core::PlannedCell& a) const
{
    const core::CellSummary& summary = *matched()->after;
    const OtherRun& run = *otherRun();
    const core::PlannedCell& cell = *summary.cell;
    OutputSource source{.cellId = cell.id,
                        .folder = run.analysis.outputs.subfolder(cell.id, summary.environmentId),
                        .unavailable = unavailableText(cell, &summary),
                        .runFolder = run.data.folder};
    if (!source.unavailable.isEmpty())
        return source;
    if (shapeText(cell.config) != shapeText(a.config))
        source.unavailable =
            tr("%1 has images of %2 px here, this run of %3 px: they cannot be overlaid.")
                .arg(run.name, shapeText(cell.config), shapeText(a.config));
    else if (!m_store.others().shown()->comparison.sameImages)
        source.unavailable =
            tr("%1 has other input images: its outputs are not compared.").arg(run.name);
    return source;
}

QString ComparedCells::whyNotBeside(const core::PlannedCell& a, const core::PlannedCell& cell,
                                    const std::string& environment) const
{
    if (a.output != core::OutputKind::Image && cell.config.sizes != a.config.sizes)
        return tr("This cell has other sizes than A: their outputs have other shapes.");
    // The panes show equal places: pictures of another size have none.
    if (shapeText(cell.config) != shapeText(a.config))
        return tr("This cell has images of %1 px, A of %2 px: they cannot be overlaid.")
            .arg(shapeText(cell.config), shapeText(a.config));
    const core::Analysis& analysis = m_store.analysis();
    const core::CellSummary* summary = analysis.find(cell.id);
    if (summary == nullptr || summary->environmentId == environment)
        return {};
    // Of the reference nothing else is shown: what it gave beside A will do.
    if (cell.id == a.referenceId && analysis.outputs.pictures(cell.id, environment) > 0)
        return {};
    return a.output == core::OutputKind::Image
               ? tr("This cell was measured in another environment than A: images from different "
                    "environments are not compared.")
               : tr("This cell was measured in another environment than A: outputs from different "
                    "environments are not compared.");
}

PictureRequest ComparedCells::pictureRequest() const
{
    PictureRequest request;
    request.runFolder = m_store.data().folder;
    request.picture = m_store.selectedPicture();
    const core::PlannedCell* a = cell(kA);
    if (a == nullptr)
        return request;
    const auto source = [this, a, environment = environment()](const core::PlannedCell* wanted) {
        return wanted == nullptr ? OutputSource{} : sourceOf(*wanted, *a, environment);
    };
    request.imageSize = a->config.imageSize();
    request.part = core::middlePartOf(a->config.sizes);
    request.a = source(a);
    request.reference = source(m_store.data().plan.find(a->referenceId));
    request.b = isOfOtherRun(kB) ? otherSource(*a) : source(cell(kB));
    for (int place = kFirstPin; place < kCount; ++place) {
        if (has(place))
            request.pinned.push_back(source(cell(place)));
    }
    return request;
}

StripRequest ComparedCells::stripRequest(int picture, const core::Tile& tile) const
{
    StripRequest request;
    const core::PlannedCell* a = cell(kA);
    if (a == nullptr)
        return request;
    const std::string environment = this->environment();
    request.runFolder = m_store.data().folder;
    request.picture = picture;
    request.tile = tile;
    for (const core::PlannedCell& each : m_store.data().plan.cells) {
        OutputSource source = sourceOf(each, *a, environment);
        if (each.id == a->referenceId) {
            request.referenceId = source.unavailable.isEmpty() ? each.id : std::string();
            request.referenceFolder = source.folder;
        }
        // Other models and sizes have other pictures at this place.
        if (each.possible() && each.config.model == a->config.model &&
            shapeText(each.config) == shapeText(a->config))
            request.cells.push_back({.cellId = each.id,
                                     .title = cellTitle(each),
                                     .folder = std::move(source.folder),
                                     .unavailable = std::move(source.unavailable)});
    }
    return request;
}

void ComparedCells::pin(int pin, const QString& cellId)
{
    const std::string wanted = cellId.toStdString();
    if (pin < 1 || pin > kPins || m_store.data().plan.find(wanted) == nullptr)
        return;
    std::string& pinned = m_pinned[static_cast<std::size_t>(pin - 1)];
    pinned = pinned == wanted ? std::string() : wanted;
    Q_EMIT pinsChanged();
}

void ComparedCells::unpin(int pin)
{
    if (!pinned(pin).isEmpty())
        this->pin(pin, pinned(pin));
}

QString ComparedCells::pinned(int pin) const
{
    return pin < 1 || pin > kPins
               ? QString()
               : QString::fromStdString(m_pinned[static_cast<std::size_t>(pin - 1)]);
}

void ComparedCells::togglePinned(const QString& cellId)
{
    const auto found = std::find(m_pinned.begin(), m_pinned.end(), cellId.toStdString());
    const auto at = found != m_pinned.end()
                        ? found
                        : std::find(m_pinned.begin(), m_pinned.end(), std::string());
    if (at != m_pinned.end() && !cellId.isEmpty())
        pin(static_cast<int>(at - m_pinned.begin()) + 1, cellId);
}

LoadedCell loadedCell(const LoadedPictures* loaded, const ComparedCells& cells, int place)
{
    const core::PlannedCell* cell = cells.cell(place);
    if (loaded == nullptr || cell == nullptr)
        return {};
    if (place == ComparedCells::kA)
        return {&loaded->request.a, &loaded->a, &loaded->aToReference};
    if (place == ComparedCells::kB)
        return {&loaded->request.b, &loaded->b, &loaded->bToReference};
    for (std::size_t i = 0; i < loaded->pinned.size(); ++i) {
        if (loaded->request.pinned[i].cellId == cell->id)
            return {&loaded->request.pinned[i], &loaded->pinned[i].content,
                    &loaded->pinned[i].toReference};
    }
    return {};
}

}  // namespace qs::widgets

#include "moc_compared_cells.cpp"
