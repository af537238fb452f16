#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QVBoxLayout;

namespace qs::widgets {

// Lines of text, one below the other, each with a button that takes it out.
class LineList final : public QWidget
{
    Q_OBJECT

public:
    struct Line {
        QString text;
        QString toolTip;
        QString removal;  // what its button does: "Do not leave out batch=64"
    };

    // Labels are named `name`, the buttons "remove:" and `name`.
    explicit LineList(QString name, QWidget* parent = nullptr);

    // `removable`: false if what is there has to stay.
    void setLines(const QList<Line>& lines, bool removable = true);

Q_SIGNALS:
    void removed(int place);

private:
    void addLine(int place, const Line& line, bool removable);

    QString m_name;
    QVBoxLayout* m_layout;
};

}  // namespace qs::widgets
