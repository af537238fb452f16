#pragma once

#include "widgets/background/latest_task.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace qs::core {
class SupervisorSwitch;
}

namespace qs::widgets {

// Measures the network of a run in Python, see Note [Peer] in core/run/peer/measure_peer.h: worker
// and Python are children, watched from a thread of the pool. One at a time; its end waits for
// them.
class PeerMeasurement final : public QObject
{
    Q_OBJECT

public:
    explicit PeerMeasurement(QObject* parent = nullptr);
    ~PeerMeasurement() override;

    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    // Its results lie in the folder of the run when it has finished.
    void start(const std::filesystem::path& runFolder);
    // Whoever is stopped has no results, and is not told to have finished.
    void stop();

Q_SIGNALS:
    // What it says of itself.
    void said(const QString& line);
    // Empty if all went well.
    void finished(const QString& problem);

private:
    // The problem, as above; nothing if memory ran out.
    using Outcome = std::optional<std::string>;

    [[nodiscard]] Outcome measure(const std::filesystem::path& runFolder,
                                  core::SupervisorSwitch& control);

    std::shared_ptr<core::SupervisorSwitch> m_control;
    LatestTask<Outcome> m_task;
};

}  // namespace qs::widgets
