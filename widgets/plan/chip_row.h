#pragma once

#include <QList>
#include <QPointer>
#include <QStringList>
#include <QWidget>

#include <map>
#include <string>

class QToolButton;

namespace qs::widgets {

class ChipList;

// The values of an axis as chips: a press (or Delete) takes one out. Those that cannot run are grey
// and say why. They have one row, whatever is typed: what finds no place there is behind a last
// chip, which opens the list of all.
class ChipRow final : public QWidget
{
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void setValues(const QStringList& values);
    void setReasons(const std::map<std::string, std::string>& reasons);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void removed(const QString& value);

protected:
    bool eventFilter(QObject* chip, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addChip(const QString& value);
    // Shows the chips that fit.
    void arrange();
    void place(QToolButton& chip, int left) const;
    [[nodiscard]] QString moreText(qsizetype count) const;
    void remove(const QString& value);
    void openList();

    QStringList m_values;
    std::map<std::string, std::string> m_reasons;
    QList<QToolButton*> m_chips;  // of the first values
    QToolButton* m_more;
    QPointer<ChipList> m_list;  // while it is open
};

}  // namespace qs::widgets
