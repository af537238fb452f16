#include "core/analysis/cell_label.h"
#include "core/base/base64.h"
#include "core/base/format.h"
#include "core/report/html/html_sections.h"
#include "core/report/html/html_text.h"
#include "core/report/html/output_images.h"
#include "core/report/words/verdict_text.h"
#include "core/sweep/metric.h"

namespace qs::core {

namespace {

std::string image(const char* kind, const std::string& png, const std::string& alternative)
{
    return std::string("<img class=\"") + kind + "\" alt=\"" + htmlText(alternative) +
           "\" src=\"data:image/png;base64," + base64(png) + "\">";
}

std::string imageName(const RunData& data, int image)
{
    const auto index = static_cast<std::size_t>(image);
    return index < data.pictureNames.size() ? data.pictureNames[index]
                                            : "image " + std::to_string(image + 1);
}

std::string figuresText(const CellSummary& summary)
{
    if (summary.identical())
        return "identical to the reference";
    std::string text;
    for (const OutputMetric& metric : metricRegistry().outputMetrics()) {
        // Of untrained weights the arithmetic alone is shown.
        const bool shown =
            summary.cell->trained
                ? metric.inTables
                : !metric.needsTraining && (metric.inTables || metric.name == "relative_l2");
        if (!shown || !metric.appliesTo(summary.cell->output))
            continue;
        if (const auto mean = summary.quality->mean(metric.name))
            text += (text.empty() ? "" : " · ") + metric.title + " " +
                    formatSignificant(*mean, metric.digits) +
                    (metric.unit == MetricUnit::Decibel ? " dB" : "");
    }
    if (summary.noiseMultiple)
        text += (text.empty() ? "" : " · ") + formatSignificant(*summary.noiseMultiple, 3) +
                "× noise floor";
    return text;
}

std::string viewer(std::size_t group)
{
    const std::string name = "mode" + std::to_string(group);
    std::string radios;
    for (const auto& [value, text] :
         {std::pair{"side", "side by side"}, {"wipe", "wipe"}, {"blink", "blink"}, {"map", "map"}})
        radios += "<label><input type=\"radio\" name=\"" + name + "\" value=\"" + value + "\"" +
                  (std::string(value) == "side" ? " checked" : "") + "> " + text + "</label>\n";
    return "<div class=\"viewer\" hidden>\n<div class=\"tools\"><label>Reference and "
           "<select></select></label>\n" +
           radios +
           "<input type=\"range\" min=\"0\" max=\"100\" value=\"50\" aria-label=\"Position of the "
           "wipe\" hidden></div>\n<div class=\"stage\"></div>\n<p class=\"caption "
           "dim\"></p></div>\n";
}

Result<std::string> outputFigure(const ImageGroup& group, const OutputImage& output,
                                 const std::string& label, double full)
{
    const bool same = output.png.empty();
    std::string text = "<figure data-output=\"" + htmlText(label) + "\">" +
                       image("output", same ? group.referencePng : output.png, label);
    if (!same) {
        QS_TRY(const std::string map, differenceMap(group, output, full));
        text += image("map", map, "difference of " + label);
    }
    return text + "<figcaption>" + htmlText(label + ": " + figuresText(*output.summary)) +
           "</figcaption></figure>\n";
}

Result<std::string> groupSection(const RunData& data, const ImageGroup& group,
                                 const CellLabels& labels, std::size_t number)
{
    const double full = mapScale(group);
    std::string sheet =
        "<figure data-reference>" + image("output", group.referencePng, "reference") +
        "<figcaption>Reference: " + htmlText(labels.withBatch(*group.reference->cell)) +
        "</figcaption></figure>\n";
    std::vector<std::string> identical;
    for (const OutputImage& output : group.outputs) {
        const std::string label = labels.withBatch(*output.summary->cell);
        if (output.png.empty()) {
            identical.push_back(label);
            continue;
        }
        QS_TRY(const std::string figure, outputFigure(group, output, label, full));
        sheet += figure;
    }
    std::string text =
        "<div class=\"images\">\n<h3>" +
        htmlText(imageName(data, group.image) + ", " + labels.withBatch(*group.reference->cell) +
                 " as the reference") +
        "</h3>\n<p class=\"dim\">Maps: absolute difference, mean over channels, 0 … " +
        formatSignificant(full, 1) +
        (group.reduced ? "; reduced to " + std::to_string(kLongestSide) + " px" : std::string()) +
        (group.reference->cell->trained ? std::string() : std::string("; ") + kNumericDeviation) +
        ".</p>\n" + viewer(number) + "<div class=\"sheet\">\n" + sheet + "</div>\n";
    if (!identical.empty())
        text += "<p class=\"dim\">Identical to the reference:</p>\n" + htmlList(identical);
    if (!group.unread.empty())
        text += "<p class=\"dim\">Not readable:</p>\n" + htmlList(group.unread);
    return text + "</div>\n";
}

}  // namespace

std::string htmlImages(const RunData& data, const Analysis& analysis, std::size_t mostBytes)
{
    // Base64 writes four letters for three bytes.
    std::size_t left = mostBytes / 4 * 3;
    const CellLabels& labels = analysis.labels;
    std::string text;
    std::size_t number = 0;
    std::vector<std::string> failed;
    for (const ImageCandidates& candidates : imageCandidates(analysis)) {
        const auto group = readImages(data, analysis, candidates, left);
        if (!group.ok()) {
            failed.push_back(group.error().message);
            continue;
        }
        if (group.value().outputs.empty())
            continue;  // none is there, or none fits any more
        const auto section = groupSection(data, group.value(), labels, number++);
        if (!section.ok()) {
            failed.push_back(section.error().message);
            continue;
        }
        const std::size_t used = section.value().size() / 4 * 3;
        if (used > left)
            break;
        left -= used;
        text += section.value();
    }
    if (!failed.empty())
        text += "<p class=\"dim\">Images that could not be read:</p>\n" + htmlList(failed);
    return text.empty() ? text : "<section id=\"images\"><h2>Images</h2>\n" + text + "</section>\n";
}

}  // namespace qs::core
