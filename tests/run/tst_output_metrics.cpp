#include "core/run/output_metrics.h"

#include "core/graph/graph.h"
#include "core/stats/class_agreement.h"
#include "core/stats/logit_distance.h"
#include "core/stats/vector_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace qs::core {
namespace {

// Rows of scores; `spread` moves them away from those of spread 0.
FloatArray scores(double spread, std::vector<std::int64_t> shape = {4, 10})
{
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    FloatArray array{std::move(shape), {}};
    const auto count =
        static_cast<std::size_t>(TensorType{DType::Float32, array.shape}.elementCount());
    for (std::size_t i = 0; i < count; ++i) {
        const float value = normal(random);
        array.values.push_back(value + static_cast<float>(spread) * normal(random));
    }
    return array;
}

OutputQuality compared(OutputKind kind, const FloatArray& output, const FloatArray& reference)
{
    return compareOutputs(kind, output, reference, 3).value();
}

TEST(OutputMetrics, AreThoseOfTheRegistryAndOfTheKind)
{
    for (const OutputKind kind : kOutputKinds.values()) {
        const bool image = kind == OutputKind::Image;
        const FloatArray reference = scores(0.0, image ? std::vector<std::int64_t>{3, 32, 32}
                                                       : std::vector<std::int64_t>{4, 10});
        const FloatArray output = scores(0.5, reference.shape);
        const OutputQuality quality = compared(kind, output, reference);
        EXPECT_EQ(quality.sample, 3);
        EXPECT_FALSE(quality.identical) << name(kind);
        for (const OutputQuality::Figure& figure : quality.figures) {
            const OutputMetric* metric = metricRegistry().findOutput(figure.metric);
            ASSERT_NE(metric, nullptr) << figure.metric;
            EXPECT_TRUE(metric->appliesTo(kind)) << figure.metric << " " << name(kind);
        }
        EXPECT_TRUE(quality.find(metricRegistry().distanceOf(kind).name)) << name(kind);
    }
}

// Else a cell that equals its reference would lie at a distance from it.
TEST(OutputMetrics, OfEqualOutputsAreThoseThatTheRegistryNames)
{
    for (const OutputKind kind : kOutputKinds.values()) {
        const FloatArray output =
            scores(0.0, kind == OutputKind::Image ? std::vector<std::int64_t>{3, 192, 192}
                                                  : std::vector<std::int64_t>{4, 10});
        const OutputQuality quality = compared(kind, output, output);
        EXPECT_TRUE(quality.identical) << name(kind);
        for (const OutputMetric& metric : metricRegistry().outputMetrics()) {
            // Of logits, equal tokens are told of what was written beside them.
            const bool ofTexts = kind == OutputKind::Logits && metric.name.find("token") == 0;
            if (!metric.appliesTo(kind) || ofTexts)
                continue;
            const auto value = quality.find(metric.name);
            EXPECT_EQ(value.has_value(), std::isfinite(metric.identical)) << metric.name;
            if (value) {
                EXPECT_NEAR(*value, metric.identical, 1e-12) << metric.name << " " << name(kind);
                EXPECT_LT(metric.distance(*value), 1e-12);
            }
        }
    }
}

TEST(OutputMetrics, OfScoresAreDivergenceAndAgreement)
{
    const FloatArray reference = scores(0.0);
    const FloatArray output = scores(1.0);
    const OutputQuality quality = compared(OutputKind::Logits, output, reference);
    EXPECT_EQ(quality.find("kl_divergence"),
              logitDistance(output.values, reference.values, 10).value().meanDivergence);
    const double top1 = classAgreement(output.values, reference.values, 10).value().top1;
    EXPECT_EQ(quality.find("top1_agreement"), top1);
    EXPECT_LT(top1, 1.0);
    const VectorDistance distance = vectorDistance(output.values, reference.values).value();
    EXPECT_EQ(quality.find("relative_l2"), distance.relativeL2);
    EXPECT_EQ(quality.find("cosine"), distance.cosineSimilarity);
    // What is added to all scores of a row changes no distribution.
    FloatArray shifted = reference;
    for (float& value : shifted.values)
        value += 3.0F;
    const OutputQuality same = compared(OutputKind::Logits, shifted, reference);
    EXPECT_NEAR(*same.find("kl_divergence"), 0.0, 1e-6);
    EXPECT_EQ(same.find("top1_agreement"), 1.0);
    EXPECT_FALSE(same.identical);
}

TEST(OutputMetrics, OfTokensSayWhereTheyPart)
{
    const FloatArray reference{{5}, {4, 8, 15, 16, 23}};
    const FloatArray output{{5}, {4, 8, 16, 16, 42}};
    const OutputQuality quality = compared(OutputKind::Tokens, output, reference);
    EXPECT_DOUBLE_EQ(*quality.find("token_agreement"), 0.6);
    EXPECT_EQ(quality.find("first_different"), 3.0) << "counted from 1";
    EXPECT_FALSE(quality.find("relative_l2")) << "the distance of two token numbers means nothing";
}

TEST(OutputMetrics, OfEmbeddingsAreOverRows)
{
    // One vector of four is turned round: the cosine of all values would hide it.
    FloatArray reference{{4, 2}, {100, 0, 100, 0, 100, 0, 1, 0}};
    FloatArray output = reference;
    output.values[6] = -1.0F;
    const OutputQuality quality = compared(OutputKind::Embedding, output, reference);
    EXPECT_NEAR(*quality.find("cosine"), 0.5, 1e-12);
    EXPECT_GT(*compared(OutputKind::Tensor, output, reference).find("cosine"), 0.99);
}

TEST(OutputMetrics, RefuseWhatCannotBeCompared)
{
    const FloatArray reference = scores(0.0);
    EXPECT_FALSE(compareOutputs(OutputKind::Tensor, scores(0.0, {4, 9}), reference, 0).ok());
    EXPECT_FALSE(compareOutputs(OutputKind::Tensor, {{0}, {}}, {{0}, {}}, 0).ok());
    EXPECT_FALSE(compareOutputs(OutputKind::Tensor, {}, {}, 0).ok());
    FloatArray broken = reference;
    broken.values[3] = std::numeric_limits<float>::quiet_NaN();
    for (const OutputKind kind :
         {OutputKind::Logits, OutputKind::Classes, OutputKind::Embedding, OutputKind::Tensor}) {
        EXPECT_FALSE(compareOutputs(kind, broken, reference, 0).ok()) << name(kind);
        EXPECT_FALSE(compareOutputs(kind, reference, broken, 0).ok()) << name(kind);
    }
}

}  // namespace
}  // namespace qs::core
