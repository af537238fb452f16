#pragma once

#include "core/analysis/cell_label.h"
#include "core/run/run_observer.h"

#include <functional>
#include <string>
#include <utility>

namespace qs::app {

// Shows a run on the command line: one line per finished row, and on a terminal a progress bar
// below them.
class ProgressPrinter final : public core::RunObserver
{
public:
    // `outputFailed` is called, on the thread of the run, when nothing can be printed any more.
    explicit ProgressPrinter(bool terminal, std::function<void()> outputFailed = {})
        : m_terminal(terminal), m_outputFailed(std::move(outputFailed))
    {
    }

    void planned(const core::RunData& data) override;
    void planGrew(const core::Plan& plan) override;
    void progressed(const core::RunProgress& progress) override;
    void measured(const core::Measurement& row) override;
    void qualityKnown(const core::OutputQuality& quality) override;
    void happened(const core::RunEvent& event) override;
    void logged(const std::string& line) override;
    void finished(const core::Status& status, core::RunData data) override;

    // After finished(): the whole run, how it ended. A run that goes on may have a hundred thousand
    // rows, so none is copied on the way.
    [[nodiscard]] const core::RunData& data() const { return m_data; }
    [[nodiscard]] const core::Status& status() const { return m_status; }
    [[nodiscard]] bool complete() const { return m_complete; }

private:
    void printLine(const std::string& line);
    void drawBar(const core::RunProgress& progress);
    void tellInputs(const core::RunProgress& progress);
    void flush();
    [[nodiscard]] std::string describe(const core::PlannedCell& cell) const;

    bool m_terminal;
    std::function<void()> m_outputFailed;
    bool m_inputsTold = false;  // without a terminal
    bool m_barShown = false;
    core::Plan m_plan;
    core::CellLabels m_labels;
    core::RunData m_data;  // in the end
    core::Status m_status;
    bool m_complete = false;
};

}  // namespace qs::app
