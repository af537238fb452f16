#include "core/protocol/message_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace qs::core {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::vector<Message>& examples()
{
    static const std::vector<Message> messages{
        Hello{kProtocolVersion, "0.1.0", 4711, "2.11.0", ""},
        RunCell{7, {{"model", "vitok"}, {"batch", 4}}},
        Heartbeat{1'000'000, Phase::Measure, 0.25},
        Heartbeat{0, Phase::Load, std::nullopt},
        Heartbeat{7, Phase::Warmup, 0.5, {0.0125, 0.012, 0.0}},
        PhaseChanged{Phase::Warmup},
        CellFinished{7, {{"seconds", {0.1, 0.2}}, {"none", nullptr}}},
        CellFailed{7,
                   {.kind = FailureKind::OutOfMemory,
                    .phase = Phase::Load,
                    .detail = "wanted 3 GiB, größe"}},
        CellFailed{8, {.kind = FailureKind::Signal, .amount = 9.0, .foreign = {{"python3", 1, 2}}}},
        ConvertProgram{{{"program", "net.pt"}}},
        ProgramConverted{{{"operations", 12}}},
        Describe{},
        DeviceList{Json::array({{{"name", "cpu"}}})},
        Shutdown{},
    };
    return messages;
}

std::string refusal(std::string_view payload)
{
    const auto message = decodeMessage(payload);
    return message.ok() ? "accepted" : message.error().message;
}

TEST(Messages, EachReadsBackAsItWas)
{
    std::set<std::string_view> types;
    for (const Message& message : examples()) {
        const std::string payload = encodeMessage(message).value();
        EXPECT_TRUE(decodeMessage(payload).value() == message) << payload;
        EXPECT_THAT(payload, HasSubstr("\"type\":\"" + std::string(typeOf(message)) + "\""));
        types.insert(typeOf(message));
    }
    EXPECT_EQ(types.size(), std::variant_size_v<Message>);
}

TEST(Messages, AMissingMemberIsNamed)
{
    for (const Message& message : examples()) {
        const Json whole = Json::parse(encodeMessage(message).value());
        for (const auto& [name, value] : whole.items()) {
            if (name == "phase_fraction" || name == "samples")
                continue;
            Json part = whole;
            part.erase(name);
            EXPECT_THAT(refusal(part.dump()), HasSubstr("$." + name + ": is missing")) << whole;
        }
    }
}

TEST(Messages, AnUnknownMemberIsNamed)
{
    for (const Message& message : examples()) {
        Json json = Json::parse(encodeMessage(message).value());
        json["surprise"] = 1;
        EXPECT_THAT(refusal(json.dump()), HasSubstr("$.surprise: is not a known member")) << json;
    }
}

TEST(Messages, AMemberOfTheWrongKindIsNamed)
{
    for (const Message& message : examples()) {
        const Json whole = Json::parse(encodeMessage(message).value());
        for (const auto& [name, value] : whole.items()) {
            if (name == "cell" || name == "result" || name == "devices" || name == "request")
                continue;
            Json wrong = whole;
            wrong[name] = name == "failure" ? Json::array() : Json::object();
            EXPECT_THAT(refusal(wrong.dump()), HasSubstr("$." + name + ": ")) << wrong;
        }
    }
}

TEST(Messages, ValuesOutOfRangeAreRefused)
{
    EXPECT_THAT(refusal(R"({"type":"run_cell","request_id":-1,"cell":{}})"),
                HasSubstr("$.request_id"));
    EXPECT_THAT(refusal(R"({"type":"run_cell","request_id":1.5,"cell":{}})"),
                HasSubstr("$.request_id"));
    EXPECT_THAT(refusal(R"({"type":"run_cell","request_id":18446744073709551615,"cell":{}})"),
                HasSubstr("$.request_id"));
    EXPECT_THAT(
        refusal(
            R"({"type":"heartbeat","progress_counter":0,"phase":"idle","phase_fraction":1.01})"),
        HasSubstr("$.phase_fraction: expected a number from 0.0 to 1.0"));
    EXPECT_THAT(refusal(R"({"type":"phase_changed","phase":"thinking"})"),
                HasSubstr("$.phase: expected one of idle, inputs"));
    EXPECT_THAT(
        refusal(R"({"type":"cell_failed","request_id":1,"failure":{"kind":"ok","phase":"idle"}})"),
        HasSubstr("$.failure.kind: expected one of out_of_memory"));
    EXPECT_THAT(refusal(R"({"type":"cell_failed","request_id":1,"failure":{"kind":"io"}})"),
                HasSubstr("$.failure.phase: is missing"));
}

