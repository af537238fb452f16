#include "core/run/fed_files.h"

#include "core/base/files.h"
#include "core/model/sample_labels.h"
#include "core/model/tensor_file.h"
#include "core/model/text_feed.h"
#include "core/record/picture_labels.h"

#include <algorithm>
#include <variant>

namespace qs::core {

namespace {

// The tokenizer stays beside the ids, so that views can show what they say.
Result<HostTensor> readText(const std::filesystem::path& runFolder, const ModelFeeding& feeding,
                            const std::string& input, const TextFeed& feed)
{
    QS_TRY(const HostTensor ids, readPrompts(feed));
    QS_TRY(const std::string tokenizer, readTokenizerOf(feed));
    QS_RETURN_IF_ERROR(writeFileAtomically(
        FilePlace::inside(runFolder, feedTokenizerName(feeding, input)), tokenizer));
    return ids;
}

// With names for the numbers.
Result<PictureLabels> readLabels(const std::string& path)
{
    QS_TRY(const std::vector<SampleLabel> read, readSampleLabels(path));
    PictureLabels labels;
    int most = -1;
    for (const SampleLabel& each : read) {
        labels.labels.push_back(each.label);
        most = std::max(most, each.label);
    }
    for (int label = 0; label <= most; ++label)
        labels.classes.push_back(std::to_string(label));
    return labels;
}

}  // namespace

Status keepFedFiles(const std::filesystem::path& runFolder, const ModelFeeding& feeding)
{
    if (!feeding.labels.empty() && !isThere(pictureLabelsFile(runFolder))) {
        QS_TRY(const PictureLabels labels, readLabels(feeding.labels));
        QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, "inputs")));
        QS_RETURN_IF_ERROR(writePictureLabels(runFolder, labels));
    }
    for (const auto& [input, feed] : feeding.inputs) {
        const FilePlace copy = FilePlace::inside(runFolder, feedFileName(feeding, input));
        if (feedPaths(feed).empty() || isThere(copy))
            continue;
        QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, "inputs")));
        const auto* file = std::get_if<FileFeed>(&feed);
        auto tensor = file != nullptr
                          ? readTensorFile(file->path, file->tensor)
                          : readText(runFolder, feeding, input, std::get<TextFeed>(feed));
        if (!tensor.ok())
            return tensor.error().within("input " + input);
        QS_RETURN_IF_ERROR(writeFileAtomically(copy, encodeNpy(tensor.value())));
    }
    return {};
}

}  // namespace qs::core
