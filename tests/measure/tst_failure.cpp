#include "core/measure/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace qs::core {
namespace {

using testing::StartsWith;

Failure exampleFailure()
{
    return {.kind = FailureKind::Signal,
            .phase = Phase::Compile,
            .detail = "λ \"x\"",
            .amount = 9.0,
            .foreign = {{"python3", 812, 1'200'000'000}, {"", 813, 0}}};
}

TEST(Failure, SurvivesItsJson)
{
    for (const FailureKind kind : kFailureKinds.values()) {
        Failure failure = exampleFailure();
        failure.kind = kind;
        std::vector<JsonIssue> issues;
        const Json json = parseJson(toJson(failure).dump(), "t").value();
        EXPECT_EQ(failureFromJson(json, "$", issues), failure) << json.dump();
        EXPECT_TRUE(issues.empty()) << formatIssues(issues);
    }
    std::vector<JsonIssue> issues;
    const Failure little{.kind = FailureKind::Stopped};
    EXPECT_EQ(failureFromJson(toJson(little), "$", issues), little);
    EXPECT_FALSE(toJson(little).contains("foreign_processes"));
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
}

TEST(Failure, DamagedOnesAreNamed)
{
    const std::pair<const char*, Json> cases[] = {
        {"kind", "crashed"},
        {"kind", 3},
        {"phase", "thinking"},
        {"detail", 7},
        {"amount", -1.0},
        {"amount", "nine"},
        {"foreign_processes", "python3"},
        {"foreign_processes", Json::array({Json{{"pid", "812"}}})},
        {"reason", "because"},
    };
    for (const auto& [member, value] : cases) {
        Json json = toJson(exampleFailure());
        json[member] = value;
        std::vector<JsonIssue> issues;
        static_cast<void>(failureFromJson(json, "$", issues));
        ASSERT_FALSE(issues.empty()) << member << " " << value.dump();
        EXPECT_THAT(issues.front().path, StartsWith(std::string("$.") + member));
    }
    for (const char* member : {"kind", "phase"}) {
        Json json = toJson(exampleFailure());
        json.erase(member);
        std::vector<JsonIssue> issues;
        static_cast<void>(failureFromJson(json, "$", issues));
        EXPECT_FALSE(issues.empty()) << member;
    }
}

TEST(Failure, WhatOthersSaidIsCleanText)
{
    Failure failure = exampleFailure();
    failure.detail = "\x1b[31mred\xff";
    const auto detail = toJson(failure).at("detail").get<std::string>();
    EXPECT_EQ(detail.find('\x1b'), std::string::npos);
    EXPECT_NO_THROW(static_cast<void>(toJson(failure).dump()));
}

TEST(Failure, EachKindHasAStatus)
{
    EXPECT_EQ(statusOf(FailureKind::HostOutOfMemory), CellStatus::Oom);
    EXPECT_EQ(statusOf(FailureKind::Silent), CellStatus::Timeout);
    EXPECT_EQ(statusOf(FailureKind::Signal), CellStatus::Crashed);
    EXPECT_EQ(statusOf(FailureKind::Nonsense), CellStatus::Crashed);
    for (const FailureKind polite : {FailureKind::Device, FailureKind::Io, FailureKind::Internal,
                                     FailureKind::UnusableOutputs})
        EXPECT_EQ(statusOf(polite), CellStatus::Failed) << kFailureKinds.of(polite);
    EXPECT_EQ(statusOf(FailureKind::SkippedByHand), CellStatus::Cancelled);
    EXPECT_EQ(statusOf(FailureKind::ModeSkipped), CellStatus::Skipped);
    std::set<CellStatus> met;
    for (const FailureKind kind : kFailureKinds.values())
        met.insert(statusOf(kind));
    for (const CellStatus status : kStatusNames.values())
        EXPECT_EQ(met.count(status), status == CellStatus::Ok ? 0U : 1U) << name(status);
}

}  // namespace
}  // namespace qs::core
