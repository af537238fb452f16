#include "core/report/advice_table.h"
#include "core/report/environment_text.h"
#include "core/report/html/html_sections.h"
#include "core/report/html/html_text.h"
#include "core/report/words/answer_text.h"
#include "core/report/words/warning_text.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace qs::core {

namespace {

const char* standingClass(AnswerStanding standing)
{
    switch (standing) {
    case AnswerStanding::Open:
        return "open";
    case AnswerStanding::Unsure:
        return "unsure";
    case AnswerStanding::Decided:
        return "decided";
    }
    return "";
}

const char* standingText(AnswerStanding standing)
{
    switch (standing) {
    case AnswerStanding::Open:
        return "no answer yet";
    case AnswerStanding::Unsure:
        return "a tie, or too few repeats";
    case AnswerStanding::Decided:
        return "decided by the repeats";
    }
    return "";
}

std::string answerBox(const Analysis& analysis)
{
    std::string text;
    if (const std::string progress = progressText(analysis); !progress.empty())
        text += "<p>" + htmlText(progress) + "</p>\n";
    const std::vector<AnswerLine> lines = answerLines(analysis);
    for (const AnswerLine& line : lines)
        text += std::string("<p class=\"") + standingClass(line.standing) +
                "\"><span class=\"light\" title=\"" + standingText(line.standing) +
                "\"></span><span class=\"dim\">" + htmlText(line.question) + ":</span> <strong>" +
                htmlText(line.answer) + "</strong></p>\n";
    return "<section class=\"answer\" id=\"answer\">\n" +
           (lines.empty() ? text + "<p>No cell was measured.</p>\n" : text) + "</section>\n";
}

std::string warnings(const RunData& data, const Analysis& analysis)
{
    const std::vector<std::string> texts = allWarnings(data, analysis);
    if (texts.empty())
        return {};
    return "<details id=\"warnings\"" + std::string(texts.size() == 1 ? " open" : "") +
           "><summary>Warnings (" + std::to_string(texts.size()) + ")</summary>\n" +
           htmlList(texts) + "</details>\n";
}

std::string adviceSection(const Analysis& analysis, const Pivot& pivot)
{
    const PlainTable table = adviceTable(analysis, pivot, AdviceCells::Linked);
    if (table.lines.empty())
        return {};
    return "<section id=\"advice\"><h2>What is recommended</h2>\n" + htmlOf(table) + "</section>\n";
}

}  // namespace

std::string htmlAnswer(const RunData& data, const Analysis& analysis, const Pivot& pivot)
{
    return answerBox(analysis) + warnings(data, analysis) + adviceSection(analysis, pivot);
}

std::string htmlEnvironment(const RunData& data)
{
    std::string text;
    for (const Environment& each : data.environments) {
        std::vector<std::string> lines{each.program, "PyTorch " + each.torch};
        if (!each.cuda.empty())
            lines.push_back("CUDA " + each.cuda);
        lines.push_back(each.system);
        lines.push_back(each.processor + ", " + std::to_string(each.threads) + " threads");
        for (const DeviceDescription& device : each.devices)
            lines.push_back(deviceLine(each, device));
        for (const std::string& line : environmentLines(each))
            lines.push_back(line);
        text += htmlList(lines);
    }
    return text.empty()
               ? text
               : "<section id=\"environment\"><h2>Environment</h2>\n" + text + "</section>\n";
}

}  // namespace qs::core
