#pragma once

#include <QStringList>
#include <QWidget>

#include <map>
#include <string>

class QLabel;
class QLineEdit;
class QStackedLayout;

namespace qs::widgets {

class ChipRow;

// A line of whole numbers in range dialect ("1, 4, 16", "1..64 pow2") with what it means as chips,
// or what is wrong with it, below.
class RangeEdit final : public QWidget
{
    Q_OBJECT

public:
    // Of an axis of whole numbers, by its name in files.
    explicit RangeEdit(std::string axis, QWidget* parent = nullptr);

    void setValues(const QStringList& values);
    // Why values cannot run.
    void setReasons(const std::map<std::string, std::string>& reasons);
    [[nodiscard]] bool isValid() const { return m_valid; }
    [[nodiscard]] QLineEdit* lineEdit() const { return m_edit; }

Q_SIGNALS:
    // By a person, as they type; only while the text is valid.
    void valuesEdited(const QStringList& values);
    void validityChanged();

private:
    void read(bool byPerson);
    void showChips();
    void remove(const QString& value);

    std::string m_axis;
    QLineEdit* m_edit;
    ChipRow* m_chips;
    QStackedLayout* m_place;  // of chips or message
    QLabel* m_message;
    QStringList m_values;  // of the text while it is valid
    std::map<std::string, std::string> m_reasons;
    bool m_valid = true;
};

}  // namespace qs::widgets
