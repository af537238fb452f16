#pragma once

#include <QToolButton>

namespace qs::widgets {

// Styles hardly tell a pressed button from another in a dark theme; a line in the accent colour
// does.
class ToggleButton : public QToolButton
{
public:
    ToggleButton() { setCheckable(true); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

// Arrows to two corners: no font is sure to have them.
class LargeButton final : public ToggleButton
{
public:
    LargeButton() = default;
    explicit LargeButton(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace qs::widgets
