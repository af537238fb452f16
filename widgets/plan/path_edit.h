#pragma once

#include <QWidget>

class QLineEdit;

namespace qs::widgets {

// The path of a file: typed, or chosen in a dialog.
class PathEdit final : public QWidget
{
    Q_OBJECT

public:
    // The line is named `name`, its button "choose:" and `name`. `filter`: "Tensors (*.npy)".
    PathEdit(const QString& name, const QString& title, QString filter, QWidget* parent);

    void setPath(const QString& path);
    [[nodiscard]] QString path() const;
    [[nodiscard]] QLineEdit* line() const { return m_line; }

Q_SIGNALS:
    // By a person; `typing`: letter by letter.
    void edited(bool typing);

private:
    void choose();

    QString m_title;
    QString m_filter;
    QLineEdit* m_line;
};

}  // namespace qs::widgets
