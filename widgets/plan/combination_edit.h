#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QComboBox;

namespace qs::widgets {

class ExclusionEdit;
class LinkEdit;

// How the values of the axes become cells: all with each other or one axis at a time, which axes go
// together, and what is left out.
class CombinationEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit CombinationEdit(QWidget* parent = nullptr);

    void setPreset(const core::Preset& preset);
    // Only the axes have changed: what a person is typing stays.
    void setAxes(const core::Preset& preset);
    // Names of the sizes of the model.
    void setSizes(const std::vector<std::string>& names);
    // "one axis at a time · 1 link · 2 left out"
    [[nodiscard]] static QString summary(const core::Preset& preset);

Q_SIGNALS:
    void modeEdited(qs::core::SweepMode mode);
    void appendDefaultEdited(bool append);
    void linkedEdited(const std::vector<qs::core::LinkedAxes>& linked);
    void exclusionsEdited(const std::vector<qs::core::Exclusion>& exclusions);

private:
    void buildMode();
    void showDefaultCell(core::SweepMode mode);

    QComboBox* m_mode;
    QCheckBox* m_appendDefault;
    LinkEdit* m_links;
    ExclusionEdit* m_exclusions;
};

}  // namespace qs::widgets
