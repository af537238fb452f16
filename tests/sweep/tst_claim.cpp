#include "core/sweep/claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> complaintsOf(const char* text)
{
    std::vector<JsonIssue> issues;
    static_cast<void>(claimsFromJson(Json::parse(text), "$.claims", issues));
    std::vector<std::string> places;
    for (const JsonIssue& issue : issues)
        places.push_back(issue.path);
    return places;
}

TEST(Claims, ReadBack)
{
    const Json json = Json::parse(R"([
        {"claim": "INT8 gives 1.0 to 1.25x", "source": "summary",
         "expect": ["speedup >= 1", "speedup <= 1.25"], "device": "A100|H100",
         "precision": "int8dq", "batch": 32, "compile": "none", "baseline": "bf16-eager"},
        {"claim": "small", "expect": ["allocated_peak < 2 GiB"]}])");
    std::vector<JsonIssue> issues;
    const std::vector<Claim> claims = claimsFromJson(json, "$.claims", issues);
    ASSERT_THAT(issues, IsEmpty());
    ASSERT_EQ(claims.size(), 2U);
    EXPECT_EQ(claims[0].expect.size(), 2U);
    for (const Gate& gate : claims[0].expect) {
        EXPECT_EQ(gate.precision, "int8dq");
        EXPECT_EQ(gate.device, "A100|H100");
        EXPECT_EQ(gate.batch, 32);
    }
    EXPECT_EQ(claims[0].compile, "none");
    EXPECT_EQ(claims[1].baseline, "");
    EXPECT_EQ(claimsFromJson(claimsToJson(claims), "$.claims", issues), claims);
    EXPECT_THAT(issues, IsEmpty());
}

TEST(Claims, KnowTheOtherNamesOfCompileModes)
{
    std::vector<JsonIssue> issues;
    const auto claims = claimsFromJson(
        Json::parse(R"([{"claim": "a", "expect": ["speedup > 1"], "compile": "reduce-overhead"}])"),
        "$.claims", issues);
    EXPECT_THAT(issues, IsEmpty());
    EXPECT_EQ(claims.front().compile, "inductor-reduce-overhead");
}

TEST(Claims, ComplainByPlace)
{
    EXPECT_THAT(complaintsOf("{}"), ElementsAre("$.claims"));
    EXPECT_THAT(complaintsOf(R"([{"expect": ["speedup > 1"]}])"), ElementsAre("$.claims[0].claim"));
    EXPECT_THAT(complaintsOf(R"([{"claim": "a"}])"), ElementsAre("$.claims[0].expect"));
    EXPECT_THAT(complaintsOf(R"([{"claim": "a", "expect": []}])"),
                ElementsAre("$.claims[0].expect"));
    EXPECT_THAT(complaintsOf(R"([{"claim": "a", "expect": ["colour > 1"]}])"),
                ElementsAre("$.claims[0].expect"));
    EXPECT_THAT(complaintsOf(R"([{"claim": "a", "expect": ["speedup > 1 for batch=4"]}])"),
                ElementsAre("$.claims[0].expect"))
        << "conditions are the claim's";
    EXPECT_THAT(complaintsOf(R"([{"claim": "a", "expect": ["speedup > 1"], "compile": "fast"}])"),
                ElementsAre("$.claims[0].compile"));
    EXPECT_THAT(complaintsOf(R"([{"claim": "a", "expect": ["speedup > 1"], "baseline": "q"}])"),
                ElementsAre("$.claims[0].baseline"));
    EXPECT_THAT(complaintsOf(R"([{"claim": "a", "expect": ["speedup > 1"], "more": 1}])"),
                ElementsAre("$.claims[0].more"));
    std::string many = "[";
    for (std::size_t i = 0; i <= kMostClaims; ++i)
        many += std::string(i == 0 ? "" : ",") + R"({"claim": "a", "expect": ["speedup > 1"]})";
    EXPECT_THAT(complaintsOf((many + "]").c_str()), ElementsAre("$.claims"));
}

}  // namespace
}  // namespace qs::core
