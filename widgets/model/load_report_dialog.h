#pragma once

#include "core/model/model_ports.h"
#include "widgets/background/latest_task.h"
#include "widgets/model/model_inspector.h"

#include <QDialog>

#include <memory>

class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace qs::widgets {

struct ReportSection;

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
    void findPorts();
    void fill();
    void addSection(const ReportSection& section);
    void addParagraph(QTreeWidgetItem& parent, const QString& text);
    void addChoices(QVBoxLayout* layout);

    using Ports = std::shared_ptr<const core::ModelPorts>;

    Inspection m_inspection;
    Ports m_ports;  // null while they are being found
    LatestTask<Ports> m_task;
    QTreeWidget* m_tree;
};

}  // namespace qs::widgets
