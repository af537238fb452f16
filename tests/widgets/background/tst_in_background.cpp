#include "tests/support/gui_test.h"
#include "widgets/background/in_background.h"
#include "widgets/background/latest_task.h"

#include <QSemaphore>
#include <QThread>

#include <atomic>
#include <memory>
#include <new>

namespace qs::tst_in_background {

using namespace widgets;

namespace {

// Owns a task the way a view does: as a member, with itself as the context.
struct View final : QObject {
    LatestTask<int> task;
};

}  // namespace

class TestInBackground final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerComesOnTheGuiThread()
    {
        QThread* worked = nullptr;
        QThread* answeredOn = nullptr;
        inBackground(
            this, [] { return QThread::currentThread(); },
            [&](QThread* thread) {
                worked = thread;
                answeredOn = QThread::currentThread();
            });
        QTRY_VERIFY(answeredOn != nullptr);
        QCOMPARE(answeredOn, thread());
        QVERIFY(worked != thread());
    }

    void anAnswerToNobodyIsDropped()
    {
        QSemaphore begun;
        QSemaphore mayEnd;
        bool answered = false;
        auto receiver = std::make_unique<QObject>();
        const auto held = std::make_shared<int>(7);
        inBackground(
            receiver.get(),
            [&begun, &mayEnd, held] {
                begun.release();
                mayEnd.acquire();
                return *held;
            },
            [&answered](int) { answered = true; });
        begun.acquire();
        receiver.reset();
        mayEnd.release();
        // What the work holds goes with it.
        QTRY_COMPARE(held.use_count(), 1L);
        QCoreApplication::processEvents();
        QVERIFY(!answered);
    }

    // A receiver that ends while its answer is being posted: with an answer that is posted to the
    // receiver itself, this ends in its memory after that was given back.
    void receiversMayEndWhileTheyAreAnswered()
    {
        constexpr int kReceivers = 20'000;
        std::atomic<int> worked = 0;
        for (int i = 0; i < kReceivers; ++i) {
            auto receiver = std::make_unique<QObject>();
            const int before = worked;
            inBackground(
                receiver.get(),
                [&worked] {
                    ++worked;
                    return 1;
                },
                [guard = QPointer<QObject>(receiver.get())](int) { QVERIFY(guard); });
            // Until the work ends, so that the end of the receiver meets the answer.
            while (worked == before)
                QThread::yieldCurrentThread();
            receiver.reset();
            if (i % 16 == 0)
                QCoreApplication::processEvents();
        }
        QVERIFY(QThreadPool::globalInstance()->waitForDone(10'000));
        QCoreApplication::processEvents();
        QCOMPARE(worked.load(), kReceivers);
    }

    void workThatThrowsIsAnsweredByNothing()
    {
        bool answered = false;
        QTest::ignoreMessage(QtWarningMsg, "work in the background failed: std::bad_alloc");
        inBackground(
            this, []() -> std::shared_ptr<int> { throw std::bad_alloc(); },
            [&](const std::shared_ptr<int>& got) {
                answered = true;
                QVERIFY(got == nullptr);
            });
        QTRY_VERIFY(answered);
    }

    void onlyTheNewestTaskIsAnswered()
    {
        View view;
        QSemaphore begun;
        QSemaphore mayEnd;
        QList<int> answers;
        const auto keep = [&answers](int answer) { answers << answer; };
        view.task.start(
            &view,
            [&](const auto& wanted) {
                begun.release();
                mayEnd.acquire();
                return wanted() ? 1 : -1;
            },
            keep);
        begun.acquire();
        view.task.start(
            &view, [](const auto&) { return 2; }, keep);
        mayEnd.release();
        QTRY_COMPARE(answers, QList<int>{2});
        QVERIFY(!view.task.isBusy());
        QCoreApplication::processEvents();
        QCOMPARE(answers, QList<int>{2});
    }

    void theEndOfATaskWaitsForItsWork()
    {
        std::atomic<bool> ended = false;
        bool answered = false;
        QSemaphore begun;
        {
            View view;
            view.task.start(
                &view,
                [&](const auto& wanted) {
                    begun.release();
                    while (wanted())
                        QThread::yieldCurrentThread();
                    ended = true;
                    return 1;
                },
                [&](int) { answered = true; });
            begun.acquire();
        }
        QVERIFY(ended);
        QCoreApplication::processEvents();
        QVERIFY(!answered);
    }
};

const tests::GuiTest<TestInBackground> registered(__FILE_NAME__);

}  // namespace qs::tst_in_background

#include "tst_in_background.moc"
