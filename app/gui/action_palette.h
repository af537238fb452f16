#pragma once

#include <QDialog>

class QAction;
class QLineEdit;
class QMenu;
class QMenuBar;
class QTreeWidget;
class QTreeWidgetItem;

namespace qs::app {

// Everything that the menus can do, found by typing a part of its name.
class ActionPalette final : public QDialog
{
    Q_OBJECT

public:
    // The actions are those that the menus have now; they may vanish while the palette is open.
    ActionPalette(const QMenuBar& menus, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addMenu(const QMenu& menu, const QString& path);
    void addAction(QAction& action, const QString& text);
    void applySearch();
    void selectFirstShown();
    void triggerCurrent();

    QLineEdit* m_search = nullptr;
    QTreeWidget* m_list = nullptr;
};

}  // namespace qs::app
