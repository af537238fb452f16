#pragma once

#include "app/gui/window/plan_reading.h"
#include "core/run/program_trust.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace qs::app {

// Asks before a run starts compiled programs that the user does not trust, see Note [Packages of a
// user]. What is agreed to holds until the window closes, or longer if it is to be remembered.
class ProgramAgreement final : public QObject
{
    Q_OBJECT

public:
    using GoOn = std::function<void()>;

    // Everything given must outlive the object.
    ProgramAgreement(const widgets::RunStore& store, const RunController& controller,
                     Messages& messages, QWidget& window, std::filesystem::path trustFile);

    // Calls goOn once the user agrees: at once if there is nothing to agree to.
    void ask(const core::Plan& plan, const GoOn& goOn);
    // The same for the plan of the run in that folder.
    void ask(const std::filesystem::path& folder, const GoOn& goOn);
    [[nodiscard]] bool isReading() const { return m_reading.isReading(); }

private:
    void askFor(const std::vector<core::TrustedProgram>& programs, const GoOn& goOn);
    void agree(const std::vector<core::TrustedProgram>& programs, bool remember);

    const widgets::RunStore& m_store;
    Messages& m_messages;
    QWidget& m_window;
    core::ProgramTrust m_trust;
    PlanReading m_reading;
};

}  // namespace qs::app
