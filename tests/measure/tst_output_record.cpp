#include "core/measure/output_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::vector<OutputRecord> read(const Json& json, std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, "", issues);
    return outputsFromJson(fields, "outputs", issues);
}

void expectKept(const std::vector<OutputRecord>& outputs)
{
    std::vector<JsonIssue> issues;
    const std::vector<OutputRecord> again = read({{"outputs", toJson(outputs)}}, issues);
    EXPECT_THAT(issues, IsEmpty());
    ASSERT_THAT(again, SizeIs(outputs.size()));
    for (std::size_t i = 0; i < again.size(); ++i) {
        EXPECT_EQ(again[i].picture, outputs[i].picture);
        EXPECT_EQ(again[i].file, outputs[i].file);
        EXPECT_EQ(again[i].sha256, outputs[i].sha256);
    }
}

TEST(OutputRecord, StaysWhatItIs)
{
    expectKept({});
    expectKept({{0, "", "aa"}, {1, "", "bb"}});
    expectKept({{0, "output_0.npy", "aa"}, {1, "", "bb"}});
    expectKept({{4, "", "aa"}, {0, "e2/output_0.npy", ""}});
    EXPECT_EQ(toJson(std::vector<OutputRecord>{{0, "", "aa"}, {1, "", "bb"}}),
              (Json{{"sha256", Json::array({"aa", "bb"})}}))
        << "what is usual is not written";
}

TEST(OutputRecord, DamagedColumnsAreComplainedOf)
{
    const Json two = Json::array({"aa", "bb"});
    for (const Json& bad :
         {Json::array({"aa"}), Json{{"sha256", 7}}, Json{{"sha256", Json::array({"aa", 7})}},
          Json{{"sha256", two}, {"files", Json::array({"a"})}},
          Json{{"sha256", two}, {"pictures", Json::array({0})}},
          Json{{"sha256", two}, {"pictures", "0, 1"}},
          Json{{"sha256", two}, {"pictures", Json::array({0, -1})}},
          Json{{"sha256", two}, {"pictures", Json::array({0, 1e18})}},
          Json{{"sha256", two}, {"picture", Json::array({0, 1})}}}) {
        std::vector<JsonIssue> issues;
        static_cast<void>(read({{"outputs", bad}}, issues));
        EXPECT_FALSE(issues.empty()) << bad;
    }
}

}  // namespace
}  // namespace qs::core
