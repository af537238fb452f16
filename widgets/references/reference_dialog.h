#pragma once

#include "widgets/references/peer_measurement.h"
#include "widgets/references/run_references.h"

#include <QDialog>

#include <functional>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace qs::widgets {

// The rows that other programs measured, under the name of each program and without verdict.
// Follows the run of the store.
class ReferenceDialog final : public QDialog
{
    Q_OBJECT

public:
    // `store` and `references` must outlive the window. `sweeping`: whether a sweep goes on, whose
    // times a measurement would spoil.
    ReferenceDialog(const RunStore& store, RunReferences& references,
                    std::function<bool()> sweeping, QWidget* parent = nullptr);

Q_SIGNALS:
    // A file is to be attached.
    void fileWanted();

private:
    void build();
    void showAll();
    void measureOrStop();
    void showMeasuring(const QString& line);
    void addFile(const core::RunReference& reference);
    [[nodiscard]] QString sentence() const;

    const RunStore& m_store;
    RunReferences& m_references;
    std::function<bool()> m_sweeping;
    QString m_problem;  // of the last measurement
    PeerMeasurement m_measurement;
    QLabel* m_sentence;
    QTreeWidget* m_table;
    QPushButton* m_attach;
    QPushButton* m_measure;
};

}  // namespace qs::widgets
