#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace qs::app {

class MainWindow;

// What is to be in the picture, and when.
struct ScreenshotWish {
    QString file;
    QString part;  // name of the widget that the picture shows; empty: the window
    int rows = 0;  // once a running sweep has so many; 0: not while a run goes on
};

// Saves a picture of the window once nothing changes any more, or once a running sweep has some
// rows.
class ScreenshotTaker final : public QObject
{
    Q_OBJECT

public:
    // `window` must outlive the object.
    ScreenshotTaker(MainWindow& window, ScreenshotWish wish, QObject* parent = nullptr);

Q_SIGNALS:
    void taken(bool saved);

private:
    void look();
    [[nodiscard]] bool isTime() const;

    MainWindow& m_window;
    ScreenshotWish m_wish;
    QTimer m_timer;
    int m_quietLooks = 0;
};

}  // namespace qs::app
