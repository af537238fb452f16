#pragma once

#include "core/graph/graph.h"
#include "core/model/workload.h"

#include <QWidget>

#include <map>
#include <optional>
#include <string>
#include <utility>

class QComboBox;
class QFormLayout;
class QLabel;

namespace qs::widgets {

// Which output of the model quality is judged on, and what it holds.
class JudgedOutputEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit JudgedOutputEdit(QWidget* parent = nullptr);

    // `workload`: of the model as its file says; null while it is not known.
    void showOutputs(const core::Workload* workload,
                     const std::map<std::string, core::TensorType>& types,
                     const std::string& judged);
    void showKind(const std::optional<core::OutputKind>& kind);
    // What it holds where nothing is said.
    void showRecognised(core::OutputKind kind);
    // What the model says against it; empty: nothing.
    void setObjection(const QString& objection);

Q_SIGNALS:
    // Empty: the one that the model itself names.
    void outputEdited(const std::string& judged);
    void kindEdited(const std::optional<qs::core::OutputKind>& kind);

private:
    void buildKind();

    QFormLayout* m_form;
    QList<std::pair<QString, QString>> m_items;  // of the list of outputs
    QComboBox* m_output;
    QComboBox* m_kind;
    QLabel* m_message;
};

}  // namespace qs::widgets
