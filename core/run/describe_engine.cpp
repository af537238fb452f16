#include "core/run/describe_engine.h"

#include "core/base/json_text_map.h"
#include "core/run/worker_process.h"

#include <nlohmann/json.hpp>

namespace qs::core {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t kLogTailBytes = 8192;
constexpr int kMostThreads = 1'000'000;
// A process that has closed its channel is about to end; how it ended is worth that much.
constexpr milliseconds kEndOfSilent(1000);

Result<EngineDescription> engineFrom(const Json& answer)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(answer, "$engine", issues);
    EngineDescription engine;
    engine.torch = fields.text("torch");
    engine.cuda = fields.text("cuda");
    engine.cudnn = fields.text("cudnn");
    engine.commit = fields.text("commit");
    engine.threads = static_cast<int>(fields.integer("threads", 0, 0, kMostThreads));
    engine.numerics = textMap(fields, "numerics");
    engine.whyNoGpu = fields.text("why_no_gpu");
    if (const Json* devices = fields.require("devices"); devices != nullptr) {
        for (const Json& each : *devices) {
            QS_TRY(DeviceDescription device, deviceFromJson(each));
            engine.devices.push_back(std::move(device));
        }
    }
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return engine;
}

}  // namespace

Result<EngineDescription> describeEngine(const std::filesystem::path& workerProgram,
                                         double timeoutSeconds, const std::stop_token& stop)
{
    const auto begin = std::chrono::steady_clock::now();
    QS_TRY(WorkerProcess worker, WorkerProcess::spawn(workerProgram, {}));
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
    if (const Status sent = worker.channel().send(Describe{}, milliseconds(1000)); !sent.ok())
        return fail(sent.error().message, kEndOfSilent);
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
           timeoutSeconds) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped before the engine answered"};
        readLog();
        auto message = worker.channel().receive(milliseconds(50));
        if (!message.ok() && message.error().code == ErrorCode::Timeout)
            continue;
        if (!message.ok())
            return fail(message.error().message);
        if (!message.value())
            return fail("it ended without an answer", kEndOfSilent);
        const auto* list = std::get_if<DeviceList>(&*message.value());
        if (list == nullptr)
            continue;
        Result<EngineDescription> engine = engineFrom(list->devices);
        if (!engine.ok())
            return fail(engine.error().message);
        static_cast<void>(worker.channel().send(Shutdown{}, milliseconds(100)).ok());
        return engine;
    }
    return fail("it did not answer in " + std::to_string(static_cast<int>(timeoutSeconds)) + " s");
}

}  // namespace qs::core
