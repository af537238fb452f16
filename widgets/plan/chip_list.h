#pragma once

#include <QFrame>
#include <QStringList>

#include <map>
#include <string>

class QListWidget;
class QListWidgetItem;

namespace qs::widgets {

// All values of an axis, one below the other, in a popup that stays open: a press (or Delete) takes
// one out, as from a row of chips.
class ChipList final : public QFrame
{
    Q_OBJECT

public:
    explicit ChipList(QWidget* parent);

    // The row that is current stays where it is.
    void setValues(const QStringList& values, const std::map<std::string, std::string>& reasons);
    // Below `button`, or above it where the screen ends.
    void openAt(const QWidget& button);

Q_SIGNALS:
    void removed(const QString& value);

protected:
    bool eventFilter(QObject* list, QEvent* event) override;

private:
    void remove(const QListWidgetItem* item);

    QListWidget* m_list;
};

}  // namespace qs::widgets
