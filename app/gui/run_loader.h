#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>

namespace qs::app {

// A run as it was read, with the analysis for the baseline of its preset, which points into it.
struct LoadedRun {
    core::RunData data;
    core::Analysis analysis;
};

// Reads run folders on a thread of the pool. Only the newest request is answered.
class RunLoader final : public QObject
{
    Q_OBJECT

public:
    explicit RunLoader(QObject* parent = nullptr) : QObject(parent) {}

    void load(const std::filesystem::path& folder);
    [[nodiscard]] bool isLoading() const { return m_loading; }

Q_SIGNALS:
    void loaded(const std::shared_ptr<qs::app::LoadedRun>& run);
    void failed(const QString& problem);

private:
    quint64 m_job = 0;
    bool m_loading = false;
};

}  // namespace qs::app
