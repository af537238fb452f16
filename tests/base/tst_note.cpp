#include "core/base/note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Note> readBack(const Json& list, std::vector<JsonIssue>& issues)
{
    const Json json{{"notes", list}};
    JsonFields fields(json, "$", issues);
    auto notes = notesFromJson(fields, "notes");
    fields.finish();
    return notes;
}

TEST(Note, SurvivesItsJson)
{
    std::vector<Note> notes;
    for (const NoteCode code : kNoteCodes.values())
        notes.push_back({code, {"λ \"x\"", 0.30000000000000004, "", 1e15}});
    notes.push_back({NoteCode::WeightsKept});
    std::vector<JsonIssue> issues;
    EXPECT_EQ(readBack(parseJson(toJson(notes).dump(), "t").value(), issues), notes);
    EXPECT_THAT(readBack(toJson(std::vector<Note>()), issues), IsEmpty());
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
    EXPECT_EQ(toJson(std::vector<Note>{{NoteCode::RowsPadded, {17.0, 32.0}}}).dump(),
              R"([["rows_padded",17.0,32.0]])");
}

TEST(Note, DamageIsNamedAndTheOthersAreRead)
{
    const Json good = Json::array({"weights_kept"});
    const double infinite = std::numeric_limits<double>::infinity();
    for (const Json& damaged :
         {Json("weights kept"), Json(), Json(3), Json::object(), Json::array(), Json::array({3}),
          Json::array({"weights reused from an earlier cell"}), Json::array({"remark", nullptr}),
          Json::array({"remark", true}), Json::array({"remark", Json::array({"x"})}),
          Json::array({"remark", infinite})}) {
        std::vector<JsonIssue> issues;
        EXPECT_THAT(readBack(Json::array({damaged, good}), issues),
                    ElementsAre(Note{NoteCode::WeightsKept}));
        EXPECT_THAT(formatIssues(issues), HasSubstr("notes")) << damaged.dump();
    }
    std::vector<JsonIssue> issues;
    EXPECT_THAT(readBack("weights_kept", issues), IsEmpty());
    EXPECT_FALSE(issues.empty());
}

TEST(Note, AnArgumentThatIsNotThereIsNothing)
{
    const Note note{NoteCode::ForeignProcess, {"python3", 812.0}};
    EXPECT_EQ(note.text(0), "python3");
    EXPECT_EQ(note.number(1), 812.0);
    EXPECT_EQ(note.number(0), 0.0);
    EXPECT_EQ(note.text(1), "");
    EXPECT_EQ(note.number(2), 0.0);
    EXPECT_EQ(note.text(9), "");
}

TEST(Note, OfRoundsSaysTheSameWithOtherNumbers)
{
    const Note note{NoteCode::ClockLow, {1335.0, 1980.0, "heat"}};
    EXPECT_TRUE(sayTheSame(note, {NoteCode::ClockLow, {1320.0, 1980.0, "heat"}}));
    EXPECT_FALSE(sayTheSame(note, {NoteCode::ClockLow, {1335.0, 1980.0, "power_cap"}}));
    EXPECT_FALSE(sayTheSame(note, {NoteCode::ClockBelowMaximum, {1335.0, 1980.0, "heat"}}));
    EXPECT_FALSE(sayTheSame(note, {NoteCode::ClockLow, {1335.0, 1980.0}}));
    EXPECT_FALSE(sayTheSame(note, {NoteCode::ClockLow, {1335.0, "1980", "heat"}}));
}

TEST(Note, IsAddedIfNoneSaysItYet)
{
    std::vector<Note> notes;
    addNote(notes, {NoteCode::RowsPadded, {17.0, 32.0}});
    addNote(notes, {NoteCode::RowsPadded, {18.0, 32.0}});
    addNote(notes, {NoteCode::Remark, {"one"}});
    addNote(notes, {NoteCode::Remark, {"another"}});
    EXPECT_THAT(notes,
                ElementsAre(Note{NoteCode::RowsPadded, {17.0, 32.0}},
                            Note{NoteCode::Remark, {"one"}}, Note{NoteCode::Remark, {"another"}}));
}

}  // namespace
}  // namespace qs::core
