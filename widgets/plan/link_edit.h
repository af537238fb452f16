#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QToolButton;

namespace qs::widgets {

class LineList;

// Which axes advance together, as a model with its image size. New links are made of axes with
// equally many values; the others say why not. Values decide what can be ticked and what is said,
// never how high it is.
class LinkEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit LinkEdit(QWidget* parent = nullptr);

    // Its axes and its links.
    void setPreset(const core::Preset& preset);
    // Names of the sizes of the model.
    void setSizes(const std::vector<std::string>& names);

Q_SIGNALS:
    void linkedEdited(const std::vector<qs::core::LinkedAxes>& linked);

private:
    void showLinks();
    void showAxes();
    void makeBoxes();
    void check();
    void showLinkButton();
    [[nodiscard]] std::vector<std::string> offered() const;
    [[nodiscard]] QString hindrance(const std::string& name) const;
    [[nodiscard]] QString message() const;
    [[nodiscard]] static std::string axisOf(const QCheckBox& box);
    void link();
    void unlink(int place);
    [[nodiscard]] core::LinkedAxes chosen() const;

    std::vector<core::Axis> m_axes;
    std::vector<core::LinkedAxes> m_linked;
    std::vector<std::string> m_sizes;
    std::vector<std::string> m_offered;
    LineList* m_links;
    QWidget* m_boxArea;
    QList<QCheckBox*> m_boxes;
    QToolButton* m_link;
    QLabel* m_message;
};

}  // namespace qs::widgets
