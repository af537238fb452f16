#include "core/protocol/message_codec.h"

#include "core/protocol/frame.h"
#include "core/protocol/message_fields.h"

namespace qs::core {

namespace {

constexpr JsonLimits kMessageLimits{.bytes = kMaximumPayloadBytes,
                                    .depth = 64,
                                    .nodes = 4'000'000,
                                    .stringBytes = kMaximumPayloadBytes};

Result<Message> messageFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    const bool typed = fields.require("type") != nullptr;
    const std::string type = typed ? fields.text("type") : std::string();
    if (!issues.empty())
        return Error{ErrorCode::Format, "a message without a type: " + formatIssues(issues)};
    // Before anything else: another version may well have other members.
    if (const Json* version = type == "hello" ? fields.find("protocol_version") : nullptr;
        version != nullptr && version->is_number_integer() && *version != kProtocolVersion)
        return Error{ErrorCode::Unsupported, "the worker speaks protocol version " +
                                                 jsonText(*version) + ", this program version " +
                                                 std::to_string(kProtocolVersion) +
                                                 ": they come from different installations"};
    std::optional<Message> message = messageFromFields(type, fields);
    if (!message)
        return Error{ErrorCode::Format,
                     "a message of unknown type " + jsonText(type.substr(0, 40))};
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format,
                     "an invalid message \"" + type + "\": " + formatIssues(issues)};
    return std::move(*message);
}

}  // namespace

Result<std::string> encodeMessage(const Message& message)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::InvalidArgument,
                     "cannot send \"" + std::string(typeOf(message)) + "\": " + why};
    };
    Json json = fieldsOf(message);
    json["type"] = typeOf(message);
    std::string payload = jsonText(json);
    // What the other side would refuse, or read as something else, must not be sent.
    const auto back = decodeMessage(payload);
    if (!back.ok())
        return refuse(back.error().message);
    if (back.value() != message)
        return refuse("it has NaN, an infinity or binary data");
    return payload;
}

Result<Message> decodeMessage(std::string_view payload)
{
    QS_TRY(const Json json, parseJson(payload, "a message", kMessageLimits));
    return messageFromJson(json);
}

}  // namespace qs::core
