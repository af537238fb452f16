#include "core/protocol/message_fields.h"

#include "core/base/json_enum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace qs::core {

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
Json jsonOf(const Hello& hello)
{
    return {{"protocol_version", hello.protocolVersion},
            {"worker_version", hello.workerVersion},
            {"pid", hello.pid},
            {"torch_version", hello.torchVersion},
            {"cuda_version", hello.cudaVersion}};
}

Json jsonOf(const RunCell& run)
{
    return {{"request_id", run.requestId}, {"cell", run.cell}};
}

Json jsonOf(const Heartbeat& beat)
{
    Json json{{"progress_counter", beat.progressCounter}, {"phase", kPhaseNames.of(beat.phase)}};
    if (beat.phaseFraction)
        json["phase_fraction"] = *beat.phaseFraction;
    if (!beat.samples.empty())
        json["samples"] = beat.samples;
    return json;
}

Json jsonOf(const PhaseChanged& change)
{
    return {{"phase", kPhaseNames.of(change.phase)}};
}

Json jsonOf(const CellFinished& finished)
{
    return {{"request_id", finished.requestId}, {"result", finished.result}};
}

Json jsonOf(const CellFailed& failed)
{
    return {{"request_id", failed.requestId}, {"failure", toJson(failed.failure)}};
}

Json jsonOf(const ConvertProgram& convert)
{
    return {{"request", convert.request}};
}

Json jsonOf(const ProgramConverted& converted)
{
    return {{"result", converted.result}};
}

Json jsonOf(const Describe&)
{
    return Json::object();
}

Json jsonOf(const DeviceList& list)
{
    return {{"devices", list.devices}};
}

Json jsonOf(const Shutdown&)
{
    return Json::object();
}

// JsonFields gives a fallback for what is absent; members of messages must be there.
std::string requiredText(JsonFields& fields, std::string_view name)
{
    return fields.require(name) == nullptr ? std::string() : fields.text(name);
}

std::int64_t requiredInteger(JsonFields& fields, std::string_view name, std::int64_t lowest)
{
    return fields.require(name) == nullptr ? lowest
                                           : fields.integer(name, lowest, lowest, kLargest);
}

Json requiredJson(JsonFields& fields, std::string_view name)
{
    const Json* json = fields.require(name);
    return json == nullptr ? Json() : *json;
}

std::vector<double> liveSamples(JsonFields& fields)
{
    const Json* list = fields.find("samples");
    if (list == nullptr)
        return {};
    const auto isTime = [](const Json& value) {
        return value.is_number() && std::isfinite(value.get<double>()) &&
               value.get<double>() >= 0.0;
    };
    if (!list->is_array() || list->size() > kMostLiveSamples ||
        !std::all_of(list->begin(), list->end(), isTime)) {
        fields.complain("samples", "expected at most " + std::to_string(kMostLiveSamples) +
                                       " times in seconds");
        return {};
    }
    return list->get<std::vector<double>>();
}

template <typename T>
T fromFields(JsonFields& fields);

template <>
Hello fromFields(JsonFields& fields)
{
    Hello hello;
    hello.protocolVersion = static_cast<int>(requiredInteger(fields, "protocol_version", 0));
    hello.workerVersion = requiredText(fields, "worker_version");
    hello.pid = requiredInteger(fields, "pid", 0);
    hello.torchVersion = requiredText(fields, "torch_version");
    hello.cudaVersion = requiredText(fields, "cuda_version");
    return hello;
}

template <>
RunCell fromFields(JsonFields& fields)
{
    return {requiredInteger(fields, "request_id", 0), requiredJson(fields, "cell")};
}

template <>
Heartbeat fromFields(JsonFields& fields)
{
    Heartbeat beat;
    beat.progressCounter = requiredInteger(fields, "progress_counter", 0);
    beat.phase = requireEnum(fields, "phase", kPhaseNames, Phase::Idle);
    if (fields.find("phase_fraction") != nullptr)
        beat.phaseFraction = fields.number("phase_fraction", 0, 0, 1);
    beat.samples = liveSamples(fields);
    return beat;
}

template <>
PhaseChanged fromFields(JsonFields& fields)
{
    return {requireEnum(fields, "phase", kPhaseNames, Phase::Idle)};
}

template <>
CellFinished fromFields(JsonFields& fields)
{
    return {requiredInteger(fields, "request_id", 0), requiredJson(fields, "result")};
}

template <>
CellFailed fromFields(JsonFields& fields)
{
    const std::int64_t request = requiredInteger(fields, "request_id", 0);
    const Json* failure = fields.require("failure");
    if (failure == nullptr)
        return {request, {}};
    return {request, failureFromJson(*failure, fields.pathOf("failure"), fields.issues())};
}

template <>
ConvertProgram fromFields(JsonFields& fields)
{
    return {requiredJson(fields, "request")};
}

template <>
ProgramConverted fromFields(JsonFields& fields)
{
    return {requiredJson(fields, "result")};
}

template <>
Describe fromFields(JsonFields&)
{
    return {};
}

template <>
DeviceList fromFields(JsonFields& fields)
{
    return {requiredJson(fields, "devices")};
}

template <>
Shutdown fromFields(JsonFields&)
{
    return {};
}

// In the order of Message, so that the index of the variant finds the row.
struct TypeRow {
    std::string_view name;
    Message (*read)(JsonFields&);
};

template <typename T>
constexpr TypeRow row(std::string_view name)
{
    return {name, [](JsonFields& fields) -> Message { return fromFields<T>(fields); }};
}

constexpr std::array<TypeRow, 11> kTypes{
    row<Hello>("hello"),
    row<RunCell>("run_cell"),
    row<Heartbeat>("heartbeat"),
    row<PhaseChanged>("phase_changed"),
    row<CellFinished>("cell_finished"),
    row<CellFailed>("cell_failed"),
    row<ConvertProgram>("convert_program"),
    row<ProgramConverted>("program_converted"),
    row<Describe>("describe"),
    row<DeviceList>("device_list"),
    row<Shutdown>("shutdown"),
};
static_assert(kTypes.size() == std::variant_size_v<Message>);

}  // namespace

std::string_view typeOf(const Message& message)
{
    return kTypes[message.index()].name;
}

Json fieldsOf(const Message& message)
{
    return std::visit([](const auto& content) { return jsonOf(content); }, message);
}

std::optional<Message> messageFromFields(std::string_view type, JsonFields& fields)
{
    for (const TypeRow& row : kTypes) {
        if (row.name == type)
            return row.read(fields);
    }
    return std::nullopt;
}

}  // namespace qs::core
