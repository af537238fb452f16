#include "widgets/models/other_runs.h"

#include "widgets/background/drop_in_pool.h"

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

RunBeside besideOf(const core::RunSide& before, std::shared_ptr<const OtherRun> run,
                   std::shared_ptr<const core::Analysis> analysis)
{
    RunBeside beside{
        .run = std::move(run), .comparison = {}, .before = std::move(analysis), .places = {}};
    beside.comparison = core::compareRuns(before, beside.run->side());
    for (std::size_t i = 0; i < beside.comparison.cells.size(); ++i)
        beside.places.emplace(beside.comparison.cells[i].before->cellId, i);
    return beside;
}

}  // namespace

QString shortRunName(const QString& name)
{
    constexpr qsizetype kBeginning = 5;
    constexpr qsizetype kEnd = 8;
    return name.size() <= kBeginning + kEnd + 1
               ? name
               : name.left(kBeginning) + QStringLiteral("…") + name.right(kEnd);
}

const core::MatchedCell* RunBeside::find(const std::string& cellId) const
{
    const auto found = places.find(cellId);
    return found == places.end() ? nullptr : &comparison.cells[found->second];
}

const core::MatchedCell* RunBeside::findOther(const std::string& cellId) const
{
    const auto& cells = comparison.cells;
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const auto& cell) { return cell.after->cellId == cellId; });
    return found == cells.end() ? nullptr : &*found;
}

OtherRuns::OtherRuns(Own own, QObject* parent) : QObject(parent), m_own(std::move(own)) {}

void OtherRuns::lay(std::vector<std::shared_ptr<const OtherRun>> runs)
{
    if (runs.empty() && m_laid.empty())
        return;
    if (runs.size() > kMost)
        runs.resize(kMost);
    // A hundred thousand rows take long to go.
    for (auto& before : std::exchange(m_laid, std::move(runs)))
        dropInPool(std::move(before));
    m_shown = 0;
    m_beside.clear();
    m_task.drop();
    Q_EMIT changed();
    compare();
}

void OtherRuns::compare()
{
    if (m_laid.empty())
        return;
    std::shared_ptr<const core::RunData> data = m_own.data();
    std::shared_ptr<const core::Analysis> analysis = m_own.analysis();
    // The plan has grown since the analysis, which points into the one of before; the next analysis
    // is on its way.
    if (analysis->cells.empty() || analysis->cells.front().cell != data->plan.cells.data())
        return;
    m_task.start(
        this,
        [data = std::move(data), analysis, runs = m_laid](const auto& wanted) mutable {
            const core::RunFigures figures(data->measurements);
            const core::RunSide before{
                .data = data.get(), .figures = &figures, .analysis = analysis.get()};
            Beside compared;
            for (const auto& run : runs) {
                if (!wanted())
                    break;
                compared.push_back(
                    std::make_shared<const RunBeside>(besideOf(before, run, analysis)));
            }
            // What came for the run meanwhile waits for this reader.
            data.reset();
            return std::make_shared<const Beside>(std::move(compared));
        },
        [this](const Compared& compared) {
            if (compared == nullptr)
                return leave();
            m_beside = *compared;
            Q_EMIT changed();
        });
}

void OtherRuns::show(std::size_t place)
{
    if (std::exchange(m_shown, place) != place)
        Q_EMIT shownChanged();
}

const RunBeside* OtherRuns::shown() const
{
    return m_shown < m_beside.size() ? m_beside[m_shown].get() : nullptr;
}

}  // namespace qs::widgets

#include "moc_other_runs.cpp"
