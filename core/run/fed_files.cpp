#include "core/run/fed_files.h"

#include "core/base/files.h"
#include "core/model/tensor_file.h"
#include "core/model/text_feed.h"

#include <variant>

namespace qs::core {

namespace {

// The tokenizer stays beside the ids, so that views can show what they say.
Result<HostTensor> readText(const std::filesystem::path& runFolder, const ModelFeeding& feeding,
                            const std::string& input, const TextFeed& feed)
{
    constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
    QS_TRY(const HostTensor ids, readPrompts(feed));
    QS_TRY(const std::string tokenizer, readTextFile(feed.tokenizer, kMostBytes));
    QS_RETURN_IF_ERROR(writeFileAtomically(
        FilePlace::inside(runFolder, feedTokenizerName(feeding, input)), tokenizer));
    return ids;
}

}  // namespace

Status keepFedFiles(const std::filesystem::path& runFolder, const ModelFeeding& feeding)
{
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
