#pragma once

#include "core/sweep/preset.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <filesystem>
#include <optional>

namespace qs::widgets {

// Keeps the draft in a file while it is edited, so that neither a crash nor closing the window
// loses it. The file is a preset like any other. Lives on the GUI thread; writes on a worker.
class DraftFile final : public QObject
{
    Q_OBJECT

public:
    explicit DraftFile(std::filesystem::path path, QObject* parent = nullptr);
    // Writes what is still to be written.
    ~DraftFile() override;

    // Soon, and never an older draft after a newer one.
    void keep(const core::Preset& preset);

    // The draft of the last time. NotFound if there was none.
    [[nodiscard]] static core::Result<core::Preset> read(const std::filesystem::path& path);

Q_SIGNALS:
    void failed(const QString& problem);

private:
    void write();

    std::filesystem::path m_path;
    std::optional<core::Preset> m_waiting;
    QTimer m_timer;
    QThreadPool m_pool;  // one thread: writes keep their order
};

}  // namespace qs::widgets
