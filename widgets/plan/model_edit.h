#pragma once

#include <QWidget>

class QAction;
class QComboBox;
class QMenu;

namespace qs::widgets {

// Which model: the demo model, a published one with generated weights, or weights in a file or
// folder.
class ModelEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit ModelEdit(QWidget* parent = nullptr);

    // References as core::openModel takes them; several when the preset sweeps over models, which
    // cannot be edited here.
    void setModels(const QStringList& references);
    // Files and folders that were opened before, newest first.
    void setRecent(const QStringList& paths);

Q_SIGNALS:
    void modelEdited(const QString& reference);

private:
    void chooseFile();
    void chooseFolder();

    QComboBox* m_box;
    QMenu* m_menu;
    QList<QAction*> m_recent;
};

}  // namespace qs::widgets
