#include "app/gui/window/layer_search_flow.h"

#include "core/sweep/append_plan.h"

#include <utility>

namespace qs::app {

using widgets::LayerSearchState;
using Kind = LayerSearchState::Kind;

LayerSearchFlow::LayerSearchFlow(const widgets::RunStore& store, RunController& controller,
                                 RunFlow& flow, std::filesystem::path resourceFolder,
                                 QObject* parent)
    : QObject(parent),
      m_store(store),
      m_controller(controller),
      m_flow(flow),
      m_resourceFolder(std::move(resourceFolder))
{
    connect(&m_planner, &widgets::Planner::planned, this, &LayerSearchFlow::receive);
    connect(&m_flow, &RunFlow::ended, this, &LayerSearchFlow::runEnded, Qt::QueuedConnection);
}

void LayerSearchFlow::start(const core::LayerSearch& search, const core::Gate& limit,
                            const std::vector<core::DeviceDescription>& devices)
{
    if (isSearching() || m_store.isEmpty())
        return;
    m_folder = m_store.data().folder;
    m_search = search;
    m_limit = limit;
    m_devices = devices;
    m_asked.reset();
    m_looked = 0;
    goOn();
}

void LayerSearchFlow::stop()
{
    if (!isSearching())
        return;
    end(state(Kind::Stopped));
    if (m_controller.isRunning() && m_controller.folder() == m_folder)
        m_controller.stopAfterCell();
}

LayerSearchState LayerSearchFlow::state(Kind kind) const
{
    return {.kind = kind,
            .kept = m_search->kept().value_or(0),
            .parts = m_search->parts(),
            .looked = m_looked};
}

void LayerSearchFlow::end(LayerSearchState state)
{
    m_search.reset();
    Q_EMIT stateChanged(state);
}

void LayerSearchFlow::goOn()
{
    // Another run in view has other cells.
    if (m_store.data().folder != m_folder)
        return end(state(Kind::Stopped));
    while (m_search && m_search->kept()) {
        const core::CellConfig wanted = m_search->wanted();
        const std::optional<bool> meets = judged(wanted);
        if (!m_search)
            return;
        if (!meets)
            return measure(wanted);
        m_search->told(*meets);
        ++m_looked;
    }
    const std::optional<std::string> filter = m_search->filter();
    LayerSearchState found = state(filter ? Kind::Found : Kind::NothingMeets);
    found.filter = QString::fromStdString(filter.value_or(""));
    end(found);
}

std::optional<bool> LayerSearchFlow::judged(const core::CellConfig& wanted)
{
    const core::CellSummary* cell = core::findMeasured(m_store.analysis(), wanted);
    if (cell == nullptr)
        return std::nullopt;
    const core::Result<bool> meets = core::meetsLimit(m_limit, *cell);
    if (meets.ok())
        return meets.value();
    LayerSearchState failed = state(Kind::Failed);
    failed.problem = QString::fromStdString(meets.error().message);
    end(failed);
    return std::nullopt;
}

void LayerSearchFlow::measure(const core::CellConfig& wanted)
{
    if (m_asked == wanted) {
        LayerSearchState failed = state(Kind::Failed);
        failed.problem = tr("The cell with the layers %1 could not be measured")
                             .arg(QString::fromStdString(wanted.layers));
        return end(failed);
    }
    m_asked = wanted;
    m_planner.request(core::presetOfCell(m_store.data().plan.preset, wanted),
                      {m_devices, m_resourceFolder, false});
    Q_EMIT stateChanged(state(Kind::Measuring));
}

void LayerSearchFlow::receive(const widgets::Planner::Answer& answer)
{
    if (!isSearching())
        return;
    if (m_store.data().folder != m_folder)
        return end(state(Kind::Stopped));
    LayerSearchState failed = state(Kind::Failed);
    if (!answer->ok()) {
        failed.problem = QString::fromStdString(answer->error().message);
        return end(failed);
    }
    const auto grown = core::appendPlan(m_store.data().plan, answer->value());
    if (!grown.ok()) {
        failed.problem = QString::fromStdString(grown.error().message);
        return end(failed);
    }
    m_flow.append(answer->value());
}

void LayerSearchFlow::runEnded()
{
    if (!isSearching() || m_controller.folder() != m_folder)
        return;
    if (m_controller.isComplete())
        goOn();
    else
        end(state(Kind::Stopped));
}

}  // namespace qs::app

#include "moc_layer_search_flow.cpp"
