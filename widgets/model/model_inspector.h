#pragma once

#include "core/model/catalogue.h"

#include <QObject>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace qs::widgets {

using Inspection = std::shared_ptr<const core::ModelInspection>;

// Reads the headers of models on a thread of the pool: those of a large checkpoint take a while,
// and a network share may take for ever. Lives on the GUI thread; only the answer to the newest
// request is told.
class ModelInspector final : public QObject
{
    Q_OBJECT

public:
    explicit ModelInspector(std::filesystem::path resourceFolder, QObject* parent = nullptr);

    // As core::inspectModel takes them.
    void inspect(const QString& reference, std::int64_t seed);
    [[nodiscard]] bool isBusy() const { return m_busy; }

Q_SIGNALS:
    void inspected(const qs::widgets::Inspection& inspection);

private:
    std::filesystem::path m_resourceFolder;
    quint64 m_job = 0;
    bool m_busy = false;
};

}  // namespace qs::widgets
