#include "core/report/across_section.h"
#include "core/report/claims_section.h"
#include "core/report/combined_section.h"
#include "core/report/compile_section.h"
#include "core/report/compiled_share_section.h"
#include "core/report/first_samples_section.h"
#include "core/report/guardrail_section.h"
#include "core/report/html/html_page.h"
#include "core/report/html/html_sections.h"
#include "core/report/html/html_text.h"
#include "core/report/kernels.h"
#include "core/report/profiles/gptq_layer_types.h"
#include "core/report/rates_section.h"
#include "core/report/reference_section.h"
#include "core/report/report.h"
#include "core/report/texts_section.h"
#include "core/report/words/reading_text.h"

namespace qs::core {

namespace {

// What a mail or an issue tracker takes.
constexpr std::size_t kMostBytes = 5'000'000;
constexpr std::size_t kFewestForImages = 500'000;
// Style, script and what stands around images.
constexpr std::size_t kRoomForPage = 100'000;

std::string header(const RunData& data, const Analysis& analysis)
{
    const Preset& preset = data.plan.preset;
    std::string text = "<h1>" + htmlText(preset.name.empty() ? "Sweep" : preset.name) + "</h1>\n";
    if (!preset.description.empty())
        text += "<p>" + htmlText(preset.description) + "</p>\n";
    return text + "<p class=\"dim\">" + htmlText(countsText(analysis)) + "</p>\n";
}

std::string explanation(const Analysis& analysis)
{
    return "<section id=\"reading\"><details><summary>How to read this</summary>\n<p>" +
           htmlText(explanationText(analysis)) + "</p></details></section>\n";
}

}  // namespace

std::string reportHtml(const RunData& data, const Analysis& analysis)
{
    const Pivot pivot = pivotOf(analysis);
    const std::string before = header(data, analysis) + htmlAnswer(data, analysis, pivot) +
                               htmlClaims(analysis) + htmlOf(combinedSection(analysis)) +
                               htmlOf(acrossSection(analysis)) + htmlOf(settingsSection(analysis)) +
                               htmlOf(guardrailSection(analysis)) + htmlOf(ratesSection(analysis)) +
                               htmlOf(compiledShareSection(analysis)) +
                               htmlPlots(data, analysis, pivot) + htmlPivots(analysis, pivot) +
                               htmlOf(batchLimitsSection(analysis));
    const std::string after =
        htmlOf(textsSection(data, analysis)) + htmlReferences(data, analysis) +
        htmlCompile(analysis, evaluateGates(data, analysis)) +
        htmlOf(layerTypesSection(data, analysis)) + htmlOf(firstSamplesSection(analysis)) +
        htmlKernels(analysis) + htmlCells(analysis) + explanation(analysis) + htmlEnvironment(data);
    const std::size_t words = before.size() + after.size() + kRoomForPage;
    const std::string images = words + kFewestForImages > kMostBytes
                                   ? std::string()
                                   : htmlImages(data, analysis, kMostBytes - words);
    const std::string& name = data.plan.preset.name;
    return htmlPage(name.empty() ? "Sweep" : name, before + images + after);
}

}  // namespace qs::core
