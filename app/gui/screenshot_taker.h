#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace qs::app {

class MainWindow;

// What is to be in the picture, and when.
struct ScreenshotWish {
    QString file;
    QString part;    // name of the widget that the picture shows; empty: the window
    QString action;  // name of an action that is triggered first, when all is loaded; may be empty
    int rows = 0;    // once a running sweep has so many; 0: not while a run goes on
};

// Saves a picture of the window once nothing changes any more, or once a running sweep has some
// rows.
class ScreenshotTaker final : public QObject
{
    Q_OBJECT

public:
    // `window` must outlive the object. Saves nothing if there is no such action or part.
    ScreenshotTaker(MainWindow& window, ScreenshotWish wish, QObject* parent = nullptr);

Q_SIGNALS:
    void taken(bool saved);

private:
    void look();
    void triggerAction();
    [[nodiscard]] bool isTime() const;

    MainWindow& m_window;
    ScreenshotWish m_wish;
    QTimer m_timer;
    int m_quietLooks = 0;
};

}  // namespace qs::app