TEST(Messages, UnknownTypesAndOtherDocumentsAreRefused)
{
    EXPECT_THAT(refusal(R"({"type":"format_disk"})"), HasSubstr("unknown type \"format_disk\""));
    EXPECT_THAT(refusal(R"({"type":""})"), HasSubstr("unknown type \"\""));
    EXPECT_THAT(refusal("{\"type\":\"" + std::string(1000, 'x') + "\"}"),
                HasSubstr("unknown type \"" + std::string(40, 'x') + "\""));
    EXPECT_THAT(refusal("{\"type\":\"\\u001b[31m\"}"), HasSubstr("\"\\u001b[31m\""));
    for (const char* other :
         {"", "1", "[]", "null", "\"hello\"", "{}", "{\"type\":1}", "{\"type\":null}", "{", "\xFF",
          "{\"type\":\"describe\",\"type\":\"describe\"}", "{\"type\":NaN}"})
        EXPECT_NE(refusal(other), "accepted") << other;
    // Half a character at the cut of a long type must not throw.
    EXPECT_THAT(refusal("{\"type\":\"" + std::string(39, 'x') + "é\"}"), HasSubstr("unknown type"));
}

TEST(Messages, DepthBombsAreRefused)
{
    const std::string bomb(1'000'000, '[');
    EXPECT_THAT(refusal(bomb), HasSubstr("nested deeper than 64"));
    EXPECT_THAT(refusal("{\"type\":\"run_cell\",\"request_id\":1,\"cell\":" + bomb),
                HasSubstr("nested deeper"));
}

TEST(Messages, AnotherProtocolVersionIsSaidAsSuch)
{
    // A worker of the future may say more than we know; the version is what matters.
    const auto hello =
        decodeMessage(R"({"type":"hello","protocol_version":4,"capabilities":["x"]})");
    EXPECT_EQ(hello.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(hello.error().message,
                AllOf(HasSubstr("protocol version 4"), HasSubstr("this program version 3")));
    EXPECT_EQ(decodeMessage(R"({"type":"hello","protocol_version":"3"})").error().code,
              ErrorCode::Format);
}

TEST(Messages, WhatWouldNotReadBackIsNotSent)
{
    const auto reason = [](const Message& message) {
        return encodeMessage(message).error().message;
    };
    EXPECT_THAT(reason(CellFinished{1, {{"x", std::nan("")}}}),
                AllOf(HasSubstr("cannot send \"cell_finished\""), HasSubstr("NaN")));
    EXPECT_THAT(reason(Heartbeat{0, Phase::Load, std::nan("")}), HasSubstr("$.phase_fraction"));
    for (const auto& samples :
         {std::vector{-0.1}, std::vector{std::nan("")}, std::vector(kMostLiveSamples + 1, 0.5)})
        EXPECT_THAT(reason(Heartbeat{0, Phase::Measure, 0.5, samples}), HasSubstr("$.samples"));
    EXPECT_THAT(reason(CellFailed{1, {.detail = "\xFF"}}), HasSubstr("binary data"));
    EXPECT_THAT(reason(CellFailed{1, {.amount = -1.0}}), HasSubstr("$.failure.amount"));
    EXPECT_THAT(reason(RunCell{-1, {}}), HasSubstr("$.request_id"));
    EXPECT_THAT(reason(CellFailed{1, {.detail = std::string(std::size_t{17} << 20U, 'x')}}),
                HasSubstr("larger than 16777216 bytes"));
    EXPECT_THAT(reason(Hello{4, "", 1, "", ""}), HasSubstr("protocol version 4"));
}

}  // namespace
}  // namespace qs::core
