#include "core/run/describe_engine.h"

#include "core/base/json_text_map.h"
#include "core/run/worker_question.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr int kMostThreads = 1'000'000;

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
    engine.compiler = textMap(fields, "compiler");
    engine.python = fields.text("python");
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
    QS_TRY(const Message answer,
           askWorker({workerProgram, {}, Describe{}, timeoutSeconds, stop},
                     [](const Message& each) { return std::holds_alternative<DeviceList>(each); }));
    Result<EngineDescription> engine = engineFrom(std::get<DeviceList>(answer).devices);
    if (!engine.ok())
        return Error{ErrorCode::Unsupported, "the engine is not usable: " + engine.error().message};
    return engine;
}

}  // namespace qs::core
