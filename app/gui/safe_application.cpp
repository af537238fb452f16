#include "app/gui/safe_application.h"

#include "core/base/caught.h"

#include <QMetaObject>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace qs::app {

namespace {

constexpr int kExitFailed = 1;

// Qt aborts after this. It knows no other way to say that it finds no display.
void endWithASentence(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text)
{
    if (type != QtFatalMsg) {
        std::fprintf(stderr, "%s\n", qPrintable(text));
        return;
    }
    std::fputs("quantscope: no display found; use quantscope-cli without a display\n", stderr);
    std::_Exit(kExitFailed);
}

// The base is made while Qt looks for the display.
int& watched(int& argc)
{
    qInstallMessageHandler(endWithASentence);
    return argc;
}

}  // namespace

SafeApplication::SafeApplication(int& argc, char** argv) : QApplication(watched(argc), argv)
{
    qInstallMessageHandler(nullptr);
}

bool SafeApplication::notify(QObject* receiver, QEvent* event)
{
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        const QString problem = QString::fromStdString(core::caughtError().message);
        std::fprintf(stderr, "quantscope: %s\n", qPrintable(problem));
        // Later: whoever threw may hold what a box of its own would need.
        QMetaObject::invokeMethod(
            this, [this, problem] { Q_EMIT failed(problem); }, Qt::QueuedConnection);
        return false;
    }
}

bool asksForText(int argc, char** argv)
{
    constexpr std::string_view kOptions[] = {"-h", "--help", "--help-all", "-v", "--version"};
    return std::any_of(argv + 1, argv + argc, [&](const char* argument) {
        return std::find(std::begin(kOptions), std::end(kOptions), argument) != std::end(kOptions);
    });
}

}  // namespace qs::app

#include "moc_safe_application.cpp"
