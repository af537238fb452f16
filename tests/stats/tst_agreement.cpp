// Figures of agreement against PyTorch and NumPy (tests/oracle/agreement.py), and what must hold of
// them whatever the input is.
#include "core/base/json.h"
#include "core/stats/class_agreement.h"
#include "core/stats/logit_distance.h"
#include "core/stats/token_agreement.h"
#include "core/stats/vector_distance.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace qs::core {
namespace {

using testing::HasSubstr;

const Json& golden()
{
    static const Json json =
        parseJson(tests::readFile(tests::dataFile("golden/stats/agreement.json")), "golden")
            .value();
    return json;
}

std::vector<float> list(const Json& json, const char* name)
{
    return json.at(name).get<std::vector<float>>();
}

// Equal to the last digits of double precision.
void expectClose(double found, const Json& wanted)
{
    EXPECT_NEAR(found, wanted.get<double>(), 1e-10 * std::abs(wanted.get<double>()) + 1e-13);
}

std::vector<float> noise(unsigned seed, std::size_t count, float scale = 1.0F)
{
    std::mt19937 engine(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = scale * (static_cast<float>(engine() % 20001) / 10000.0F - 1.0F);
    return values;
}

TEST(LogitDistance, AgreesWithPyTorch)
{
    for (const Json& each : golden().at("logits")) {
        SCOPED_TRACE(each.at("name").get<std::string>());
        const auto result = logitDistance(list(each, "values"), list(each, "reference"),
                                          each.at("vocabulary").get<std::size_t>());
        ASSERT_TRUE(result.ok()) << result.error().message;
        EXPECT_EQ(result.value().positions, each.at("positions"));
        expectClose(result.value().maxAbsolute, each.at("max_absolute"));
        expectClose(result.value().meanAbsolute, each.at("mean_absolute"));
        expectClose(result.value().meanDivergence, each.at("mean_divergence"));
        expectClose(result.value().maxDivergence, each.at("max_divergence"));
        if (each.at("max_divergence") > 1e-9) {
            EXPECT_EQ(result.value().worstPosition, each.at("worst_position"));
        }
    }
}

TEST(LogitDistance, KnowsHandWorkedFigures)
{
    // p = (1/2, 1/2) against q = (1/4, 3/4): KL(p ‖ q) = ln 2 - ln(3)/2 + … = 0.5 ln(4/3).
    const float logThree = std::log(3.0F);
    const auto result = logitDistance(std::vector<float>{0, logThree}, std::vector<float>{7, 7}, 2);
    ASSERT_TRUE(result.ok());
    EXPECT_NEAR(result.value().meanDivergence, 0.5 * std::log(4.0 / 3.0), 1e-7);
}

TEST(LogitDistance, DoesNotDependOnAConstantAndIsNeverNegative)
{
    for (unsigned seed = 0; seed < 50; ++seed) {
        const auto a = noise(seed, 60, 8.0F);
        const auto b = noise(seed + 1000, 60, 8.0F);
        const auto here = logitDistance(a, b, 12).value();
        EXPECT_GT(here.meanDivergence, 0.0);
        EXPECT_GE(here.maxDivergence, here.meanDivergence);
        EXPECT_GE(here.maxAbsolute, here.meanAbsolute);
        auto shifted = a;
        for (float& value : shifted)
            value += 1024.0F;
        EXPECT_NEAR(logitDistance(shifted, b, 12).value().meanDivergence, here.meanDivergence,
                    5e-3);
        const auto itself = logitDistance(a, a, 12).value();
        EXPECT_EQ(itself.maxDivergence, 0.0);
        EXPECT_EQ(itself.maxAbsolute, 0.0);
        // The distances are symmetric, the divergence is not.
        EXPECT_DOUBLE_EQ(logitDistance(b, a, 12).value().meanAbsolute, here.meanAbsolute);
    }
    // Scores whose exponential no double can hold.
    const auto extreme =
        logitDistance(std::vector<float>{-3e38F, 3e38F}, std::vector<float>{3e38F, -3e38F}, 2);
    ASSERT_TRUE(extreme.ok());
    EXPECT_TRUE(std::isfinite(extreme.value().meanDivergence));
}

TEST(VectorDistance, AgreesWithNumPy)
{
    for (const Json& each : golden().at("vectors")) {
        SCOPED_TRACE(each.at("name").get<std::string>());
        const auto values = list(each, "values");
        const auto reference = list(each, "reference");
        const auto rows = embeddingAgreement(values, reference, each.at("width"));
        ASSERT_TRUE(rows.ok()) << rows.error().message;
        expectClose(rows.value().meanCosine, each.at("mean_cosine"));
        expectClose(rows.value().worstCosine, each.at("worst_cosine"));
        expectClose(rows.value().meanRelativeL2, each.at("mean_relative"));
        expectClose(rows.value().worstRelativeL2, each.at("worst_relative"));
        if (each.at("worst_cosine") < 0.999999) {
            EXPECT_EQ(rows.value().worstVector, each.at("worst_vector"));
        }
        const auto all = vectorDistance(values, reference);
        ASSERT_TRUE(all.ok());
        expectClose(all.value().maxAbsolute, each.at("all_max_absolute"));
        expectClose(all.value().meanAbsolute, each.at("all_mean_absolute"));
        expectClose(all.value().cosineSimilarity, each.at("all_cosine"));
        expectClose(all.value().relativeL2, each.at("all_relative"));
    }
}

TEST(VectorDistance, HoldsItsBounds)
{
    for (unsigned seed = 0; seed < 50; ++seed) {
        const auto a = noise(seed, 64);
        const auto b = noise(seed + 1000, 64);
        const VectorDistance forth = vectorDistance(a, b).value();
        const VectorDistance back = vectorDistance(b, a).value();
        EXPECT_LE(std::abs(forth.cosineSimilarity), 1.0);
        EXPECT_DOUBLE_EQ(forth.cosineSimilarity, back.cosineSimilarity);
        EXPECT_DOUBLE_EQ(forth.maxAbsolute, back.maxAbsolute);
        EXPECT_LE(forth.meanAbsolute, forth.maxAbsolute);
        EXPECT_FALSE(forth.identical);
        EXPECT_TRUE(vectorDistance(a, a).value().identical);
        EXPECT_EQ(embeddingAgreement(a, a, 16).value().worstCosine, 1.0);
        EXPECT_EQ(embeddingAgreement(a, a, 16).value().worstRelativeL2, 0.0);
    }
    const std::vector<float> zero{0, 0};
    const std::vector<float> one{1, 0};
    EXPECT_EQ(vectorDistance(zero, zero).value().cosineSimilarity, 1.0);
    EXPECT_EQ(vectorDistance(zero, one).value().cosineSimilarity, 0.0);
    EXPECT_EQ(vectorDistance(one, zero).value().relativeL2,
              std::numeric_limits<double>::infinity());
}

TEST(EmbeddingAgreement, FindsTheOneThatWentWrong)
{
    const std::vector<float> reference{1, 0, 0, 1, 1, 1};
    const auto result = embeddingAgreement(std::vector<float>{1, 0, 0, -1, 2, 2}, reference, 2);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.value().vectors, 3U);
    EXPECT_EQ(result.value().worstVector, 1U);
    EXPECT_DOUBLE_EQ(result.value().worstCosine, -1.0);
    EXPECT_DOUBLE_EQ(result.value().worstRelativeL2, 2.0);
    EXPECT_NEAR(result.value().meanCosine, 1.0 / 3.0, 1e-15);
}

TEST(ClassAgreement, AgreesWithPyTorch)
{
    for (const Json& each : golden().at("classes")) {
        SCOPED_TRACE(each.at("name").get<std::string>());
        const auto result =
            classAgreement(list(each, "values"), list(each, "reference"), each.at("classes"));
        ASSERT_TRUE(result.ok()) << result.error().message;
        expectClose(result.value().top1, each.at("top1"));
        expectClose(result.value().top5, each.at("top5"));
        expectClose(result.value().top5Overlap, each.at("top5_overlap"));
    }
}

TEST(ClassAgreement, OfEqualScoresTheSmallerClassIsFirst)
{
    const std::vector<float> flat(7, 2.0F);
    std::vector<float> last = flat;
    last[6] = 3.0F;
    EXPECT_EQ(classAgreement(flat, flat, 7).value().top1, 1.0);
    // The reference decides for 6; the flat scores name 0, 1, 2, 3, 4.
    const ClassAgreement missed = classAgreement(flat, last, 7).value();
    EXPECT_EQ(missed.top1, 0.0);
    EXPECT_EQ(missed.top5, 0.0);
    EXPECT_EQ(missed.top5Overlap, 0.8);
    // The other way round, 0 is among 6, 0, 1, 2, 3.
    EXPECT_EQ(classAgreement(last, flat, 7).value().top5, 1.0);
}

TEST(ClassAgreement, HoldsItsBounds)
{
    for (unsigned seed = 0; seed < 50; ++seed) {
        const auto a = noise(seed, 90);
        const auto b = noise(seed + 1000, 90);
        const ClassAgreement result = classAgreement(a, b, 9).value();
        EXPECT_LE(result.top1, result.top5) << "the first is among the first five";
        EXPECT_GE(result.top1, 0.0);
        EXPECT_LE(result.top5Overlap, 1.0);
        EXPECT_EQ(result.top1, classAgreement(b, a, 9).value().top1);
        EXPECT_EQ(result.top5Overlap, classAgreement(b, a, 9).value().top5Overlap);
        EXPECT_EQ(classAgreement(a, a, 9).value().top5Overlap, 1.0);
        EXPECT_EQ(classAgreement(a, b, 3).value().top5Overlap, 1.0) << "three classes are all";
    }
}

TEST(TokenAgreement, LeavesThePromptOut)
{
    const std::vector<std::int64_t> reference{1, 2, 3, 10, 11, 12, 13};
    const std::vector<std::int64_t> tokens{1, 2, 3, 10, 99, 12, 98};
    const auto result = tokenAgreement(tokens, reference, 3);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result.value().generated, 4U);
    EXPECT_EQ(result.value().matched, 2U);
    EXPECT_EQ(result.value().firstDivergence, 1U);
    EXPECT_EQ(result.value().matchedFraction(), 0.5);
    const auto same = tokenAgreement(reference, reference, 3).value();
    EXPECT_EQ(same.matchedFraction(), 1.0);
    EXPECT_EQ(same.firstDivergence, std::nullopt);
    EXPECT_EQ(tokenAgreement(reference, reference, 0).value().generated, 7U);
}

