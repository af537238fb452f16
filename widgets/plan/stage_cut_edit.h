#pragma once

#include "core/model/stage_cut.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace qs::widgets {

class LineList;

// The stages that a model of one stage is divided into: a name for each, and the module that it
// begins with.
class StageCutEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit StageCutEdit(QWidget* parent = nullptr);

    void setStages(const std::vector<core::StageCut>& stages);
    // Those of the program, in its order.
    void setModules(const std::vector<std::string>& modules);
    // What the model says against it; empty: nothing.
    void setObjection(const QString& objection);

Q_SIGNALS:
    void stagesEdited(const std::vector<qs::core::StageCut>& stages);

private:
    void add();
    void showStages();
    [[nodiscard]] std::ptrdiff_t placeOf(const std::string& module) const;

    std::vector<core::StageCut> m_stages;
    std::vector<std::string> m_modules;
    LineList* m_list;
    QLineEdit* m_name;
    QComboBox* m_module;
    QToolButton* m_add;
    QLabel* m_message;
};

}  // namespace qs::widgets
