#include "widgets/plot/quality_rules.h"

#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

struct QualityRulesWords {
    Q_DECLARE_TR_FUNCTIONS(QualityRules)
};

}  // namespace

std::vector<CurveRule> qualityRules(const core::Analysis& analysis, const core::Metric& quality,
                                    const core::AnswerQuestion& question)
{
    std::vector<CurveRule> rules;
    const bool isLikeness =
        std::any_of(analysis.cells.begin(), analysis.cells.end(), [&](const auto& summary) {
            return quality.name ==
                   core::meanOf(core::metricRegistry().likenessOf(summary.cell->output).name);
        });
    if (question.limit == core::QualityLimit::MinimumLikeness && isLikeness)
        rules.push_back(
            {QualityRulesWords::tr("limit: %1").arg(significantText(question.minimumLikeness, 4)),
             question.minimumLikeness * metricFactor(quality), true});
    const core::OutputMetric* output = core::metricRegistry().findOutput(quality.outputMetric);
    if (output == nullptr || output->isDistanceOf.empty() || quality.worst ||
        !std::isfinite(output->identical))
        return rules;
    double floor = 0.0;
    for (const core::NoiseFloor& each : analysis.floors)
        floor = std::max(floor, each.complete() ? each.distance : 0.0);
    if (floor <= 0.0)
        return rules;
    const double way = output->better == core::Better::Higher ? -1.0 : 1.0;
    const auto at = [&](double times) {
        return (output->identical + way * times * floor) * metricFactor(quality);
    };
    rules.push_back({QualityRulesWords::tr("noise floor"), at(1.0), false});
    if (question.limit == core::QualityLimit::WithinNoise)
        rules.push_back({QualityRulesWords::tr("limit: %1× noise floor")
                             .arg(significantText(core::kNoiseLimit, 2)),
                         at(core::kNoiseLimit), true});
    return rules;
}

}  // namespace qs::widgets
