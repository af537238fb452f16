#pragma once

#include <QStringList>
#include <QWidget>

#include <map>
#include <string>

namespace qs::widgets {

// The values of an axis as chips: a press (or Delete) takes one out. Those that cannot run are grey
// and say why.
class ChipRow final : public QWidget
{
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void setValues(const QStringList& values);
    void setReasons(const std::map<std::string, std::string>& reasons);

Q_SIGNALS:
    void removed(const QString& value);

protected:
    bool eventFilter(QObject* chip, QEvent* event) override;

private:
    void rebuild();
    void addChip(const QString& value);

    QStringList m_values;
    std::map<std::string, std::string> m_reasons;
};

}  // namespace qs::widgets
