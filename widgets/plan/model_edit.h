#pragma once

#include <QWidget>

class QComboBox;

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

Q_SIGNALS:
    void modelEdited(const QString& reference);

private:
    void chooseFile();
    void chooseFolder();

    QComboBox* m_box;
};

}  // namespace qs::widgets
