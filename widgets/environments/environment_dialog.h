#pragma once

#include "core/base/result.h"
#include "widgets/background/latest_task.h"
#include "widgets/environments/environment_table.h"
#include "widgets/models/run_store.h"

#include <QDialog>
#include <QStringList>

#include <memory>

class QComboBox;
class QLabel;

namespace qs::widgets {

// Where the rows of the run in view were measured, beside where another run was: what differs, and
// why that matters. Follows the run of the store.
class EnvironmentDialog final : public QDialog
{
    Q_OBJECT

public:
    // `store` must outlive the window; `otherRuns` are folders that can be chosen.
    EnvironmentDialog(RunStore& store, const QStringList& otherRuns, QWidget* parent = nullptr);

    // The folder of another run, read by a worker; empty for none.
    void compareWith(const QString& folder);
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }

private:
    using Read = std::shared_ptr<core::Result<std::vector<core::Environment>>>;

    void fillChooser(const QStringList& otherRuns);
    void receive(const QString& folder, const Read& read);
    void showRun();
    [[nodiscard]] std::vector<EnvironmentColumn> ownColumns() const;
    [[nodiscard]] QString sentence(std::size_t own) const;

    RunStore& m_store;
    QComboBox* m_others;
    QLabel* m_sentence;
    EnvironmentTable* m_table;
    QString m_other;  // name of the run that is compared with; empty for none
    QString m_problem;
    std::vector<core::Environment> m_otherEnvironments;
    LatestTask<Read> m_task;
};

}  // namespace qs::widgets
