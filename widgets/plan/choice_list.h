#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <map>
#include <string>

class QCheckBox;
class QGridLayout;

namespace qs::widgets {

// Check boxes for the values of an axis of texts. Values that are not among the choices (pairs of
// precisions, say) get boxes of their own when they are set, so that editing loses nothing.
class ChoiceList final : public QWidget
{
    Q_OBJECT

public:
    struct Choice {
        QString value;
        QString label;
        QString toolTip;
    };

    // How a value that is none of the choices looks; without it, as it is written.
    using Describe = std::function<Choice(const QString& value)>;

    explicit ChoiceList(QList<Choice> choices, QWidget* parent = nullptr, Describe describe = {});

    void setValues(const QStringList& values);
    // What is checked: known ones in the order of the choices, then the others.
    [[nodiscard]] QStringList values() const;
    // Why values cannot run: they are grey and say so, but can be chosen for a device that can.
    void setReasons(const std::map<std::string, std::string>& reasons);

Q_SIGNALS:
    // By a person; never without any value: the last box cannot be cleared.
    void valuesEdited(const QStringList& values);

protected:
    void changeEvent(QEvent* event) override;

private:
    QCheckBox* addBox(const Choice& choice);
    void removeLast();
    void showReason(QCheckBox* box) const;
    void boxToggled(QCheckBox* box);

    Describe m_describe;
    QGridLayout* m_layout;
    QList<QCheckBox*> m_boxes;
    qsizetype m_knownCount = 0;
    int m_place = 0;  // of the next box, row by row
    std::map<std::string, std::string> m_reasons;
};

}  // namespace qs::widgets