TEST(TokenAgreement, ATextThatEndsSoonerDiffersWhereItEnds)
{
    const std::vector<std::int64_t> longer{1, 10, 11, 12};
    const std::vector<std::int64_t> shorter{1, 10};
    for (const auto& result :
         {tokenAgreement(longer, shorter, 1), tokenAgreement(shorter, longer, 1)}) {
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(result.value().generated, 3U);
        EXPECT_EQ(result.value().matched, 1U);
        EXPECT_EQ(result.value().firstDivergence, 1U);
    }
    EXPECT_EQ(tokenAgreement({longer.data(), 1}, longer, 1).value().firstDivergence, 0U);
}

TEST(TokenAgreement, RefusesWhatCannotBeCompared)
{
    const std::vector<std::int64_t> text{1, 2, 3};
    const std::vector<std::int64_t> other{1, 9, 3};
    EXPECT_THAT(tokenAgreement(text, other, 2).error().message, HasSubstr("same prompt"));
    EXPECT_THAT(tokenAgreement(text, text, 3).error().message, HasSubstr("nothing follows"));
    EXPECT_THAT(tokenAgreement({}, {}, 0).error().message, HasSubstr("nothing follows"));
    EXPECT_THAT(tokenAgreement(text, text, 4).error().message, HasSubstr("a prompt of 4 tokens"));
}

