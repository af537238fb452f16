#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace qs::app {

class MainWindow;

// Saves a picture of the window once nothing changes any more, or once a running sweep has some
// rows.
class ScreenshotTaker final : public QObject
{
    Q_OBJECT

public:
    // `window` must outlive the object.
    // `rows` 0: not while a run goes on.
    ScreenshotTaker(MainWindow& window, QString file, int rows, QObject* parent = nullptr);

Q_SIGNALS:
    void taken(bool saved);

private:
    void look();
    [[nodiscard]] bool isTime() const;

    MainWindow& m_window;
    QString m_file;
    int m_rows;
    QTimer m_timer;
    int m_quietLooks = 0;
};

}  // namespace qs::app
