#pragma once

#include "widgets/model/model_inspector.h"

#include <QDialog>

class QTreeWidget;
class QVBoxLayout;

namespace qs::widgets {

// The whole load report of a model: what was recognised, what is missing, unknown or of the wrong
// shape, and what one can do about it. Modeless.
class LoadReportDialog final : public QDialog
{
    Q_OBJECT

public:
    LoadReportDialog(const Inspection& inspection, QWidget* parent);

Q_SIGNALS:
    // The answer to "which one?": a reference.
    void choiceMade(const QString& reference);

private:
    void fill();
    void addChoices(QVBoxLayout* layout);

    Inspection m_inspection;
    QTreeWidget* m_tree;
};

}  // namespace qs::widgets
