#pragma once

#include <QObject>

namespace qs::app {

class MainWindow;

// For measuring the start: writes "usable" to standard output when the window is painted and waits
// for a person, and "filled" when it shows the run that it opens, then ends the program.
class StartReport final : public QObject
{
    Q_OBJECT

public:
    // `window` must outlive the object.
    explicit StartReport(MainWindow& window, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // The event loop has nothing to do.
    void idle();

    MainWindow& m_window;
    bool m_painted = false;
    bool m_usable = false;
};

}  // namespace qs::app
