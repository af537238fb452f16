#pragma once

#include "core/base/file_place.h"
#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/png_codec.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Reads a PNG (1 to 16 bits, grey, palette, colour) or JPEG (grey, colour); the content decides,
// not the name of the file. Always 3 channels. Values are the stored ones divided by the largest
// and taken as sRGB: gamma and colour-profile chunks are ignored, as the models' own loaders ignore
// them. Alpha is composited over mid grey (0.5). A JPEG is turned as its Exif orientation says; a
// PNG is not. Limits: kMaxPictureSide, kMaxPicturePixels, 512 MiB of file. Messages name the file,
// the fault and the cure. Cancelled when stopped.
[[nodiscard]] Result<Picture> readPicture(const FilePlace& place, const std::stop_token& stop = {});

// Writes 8-bit sRGB with text chunks (see encodePng), atomically. Values are clamped and rounded as
// toBytes does. Cancelled when stopped: then nothing is written.
[[nodiscard]] Status writePng(const FilePlace& place, const Picture& picture,
                              const PngTexts& texts = {}, const std::stop_token& stop = {});

struct SkippedFile {
    std::filesystem::path path;
    std::string reason;
};

// What a folder offers, both lists sorted by path.
struct PictureList {
    std::vector<std::filesystem::path> files;
    std::vector<SkippedFile> skipped;
    // Of a folder that holds a folder for each class: their names, and the index of the class of
    // each file; both empty without classes.
    std::vector<std::string> classes = {};
    std::vector<int> labels = {};
};

// The PNG and JPEG files directly in `folder`, by content; sub-folders are not searched. Files
// whose first bytes fit may still turn out damaged when they are read. Cancelled when stopped.
[[nodiscard]] Result<PictureList> listPictures(const std::filesystem::path& folder,
                                               const std::stop_token& stop = {});
// The same; of a folder without any, those of its sub-folders, which are classes in the order of
// their names as in torchvision's ImageFolder: one of each in turn, so that the first files are of
// all of them.
[[nodiscard]] Result<PictureList> listClassedPictures(const std::filesystem::path& folder,
                                                      const std::stop_token& stop = {});

}  // namespace qs::core
