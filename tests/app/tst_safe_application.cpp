#include "app/gui/safe_application.h"
#include "tests/support/gui_test.h"

#include <QEvent>
#include <QObject>
#include <QSignalSpy>

#include <array>
#include <new>
#include <stdexcept>

namespace qs::tst_safe_application {

using app::asksForText;
using app::SafeApplication;

namespace {

// Throws while it handles what it is sent.
class Thrower final : public QObject
{
public:
    bool noMemory = false;

    bool event(QEvent* /*event*/) override
    {
        if (noMemory)
            throw std::bad_alloc();
        throw std::runtime_error("of no importance");
    }
};

}  // namespace

class TestSafeApplication : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsThrownIsTold()
    {
        const QSignalSpy failed(qobject_cast<SafeApplication*>(qApp), &SafeApplication::failed);
        Thrower thrower;
        for (const bool noMemory : {false, true}) {
            thrower.noMemory = noMemory;
            QCoreApplication::postEvent(&thrower, new QEvent(QEvent::User));
            QTRY_COMPARE(failed.size(), noMemory ? 2 : 1);
        }
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("of no importance")));
        QVERIFY(failed[1][0].toString().contains(QStringLiteral("not enough memory")));
    }

    void helpNeedsNoDisplay()
    {
        const auto asks = [](std::array<const char*, 3> arguments) {
            return asksForText(3, const_cast<char**>(arguments.data()));
        };
        QVERIFY(asks({"quantscope", "--help", "x"}));
        QVERIFY(asks({"quantscope", "--run", "--version"}));
        QVERIFY(!asks({"quantscope", "--run", "help"}));
    }
};

const tests::GuiTest<TestSafeApplication, SafeApplication> registered(__FILE_NAME__);

}  // namespace qs::tst_safe_application

#include "tst_safe_application.moc"
