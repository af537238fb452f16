#include "core/record/output_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kFirst(64, 'a');
const std::string kSecond(64, 'b');

Measurement rowOf(const std::string& environment, const std::vector<std::string>& files)
{
    Measurement row;
    row.cellId = "c";
    row.environmentId = environment;
    for (const std::string& file : files)
        row.result.outputs.push_back(
            {.picture = static_cast<int>(row.result.outputs.size()), .file = file, .sha256 = {}});
    return row;
}

TEST(OutputPlaces, TheFirstEnvironmentHasTheFolderOfTheCell)
{
    OutputPlaces places;
    EXPECT_EQ(places.subfolder("c", kSecond), "") << "nobody has stored anything";
    EXPECT_EQ(places.pictures("c", kFirst), 0);
    places.add(rowOf(kFirst, {"output_0.npy", "output_1.npy", ""}));
    EXPECT_EQ(places.pictures("c", kFirst), 2) << "the third was only hashed";
    EXPECT_EQ(places.subfolder("c", kFirst), "");
    EXPECT_EQ(places.subfolder("c", kSecond), "bbbbbbbbbbbb");
    EXPECT_EQ(places.subfolder("other", kSecond), "");
    EXPECT_EQ(outputPlace("c", places.subfolder("c", kSecond)), "c/bbbbbbbbbbbb");
    EXPECT_EQ(outputPlace("c"), "c");
}

TEST(OutputPlaces, NamesFilesByThePlaceTheyLieIn)
{
    OutputPlaces places;
    Measurement first = rowOf(kFirst, {"output_0.npy", ""});
    places.nameFiles(first);
    EXPECT_EQ(first.result.outputs[0].file, "output_0.npy");
    places.add(first);
    Measurement second = rowOf(kSecond, {"output_0.npy", ""});
    places.nameFiles(second);
    EXPECT_EQ(second.result.outputs[0].file, "bbbbbbbbbbbb/output_0.npy");
    EXPECT_EQ(second.result.outputs[1].file, "") << "only hashed";
}

TEST(OutputPlaces, FurtherEnvironmentsHaveFoldersOfTheirOwn)
{
    const OutputPlaces places({rowOf(kFirst, {"output_0.npy"}), rowOf(kFirst, {""}),
                               rowOf(kSecond, {"bbbbbbbbbbbb/output_0.npy"})});
    EXPECT_THAT(places.environments("c"), ElementsAre(kFirst, kSecond));
    EXPECT_EQ(places.subfolder("c", kFirst), "");
    EXPECT_EQ(places.subfolder("c", kSecond), "bbbbbbbbbbbb");
    EXPECT_EQ(places.pictures("c", kSecond), 1);
}

// The row of the first environment may be lost with a damaged line: that of the second still tells
// where its own files are.
TEST(OutputPlaces, ARowTellsWhereItsFilesAre)
{
    const OutputPlaces places({rowOf(kSecond, {"bbbbbbbbbbbb/output_0.npy"})});
    EXPECT_EQ(places.subfolder("c", kSecond), "bbbbbbbbbbbb");
    EXPECT_THAT(places.environments("c"), ElementsAre(kSecond));
}

TEST(OutputPlaces, RowsWithoutOutputsSayNothing)
{
    Measurement failed = rowOf(kFirst, {"output_0.npy"});
    failed.failure = Failure{.kind = FailureKind::NonFinite};
    const OutputPlaces places({failed, rowOf(kFirst, {""}), rowOf(kFirst, {})});
    EXPECT_THAT(places.environments("c"), IsEmpty());
}

// Before environments had folders, the second one stored nothing; if a journal says it did, its
// files would be those of the first.
TEST(OutputPlaces, OneFolderIsOfOneEnvironment)
{
    const OutputPlaces places({rowOf(kFirst, {"output_0.npy"}), rowOf(kSecond, {"output_0.npy"})});
    EXPECT_THAT(places.environments("c"), ElementsAre(kFirst));
    EXPECT_EQ(places.pictures("c", kSecond), 0);
}

TEST(OutputPlaces, NamesOfFoldersAreSafe)
{
    EXPECT_EQ(environmentSubfolder(kFirst), "aaaaaaaaaaaa");
    for (const std::string& id : {std::string("../../etc"), std::string(), std::string(64, '/'),
                                  std::string("e1"), std::string(64, 'Z')}) {
        EXPECT_THAT(environmentSubfolder(id), testing::MatchesRegex("[0-9a-f]{12}")) << id;
    }
    const OutputPlaces places({rowOf(kFirst, {"../../output_0.npy"})});
    EXPECT_EQ(places.subfolder("c", kFirst), "") << "a file is only looked for in its place";
}

}  // namespace
}  // namespace qs::core
