#pragma once

#include "app/gui/run_controller.h"
#include "app/gui/window/run_flow.h"
#include "core/analysis/layer_search.h"
#include "widgets/model/layer_search_state.h"
#include "widgets/plan/planner.h"

#include <QObject>

#include <filesystem>
#include <optional>
#include <vector>

namespace qs::app {

// The greedy search of the command line, in the window: the cells that it asks for are appended to
// the run in view one after the other, as if a person did, so that progress and stopping are those
// of any run. Lives on the GUI thread.
class LayerSearchFlow final : public QObject
{
    Q_OBJECT

public:
    // Everything given must outlive the object.
    LayerSearchFlow(const widgets::RunStore& store, RunController& controller, RunFlow& flow,
                    std::filesystem::path resourceFolder, QObject* parent = nullptr);

    // In the run in view, whose plan is made for these devices. Ignored while a search goes on.
    void start(const core::LayerSearch& search, const core::Gate& limit,
               const std::vector<core::DeviceDescription>& devices);
    // After the cell that is being measured.
    void stop();
    [[nodiscard]] bool isSearching() const { return m_search.has_value(); }

Q_SIGNALS:
    void stateChanged(const qs::widgets::LayerSearchState& state);

private:
    // Until a cell has to be measured or the end.
    void goOn();
    // Nothing if that cell is not measured; ends the search if it has no such number.
    [[nodiscard]] std::optional<bool> judged(const core::CellConfig& wanted);
    void measure(const core::CellConfig& wanted);
    void receive(const widgets::Planner::Answer& answer);
    void runEnded();
    void end(widgets::LayerSearchState state);
    [[nodiscard]] widgets::LayerSearchState state(widgets::LayerSearchState::Kind kind) const;

    const widgets::RunStore& m_store;
    RunController& m_controller;
    RunFlow& m_flow;
    std::filesystem::path m_resourceFolder;
    widgets::Planner m_planner;
    std::filesystem::path m_folder;  // of the run that is searched in
    std::optional<core::LayerSearch> m_search;
    core::Gate m_limit;
    std::vector<core::DeviceDescription> m_devices;
    std::optional<core::CellConfig> m_asked;  // that was appended last
    int m_looked = 0;
};

}  // namespace qs::app
