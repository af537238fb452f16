#pragma once

#include "core/sweep/plan.h"
#include "core/sweep/preset.h"
#include "widgets/model/model_inspector.h"

#include <QWidget>

class QLabel;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace qs::widgets {

class FoldSection;
class InputFeedEdit;
class PathEdit;

// A calibration set of one's own, for precisions with set=own: images, or a file or text for each
// input of a model that takes none. Typed, chosen, or dropped on it. Its head stays where it is,
// whatever the precisions are; it can be opened once one of them calibrates.
class CalibrationEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit CalibrationEdit(QWidget* parent = nullptr);

    // The model as it is fed; null while it is read, and of several.
    void setInspection(const Inspection& inspection);
    // What is being typed stays where the preset has it, too.
    void showPreset(const core::Preset& preset);
    // What the plan has against the set; null: there is none.
    void showPlan(const core::Plan* plan);

    // Why the fields make no set; empty if they do.
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void calibrationEdited(const qs::core::CalibrationInputs& calibration, bool typing);
    void problemChanged();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    enum class Use { None, Generated, Own };  // of samples, by the precisions of the preset

    void build();
    [[nodiscard]] QWidget* buildPictures();
    void connectParts();
    void chooseFolder();
    [[nodiscard]] bool takesPictures() const;
    void setPictures(const QString& source, bool typing);
    void editInput(const InputFeedEdit& row, bool typing);
    void tell(bool typing);
    void take(const QString& path, const QPoint& at);
    [[nodiscard]] core::InputFeed feedFrom(const std::string& input, const QString& path) const;
    void showRows();
    void addRow(const std::string& input);
    void showSet();
    void showState();

    core::Preset m_preset;
    Inspection m_inspection;
    Use m_use = Use::None;
    QString m_objection;
    FoldSection* m_section;
    QWidget* m_content;
    QWidget* m_pictures;
    PathEdit* m_source;
    QToolButton* m_folder;
    QSpinBox* m_count;
    QVBoxLayout* m_rowLayout;
    QList<InputFeedEdit*> m_rows;
    QLabel* m_message;
    QToolButton* m_clear;
};

}  // namespace qs::widgets
