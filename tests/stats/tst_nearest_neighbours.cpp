#include "core/stats/nearest_neighbours.h"

#include <gmock/gmock.h>

namespace qs::core {
namespace {

using testing::ElementsAre;

TEST(NearestNeighbours, TheMostFrequentLabelOfTheNearestDecides)
{
    // Two bundles of directions, the third vector labelled as if it were of the other one.
    const std::vector<std::vector<float>> vectors{{1.0F, 0.0F}, {1.0F, 0.1F}, {1.0F, 0.2F},
                                                  {0.0F, 1.0F}, {0.1F, 1.0F}, {0.2F, 1.0F}};
    // k = 2: of two different labels that of the nearer one.
    EXPECT_THAT(neighboursAgree(vectors, std::vector<int>{0, 0, 1, 1, 1, 1}),
                ElementsAre(true, false, false, true, true, true));
    EXPECT_THAT(neighboursAgree(vectors, std::vector<int>{0, 0, 0, 1, 1, 1}),
                ElementsAre(true, true, true, true, true, true));
}

TEST(NearestNeighbours, LengthsDoNotCountAndFewVectorsSayLittle)
{
    const std::vector<std::vector<float>> vectors{
        {100.0F, 0.0F}, {0.01F, 0.0F}, {0.0F, 3.0F}, {0.0F, 0.02F}};
    EXPECT_THAT(neighboursAgree(vectors, std::vector<int>{0, 0, 1, 1}),
                ElementsAre(true, true, true, true));
    EXPECT_THAT(neighboursAgree({{1.0F}}, std::vector<int>{0}), ElementsAre(false));
    EXPECT_TRUE(neighboursAgree({}, std::vector<int>{}).empty());
}

TEST(NearestNeighbours, AnEmbeddingIsTheMeanOfItsRows)
{
    EXPECT_THAT(meanRow(std::vector<float>{1.0F, 2.0F, 3.0F, 6.0F}, 2), ElementsAre(2.0F, 4.0F));
}

}  // namespace
}  // namespace qs::core
