#pragma once

#include "widgets/references/run_references.h"

#include <QDialog>

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
    // Both must outlive the window.
    ReferenceDialog(const RunStore& store, const RunReferences& references,
                    QWidget* parent = nullptr);

Q_SIGNALS:
    // A file is to be attached.
    void fileWanted();

private:
    void showAll();
    void addFile(const core::RunReference& reference);
    [[nodiscard]] QString sentence() const;

    const RunStore& m_store;
    const RunReferences& m_references;
    QLabel* m_sentence;
    QTreeWidget* m_table;
    QPushButton* m_attach;
};

}  // namespace qs::widgets
