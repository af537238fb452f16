#pragma once

#include <QMenu>

namespace qs::widgets {

// A menu that stays open while things in it are ticked.
class ColumnMenu final : public QMenu
{
    Q_OBJECT

public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    // Ticks what is pointed at; false if that is nothing to tick.
    bool tick();
};

}  // namespace qs::widgets
