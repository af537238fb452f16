#include "app/gui/dropped_item.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <system_error>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

// A folder of photographs may be huge; its kind shows early.
constexpr int kMostEntries = 2000;

DroppedItem classifyFile(const fs::path& path)
{
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (extension == ".json")
        return DroppedItem::Preset;
    if (extension == ".safetensors")
        return DroppedItem::Model;
    const bool picture = extension == ".png" || extension == ".jpg" || extension == ".jpeg";
    return picture ? DroppedItem::Pictures : DroppedItem::Unknown;
}

}  // namespace

DroppedItem classifyItem(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_directory(path, error))
        return fs::is_regular_file(path, error) ? classifyFile(path) : DroppedItem::Unknown;
    if (fs::exists(path / "journal.jsonl", error))
        return DroppedItem::RunFolder;
    DroppedItem found = DroppedItem::Unknown;
    fs::directory_iterator at(path, error);
    for (int seen = 0; !error && at != fs::directory_iterator() && seen < kMostEntries; ++seen) {
        const DroppedItem item = classifyFile(at->path());
        // Weights decide: a checkpoint folder may hold sample pictures as well.
        if (item == DroppedItem::Model)
            return item;
        if (item == DroppedItem::Pictures)
            found = item;
        at.increment(error);
    }
    return found;
}

}  // namespace qs::app
