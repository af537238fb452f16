#pragma once

#include <QApplication>

namespace qs::app {

// Nothing that is thrown while an event is handled ends the program: the window stays and says what
// went wrong. Without a display the program ends with a sentence, where Qt would abort.
class SafeApplication final : public QApplication
{
    Q_OBJECT

public:
    // As QApplication, `argc` must live as long as the object.
    SafeApplication(int& argc, char** argv);

    bool notify(QObject* receiver, QEvent* event) override;

Q_SIGNALS:
    void failed(const QString& problem);
};

// Help and version are for terminals, which need no display.
[[nodiscard]] bool asksForText(int argc, char** argv);

}  // namespace qs::app