TEST(Agreement, RefusesWhatCannotBeCompared)
{
    const std::vector<float> good{1, 2, 3, 4};
    const std::vector<float> shorter{1, 2};
    const std::vector<float> none;
    const std::vector<float> nan{1, NAN, 3, 4};
    const std::vector<float> infinite{1, 2, 3, -INFINITY};
    const auto refusals = [](const std::vector<float>& a, const std::vector<float>& b,
                             std::size_t width) {
        return std::vector<Error>{logitDistance(a, b, width).error(),
                                  classAgreement(a, b, width).error(),
                                  embeddingAgreement(a, b, width).error()};
    };
    for (const auto& [errors, what] :
         {std::pair{refusals(good, shorter, 2), "4 values with 2"},
          std::pair{refusals(none, none, 2), "0 values"},
          std::pair{refusals(nan, good, 2), "the result has 1 NaN"},
          std::pair{refusals(good, infinite, 2), "the reference has 1 NaN or infinite"},
          std::pair{refusals(good, good, 3), "not a multiple of rows of 3"},
          std::pair{refusals(good, good, 0), "not a multiple of rows of 0"}}) {
        for (const Error& error : errors) {
            EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
            EXPECT_THAT(error.message, HasSubstr(what));
        }
    }
    EXPECT_FALSE(vectorDistance(none, none).ok());
    EXPECT_FALSE(vectorDistance(nan, nan).ok()) << "a NaN equals nothing, not even itself";
    EXPECT_FALSE(vectorDistance(good, shorter).ok());
}

}  // namespace
}  // namespace qs::core
