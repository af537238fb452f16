#include "core/model/foreign_file.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/zip_archive.h"
#include "core/model/torchscript_file.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kProbeBytes = 512;

constexpr std::string_view kConvert =
    "; QuantScope reads safetensors: convert it with safetensors.torch.save_file(state_dict, "
    "\"model.safetensors\") in Python";
constexpr std::string_view kConvertPickle =
    ", which can run code when it is loaded and is never opened here. Weights of a model that "
    "QuantScope knows: convert them once with safetensors.torch.save_file(state_dict, "
    "\"model.safetensors\") in Python. Any other model: save its program as .pt2 (quantscope-cli "
    "export-example prints the lines of both)";
constexpr std::string_view kConvertProgram =
    "; QuantScope reads safetensors and the .pt2 of torch.export.save (quantscope-cli "
    "export-example prints the lines that make them)";

// A program, which is told of and not run.
std::string torchScriptText(const TorchScriptSummary& program)
{
    return "is a TorchScript program, " + program.text() +
           "\nIt can run code when it is loaded, so it was read and not run. If you trust it, "
           "convert it to an exported program, which is opened without running anything: "
           "quantscope-cli convert FILE --input x=float32[batch,3,224,224]";
}

// Archives tell by the name of their first entry who made them.
ForeignFormat archiveFormat(std::string_view bytes, const std::filesystem::path& file)
{
    constexpr std::size_t kNameAt = 30;  // of the first entry in a zip file
    const std::string_view name = bytes.substr(std::min(kNameAt, bytes.size()), 128);
    const auto names = [&](std::string_view part) {
        return name.find(part) != std::string_view::npos;
    };
    if (names("archive_format") || names("models/") || names("data/aotinductor") ||
        names("serialized_exported_program") || names("/data/weights"))
        return {"is a PyTorch export (.pt2, a zip file)" + std::string(kConvertProgram)};
    // Whatever its first entry is.
    if (auto program = torchScriptSummary(file)) {
        std::string text = torchScriptText(*program);
        return {std::move(text), std::move(program)};
    }
    if (names("/data.pkl") || names("/constants.pkl") || names("/code/") || names("/byteorder") ||
        names("/version") || names(".format_version"))
        return {"is a PyTorch archive (.pt or .pth: a zip file with pickles)" +
                std::string(kConvertPickle)};
    if (names(".npy"))
        return {"is an .npz archive of NumPy arrays" + std::string(kConvert)};
    return {"is a zip file" + std::string(kConvertProgram)};
}

bool looksLikePickle(std::string_view bytes)
{
    // Protocol 2 to 5, and what PyTorch wrote before it had archives.
    return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

// Field 1 of the message, the version of the format, and a name of its producer, field 2: a guess,
// which says so.
bool looksLikeOnnx(std::string_view bytes)
{
    return bytes.size() > 8 && bytes[0] == '\x08' && bytes[1] > 0 && bytes[1] < 32 &&
           bytes[2] == '\x12';
}

std::optional<std::string> textOf(std::string_view bytes)
{
    const auto starts = [&](std::string_view magic) { return bytes.starts_with(magic); };
    // The length of the header comes first, and may look like anything.
    if (bytes.substr(std::min<std::size_t>(8, bytes.size())).starts_with("{"))
        return std::nullopt;
    if (starts("\x93NUMPY"sv))
        return "is a NumPy array (.npy)" + std::string(kConvert);
    if (starts("GGUF"sv))
        return "is a GGUF file of llama.cpp, whose weights are already quantized" +
               std::string(kConvertProgram);
    if (starts("\x7f"
               "ELF"sv))
        return "is a program or library (ELF), not a model";
    if (starts("\x89HDF\r\n\x1a\n"sv))
        return "is an HDF5 file (Keras?)" + std::string(kConvert);
    if (starts("\x1f\x8b"sv))
        return "is compressed with gzip; decompress it first";
    if (looksLikePickle(bytes))
        return "is a Python pickle" + std::string(kConvertPickle);
    if (looksLikeOnnx(bytes))
        return "looks like an ONNX model" + std::string(kConvertProgram);
    if (starts("{"sv))
        return "is a text file that begins with {, perhaps a configuration; open the folder with "
               "the .safetensors files, or one of them";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> pickleInFolder(const std::filesystem::path& folder)
{
    constexpr std::array<std::string_view, 4> kPickles{".pth", ".pt", ".bin", ".ckpt"};
    std::error_code error;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        const std::string ending = at->path().extension().string();
        if (ending == ".safetensors" || ending == ".pt2")
            return std::nullopt;
        if (std::find(kPickles.begin(), kPickles.end(), ending) != kPickles.end())
            names.push_back(cleanLine(at->path().filename().string()));
    }
    if (names.empty())
        return std::nullopt;
    // Whatever the order of the folder is.
    const std::string name = *std::min_element(names.begin(), names.end());
    return "holds " + name +
           ", a pickle, which can run code and is never opened here. Convert it once, in Python:\n"
           "  import torch, safetensors.torch as s; s.save_file({k: v.contiguous() for k, v in "
           "torch.load(\"" +
           name + "\", map_location=\"cpu\", weights_only=True).items()}, \"model.safetensors\")";
}

std::optional<ForeignFormat> foreignFormat(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return std::nullopt;
    const auto opened = openForReading(file);
    if (!opened.ok())
        return std::nullopt;
    std::string bytes(kProbeBytes, '\0');
    const auto count = readSome(opened.value(), std::as_writable_bytes(std::span(bytes)), file);
    if (!count.ok())
        return std::nullopt;
    bytes.resize(count.value());
    if (bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("PK\x05\x06"sv))
        return archiveFormat(bytes, file);
    auto text = textOf(bytes);
    return text ? std::optional(ForeignFormat{std::move(*text)}) : std::nullopt;
}

}  // namespace qs::core
