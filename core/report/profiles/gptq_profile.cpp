#include "core/report/profiles/gptq_profile.h"

#include "core/report/profiles/gptq_files.h"
#include "core/report/profiles/gptq_numerics.h"
#include "core/report/profiles/gptq_summary.h"

#include <utility>

namespace qs::core {

namespace {

Result<ProfileContent> gptqContent(const RunData& data, const Analysis& analysis)
{
    QS_TRY(std::vector<GptqScenario> scenarios, gptqScenarios(data, analysis));
    addLogitDifferences(scenarios, data, analysis);
    const Price& price = data.plan.preset.price;
    ProfileContent content;
    for (const GptqScenario& scenario : scenarios) {
        for (ProfileTable& file : gptqFiles(scenario, data, analysis))
            content.tables.push_back(std::move(file));
        if (!scenario.answers)
            content.texts.push_back(
                {"artifacts/" + scenario.name + "/summary.md", gptqSummary(scenario, price)});
    }
    content.texts.push_back({"gptq_summary.md", gptqOverview(scenarios, price)});
    return content;
}

}  // namespace

ExportProfile gptqProfile()
{
    return {
        "gptq-benchmark", "GPTQ benchmark",
        "The files of llm-compressor's benchmark of GPTQ, a folder for each scenario: times, "
        "memory and storage of quantizing in several ways, what the quantized models answer, and a "
        "summary with times and losses by layer type",
        gptqContent};
}

}  // namespace qs::core
