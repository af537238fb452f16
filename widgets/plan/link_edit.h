#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QLabel;
class QToolButton;

namespace qs::widgets {

class LineList;

// Which axes advance together, as a model with its image size. New links are made of axes with
// equally many values; the others say why not.
class LinkEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit LinkEdit(QWidget* parent = nullptr);

    // Its axes and its links.
    void setPreset(const core::Preset& preset);

Q_SIGNALS:
    void linkedEdited(const std::vector<qs::core::LinkedAxes>& linked);

private:
    void showLinks();
    void showAxes();
    void check();
    void link();
    void unlink(int place);
    [[nodiscard]] core::LinkedAxes chosen() const;

    std::vector<core::Axis> m_axes;
    std::vector<core::LinkedAxes> m_linked;
    LineList* m_links;
    QWidget* m_boxArea;
    QList<QCheckBox*> m_boxes;
    QToolButton* m_link;
    QLabel* m_message;
};

}  // namespace qs::widgets
