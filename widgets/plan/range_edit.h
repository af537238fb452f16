#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace qs::widgets {

// A line of whole numbers in range dialect ("1, 4, 16", "1..64 pow2") with what it means, or what
// is wrong with it, below.
class RangeEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit RangeEdit(QWidget* parent = nullptr);

    void setValues(const QStringList& values);
    [[nodiscard]] bool isValid() const { return m_valid; }
    [[nodiscard]] QLineEdit* lineEdit() const { return m_edit; }

Q_SIGNALS:
    // By a person, as they type; only while the text is valid.
    void valuesEdited(const QStringList& values);
    void validityChanged();

private:
    void read(bool byPerson);

    QLineEdit* m_edit;
    QLabel* m_message;
    bool m_valid = true;
};

}  // namespace qs::widgets
