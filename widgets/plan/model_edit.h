#pragma once

#include <QWidget>

class QAction;
class QComboBox;
class QMenu;
class QToolButton;

namespace qs::widgets {

class LineList;

// Which model: the demo model, a published one with generated weights, or weights in a file or
// folder. Or several of them, as an axis of the sweep.
class ModelEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit ModelEdit(QWidget* parent = nullptr);

    // References as core::openModel takes them; at least one.
    void setModels(const QStringList& references);
    // Files and folders that were opened before, newest first.
    void setRecent(const QStringList& paths);

Q_SIGNALS:
    void modelsEdited(const QStringList& references);

private:
    void buildBox();
    [[nodiscard]] QToolButton* buildOpen();
    void buildAdd();
    // The only model, or one more.
    void choose(const QString& reference);
    void showModels();
    void chooseFile();
    void chooseFolder();

    QStringList m_models;
    QComboBox* m_box;
    QToolButton* m_add;
    LineList* m_list;  // while there are several
    QMenu* m_menu;
    QList<QAction*> m_recent;
    int m_inList = 0;  // how many of them stand in the box, at its top
};

}  // namespace qs::widgets
