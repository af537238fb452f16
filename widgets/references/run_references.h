#pragma once

#include "core/record/reference_results.h"
#include "widgets/background/latest_task.h"
#include "widgets/models/run_store.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace qs::widgets {

// What other programs measured of the run in view, read from its folder on a thread of the pool
// whenever another run is in view.
class RunReferences final : public QObject
{
    Q_OBJECT

public:
    // `store` must outlive the object.
    explicit RunReferences(const RunStore& store, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<core::RunReference>& all() const { return m_all; }
    // Why the file that was to be attached last was not; empty if it was.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    // Copies the file into the folder of the run in view, then reads all anew.
    void attach(const QString& file);
    // What lies in the folder by now.
    void reload() { read({}); }

Q_SIGNALS:
    void changed();

private:
    struct Read {
        std::vector<core::RunReference> references = {};
        std::string problem = {};
    };

    void read(const QString& attached);

    const RunStore& m_store;
    std::vector<core::RunReference> m_all;
    QString m_problem;
    LatestTask<Read> m_task;
};

}  // namespace qs::widgets
