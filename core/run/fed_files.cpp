#include "core/run/fed_files.h"

#include "core/base/files.h"
#include "core/model/tensor_file.h"

#include <variant>

namespace qs::core {

Status keepFedFiles(const std::filesystem::path& runFolder, const ModelFeeding& feeding)
{
    for (const auto& [input, feed] : feeding.inputs) {
        const auto* file = std::get_if<FileFeed>(&feed);
        const FilePlace copy = FilePlace::inside(runFolder, feedFileName(feeding, input));
        if (file == nullptr || isThere(copy))
            continue;
        auto tensor = readTensorFile(file->path, file->tensor);
        if (!tensor.ok())
            return tensor.error().within("input " + input);
        QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, "inputs")));
        QS_RETURN_IF_ERROR(writeFileAtomically(copy, encodeNpy(tensor.value())));
    }
    return {};
}

}  // namespace qs::core
