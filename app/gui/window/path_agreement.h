#pragma once

#include "app/gui/window/plan_reading.h"
#include "core/run/path_trust.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace qs::app {

// Asks for the paths outside of a run folder that its plan names before the run goes on, see
// Note [Path trust].
class PathAgreement final : public QObject
{
    Q_OBJECT

public:
    using GoOn = std::function<void(const std::vector<std::string>& agreed)>;

    // Everything given must outlive the object.
    PathAgreement(const widgets::RunStore& store, const RunController& controller,
                  Messages& messages, QWidget& window, std::filesystem::path trustFile);

    // Calls goOn with the paths that the user agrees to: at once if there is nothing to agree to,
    // not at all if he does not or if a run has begun meanwhile.
    void ask(const std::filesystem::path& folder, const GoOn& goOn);
    [[nodiscard]] bool isReading() const { return m_reading.isReading(); }

private:
    void askToTrust(const std::vector<std::string>& paths, const GoOn& goOn);

    const widgets::RunStore& m_store;
    const RunController& m_controller;
    QWidget& m_window;
    std::filesystem::path m_trustFile;
    PlanReading m_reading;
};

}  // namespace qs::app
