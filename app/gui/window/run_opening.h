#pragma once

#include "app/gui/run_controller.h"
#include "app/gui/run_loader.h"
#include "app/gui/runs/run_catalogue.h"
#include "app/gui/settings.h"
#include "app/gui/window/messages.h"

namespace qs::app {

// Earlier runs: opens them for the views, or reads their sweep to measure the same here.
class RunOpening final : public QObject
{
    Q_OBJECT

public:
    // `examples`: the folder of the shipped runs. Everything given must outlive the object.
    RunOpening(widgets::RunStore& store, RunController& controller, Settings& settings,
               Messages& messages, std::filesystem::path examples);

    // The one that goes on at this moment is shown as it is.
    void open(const std::filesystem::path& folder);
    // The run that was looked at last or, at a first start, the shipped example.
    void openFirst();
    // repeatWanted() follows.
    void readForRepeat(const std::filesystem::path& folder) { m_repeated.load(folder); }

    [[nodiscard]] bool isLoading() const { return m_loader.isLoading() || m_repeated.isLoading(); }
    // The run in view is a shipped one, measured elsewhere.
    [[nodiscard]] bool isExample() const;
    // Folders of runs that were open before or are listed, none twice.
    [[nodiscard]] QStringList known(const RunCatalogue& listed) const;

Q_SIGNALS:
    void opened();
    void repeatWanted(const qs::core::RunData& data);

private:
    void accept(LoadedRun& run);

    widgets::RunStore& m_store;
    RunController& m_controller;
    Settings& m_settings;
    Messages& m_messages;
    std::filesystem::path m_examples;
    RunLoader m_loader;
    RunLoader m_repeated;
};

}  // namespace qs::app
