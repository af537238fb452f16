#include "core/run/output_metrics.h"

#include "core/run/image_quality.h"
#include "core/stats/class_agreement.h"
#include "core/stats/logit_distance.h"
#include "core/stats/token_agreement.h"
#include "core/stats/vector_distance.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

struct AddedMetric {
    std::string name;
    OutputMetricFunction function;
};

std::vector<AddedMetric>& addedMetrics()
{
    static std::vector<AddedMetric> metrics;
    return metrics;
}

Status compareNumbers(const FloatArray& output, const FloatArray& reference, OutputQuality& quality)
{
    QS_TRY(const VectorDistance distance, vectorDistance(output.values, reference.values));
    quality.identical = distance.identical;
    quality.set("cosine", distance.cosineSimilarity);
    quality.set("relative_l2", distance.relativeL2);
    quality.set("max_difference", distance.maxAbsolute);
    quality.set("mean_difference", distance.meanAbsolute);
    return {};
}

Status compareScores(const FloatArray& output, const FloatArray& reference, OutputQuality& quality)
{
    QS_RETURN_IF_ERROR(compareNumbers(output, reference, quality));
    const auto classes = static_cast<std::size_t>(output.shape.back());
    QS_TRY(const LogitDistance logits, logitDistance(output.values, reference.values, classes));
    QS_TRY(const ClassAgreement best, classAgreement(output.values, reference.values, classes));
    quality.set("kl_divergence", logits.meanDivergence);
    quality.set("top1_agreement", best.top1);
    return {};
}

Status compareTokens(const FloatArray& output, const FloatArray& reference, OutputQuality& quality)
{
    const auto whole = [](const std::vector<float>& values) {
        return std::vector<std::int64_t>(values.begin(), values.end());
    };
    QS_TRY(const TokenAgreement tokens,
           tokenAgreement(whole(output.values), whole(reference.values), 0));
    quality.identical = !tokens.firstDivergence;
    quality.set("token_agreement", tokens.matchedFraction());
    if (tokens.firstDivergence)
        quality.set("first_different", static_cast<double>(*tokens.firstDivergence + 1));
    return {};
}

Status compareEmbeddings(const FloatArray& output, const FloatArray& reference,
                         OutputQuality& quality)
{
    QS_RETURN_IF_ERROR(compareNumbers(output, reference, quality));
    QS_TRY(const EmbeddingAgreement rows,
           embeddingAgreement(output.values, reference.values,
                              static_cast<std::size_t>(output.shape.back())));
    quality.set("cosine", rows.meanCosine);
    return {};
}

Status compare(OutputKind kind, const FloatArray& output, const FloatArray& reference,
               OutputQuality& quality, const std::stop_token& stop)
{
    switch (kind) {
    case OutputKind::Image:
        return compareImages(output, reference, quality, stop);
    case OutputKind::Logits:
    case OutputKind::Classes:
        return compareScores(output, reference, quality);
    case OutputKind::Tokens:
        return compareTokens(output, reference, quality);
    case OutputKind::Embedding:
        return compareEmbeddings(output, reference, quality);
    case OutputKind::Tensor:
        return compareNumbers(output, reference, quality);
    }
    QS_ASSERT(false);
    return {};
}

}  // namespace

Result<OutputQuality> compareOutputs(OutputKind kind, const FloatArray& output,
                                     const FloatArray& reference, int sample,
                                     const std::stop_token& stop)
{
    if (output.shape != reference.shape || output.shape.empty() || output.values.empty())
        return Error{ErrorCode::InvalidArgument, "the outputs have different shapes or no values"};
    OutputQuality quality;
    quality.sample = sample;
    QS_RETURN_IF_ERROR(compare(kind, output, reference, quality, stop));
    for (const AddedMetric& added : addedMetrics()) {
        const OutputMetric* metric = metricRegistry().findOutput(added.name);
        if (metric == nullptr || !metric->appliesTo(kind))
            continue;
        QS_TRY(const auto value, added.function(output, reference));
        quality.set(added.name, value);
    }
    return quality;
}

void addOutputMetric(OutputMetric metric, OutputMetricFunction function)
{
    addedMetrics().push_back({metric.name, std::move(function)});
    metricRegistry().add(std::move(metric));
}

}  // namespace qs::core
