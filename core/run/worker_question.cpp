#include "core/run/worker_question.h"

#include "core/run/worker_process.h"

namespace qs::core {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t kLogTailBytes = 8192;
// A process that has closed its channel is about to end; how it ended is worth that much.
constexpr milliseconds kEndOfSilent(1000);

}  // namespace

Result<Message> askWorker(const WorkerQuestion& question,
                          const std::function<bool(const Message&)>& isAnswer)
{
    const auto begin = std::chrono::steady_clock::now();
    QS_TRY(WorkerProcess worker, WorkerProcess::spawn(question.program, question.arguments));
    std::string log;
    // Read all the time: a full pipe would stop a talkative worker.
    const auto readLog = [&] {
        log += worker.takeLog();
        if (log.size() > kLogTailBytes)
            log.erase(0, log.size() - kLogTailBytes);
    };
    const auto fail = [&](const std::string& why, milliseconds patience = milliseconds(0)) {
        const auto end = worker.waitForEnd(patience);
        readLog();
        return Error{ErrorCode::Unsupported, "the engine is not usable: " + why +
                                                 (end ? " (" + end->text() + ")" : "") +
                                                 (log.empty() ? "" : "\n" + log)};
    };
    if (const Status sent = worker.channel().send(question.question, milliseconds(1000));
        !sent.ok())
        return fail(sent.error().message, kEndOfSilent);
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
           question.timeoutSeconds) {
        if (question.stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped before the engine answered"};
        readLog();
        auto message = worker.channel().receive(milliseconds(50));
        if (!message.ok() && message.error().code == ErrorCode::Timeout)
            continue;
        if (!message.ok())
            return fail(message.error().message);
        if (!message.value())
            return fail("it ended without an answer", kEndOfSilent);
        if (!isAnswer(*message.value()))
            continue;
        static_cast<void>(worker.channel().send(Shutdown{}, milliseconds(100)).ok());
        return std::move(*message.value());
    }
    return fail("it did not answer in " +
                std::to_string(static_cast<int>(question.timeoutSeconds)) + " s");
}

}  // namespace qs::core
