#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace qs::app {

// What the window tells its user: problems in a box, the rest as a notice in the status line.
class Messages final : public QObject
{
    Q_OBJECT

public:
    explicit Messages(QWidget& window) : m_window(window) {}

    void showProblem(const QString& title, const QString& text);
    // About what happened last; empty: nothing worth saying.
    void notify(const QString& notice);
    [[nodiscard]] const QString& notice() const { return m_notice; }

Q_SIGNALS:
    // A box was shown.
    void problemShown(const QString& text);
    void noticeChanged();

private:
    QWidget& m_window;
    QString m_notice;
};

}  // namespace qs::app
