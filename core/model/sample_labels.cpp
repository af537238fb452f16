#include "core/model/sample_labels.h"

#include "core/base/excerpt.h"
#include "core/base/files.h"
#include "core/base/text_parts.h"

#include <charconv>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::uint64_t kMostLabelBytes = std::uint64_t{1} << 20U;
constexpr int kMostClasses = 50'000;

Error atLine(const std::string& path, std::size_t line, const std::string& problem)
{
    return {ErrorCode::Format, path + ", line " + std::to_string(line) + ": " + problem};
}

std::optional<int> labelOf(std::string_view word)
{
    int label = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), label);
    const bool isLabel = error == std::errc() && end == word.data() + word.size() && label >= 0 &&
                         label < kMostClasses;
    return isLabel ? std::optional(label) : std::nullopt;
}

}  // namespace

Result<std::vector<SampleLabel>> readSampleLabels(const std::string& path)
{
    QS_TRY(const std::string text, readTextFile(path, kMostLabelBytes));
    std::vector<SampleLabel> labels;
    std::size_t number = 0;
    for (std::string_view line : splitAt(text, '\n')) {
        ++number;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const std::string_view word = trimmed(line);
        if (word.empty())
            continue;
        const auto label = labelOf(word);
        if (!label)
            return atLine(path, number,
                          "expected a class, a whole number from 0 to " +
                              std::to_string(kMostClasses - 1) + ", and not \"" + excerpt(word) +
                              "\"");
        labels.push_back({*label, number});
    }
    if (labels.empty())
        return Error{ErrorCode::Format,
                     path + " has no classes: expected a whole number from 0 a line, one line for "
                            "each sample"};
    return labels;
}

Status checkSampleLabels(const std::string& path, const std::vector<SampleLabel>& labels,
                         const LabelledSamples& of)
{
    for (const SampleLabel& each : labels) {
        if (of.classes && each.label >= *of.classes)
            return atLine(path, each.line,
                          "class " + std::to_string(each.label) + ", and the model tells " +
                              std::to_string(*of.classes) + " apart: expected 0 to " +
                              std::to_string(*of.classes - 1));
    }
    const auto count = static_cast<std::int64_t>(labels.size());
    if (count == of.count || (of.atMost && count < of.count))
        return {};
    return atLine(path, labels.empty() ? 0 : labels.back().line,
                  "the last of " + counted(static_cast<std::uint64_t>(count), "label") +
                      ", and there are " + std::to_string(of.count) +
                      (of.atMost ? " images at most (pictures.count)" : " samples") +
                      ": expected a line for each, in their order");
}

}  // namespace qs::core
