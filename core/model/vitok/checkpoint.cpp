#include "core/model/vitok/checkpoint.h"

#include "core/model/checkpoint_tensors.h"
#include "core/model/vitok/variant.h"
#include "core/model/vitok/vitok.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace qs::core::vitok {

namespace fs = std::filesystem;

namespace {

using Tensors = std::map<std::string, StoredTensor>;

constexpr std::size_t kMostBlocks = 4096;

Error refuse(const fs::path& path, const std::string& why)
{
    return {ErrorCode::Format, path.string() + ": " + why};
}

// Legacy single files carry the prefix of a compiled module and call the blocks "encoder.3." and
// "decoder.3.".
std::string presentName(const std::string& stored)
{
    std::string name = stored;
    static constexpr std::string_view kCompiled = "_orig_mod.";
    if (name.starts_with(kCompiled))
        name.erase(0, kCompiled.size());
    for (const std::string side : {"encoder", "decoder"}) {
        const std::string prefix = side + ".";
        if (name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= '0' &&
            name[prefix.size()] <= '9')
            return side + "_blocks." + name.substr(prefix.size());
    }
    return name;
}

// Which files make up the checkpoint; a folder that holds both forms is a question for the user.
Result<std::vector<fs::path>> chooseFiles(const fs::path& path)
{
    const auto exists = [](const fs::path& file) {
        std::error_code ignored;
        return fs::exists(file, ignored);
    };
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    if (path.empty())
        return Error{ErrorCode::NotFound, "no model given"};
    if (!folder && !exists(path))
        return Error{ErrorCode::NotFound, path.string() + ": no such file or folder"};
    const fs::path base = folder ? path : path.parent_path();
    const fs::path encoder = base / "encoder.safetensors";
    const fs::path decoder = base / "decoder.safetensors";
    const fs::path single = base / "model.safetensors";
    if (!folder && path.filename() != encoder.filename() && path.filename() != decoder.filename())
        return std::vector<fs::path>{path};
    const bool split = exists(encoder) && exists(decoder);
    if (folder && exists(single)) {
        if (exists(encoder) || exists(decoder))
            return Error{ErrorCode::InvalidArgument,
                         path.string() + " holds both model.safetensors and a split checkpoint; "
                                         "open model.safetensors or encoder.safetensors itself"};
        return std::vector<fs::path>{single};
    }
    if (split)
        return std::vector<fs::path>{encoder, decoder};
    if (exists(encoder) || exists(decoder))
        return Error{ErrorCode::NotFound, (exists(encoder) ? decoder : encoder).string() +
                                              " is missing: a split checkpoint needs "
                                              "encoder.safetensors and decoder.safetensors"};
    return Error{ErrorCode::NotFound,
                 path.string() + " holds neither encoder.safetensors with decoder.safetensors nor "
                                 "model.safetensors"};
}

// Reads extents of named tensors and remembers what was absent.
class ShapeReader final
{
public:
    explicit ShapeReader(const Tensors& tensors) : m_tensors(tensors) {}

    // Extent `axis` of a tensor of that rank; 0 and a complaint if it is absent or of another rank.
    std::int64_t extent(const std::string& name, std::size_t rank, std::size_t axis)
    {
        const auto found = m_tensors.find(name);
        if (found == m_tensors.end() || found->second.shape.size() != rank) {
            if (std::find(m_missing.begin(), m_missing.end(), name) == m_missing.end())
                m_missing.push_back(name);
            return 0;
        }
        return found->second.shape[axis];
    }

    // One more than the largest block index of the prefix.
    std::int64_t depth(const std::string& prefix) const
    {
        std::int64_t depth = 0;
        for (auto at = m_tensors.lower_bound(prefix); at != m_tensors.end(); ++at) {
            if (!at->first.starts_with(prefix))
                break;
            std::int64_t index = -1;
            const char* end = at->first.data() + at->first.size();
            const char* next = std::from_chars(at->first.data() + prefix.size(), end, index).ptr;
            // Blocks have several tensors each, and no model has thousands of blocks: a hostile
            // name must not make a giant architecture.
            const auto most = static_cast<std::int64_t>(std::min(m_tensors.size(), kMostBlocks));
            if (index >= 0 && index < most && next != end && *next == '.')
                depth = std::max(depth, index + 1);
        }
        return depth;
    }

    [[nodiscard]] const std::vector<std::string>& missing() const { return m_missing; }

private:
    const Tensors& m_tensors;
    std::vector<std::string> m_missing;
};

Side inferSide(ShapeReader& reader, const std::string& prefix, std::int64_t width,
               std::int64_t& hidden)
{
    Side side{width, reader.depth(prefix + "."), 0};
    const std::int64_t headWidth = reader.extent(prefix + ".0.attn.norm_q.weight", 1, 0);
    side.heads = headWidth > 0 && width % headWidth == 0 ? width / headWidth : 0;
    hidden = reader.extent(prefix + ".0.ffn.fc2.weight", 2, 1);
    return side;
}

Result<Variant> inferVariant(const fs::path& path, const Tensors& tensors)
{
    ShapeReader reader(tensors);
    Variant variant;
    const std::int64_t pixels = reader.extent("patch_embed.weight", 2, 1);
    variant.channels = reader.extent("to_code.weight", 2, 0);
    variant.encoder = inferSide(reader, "encoder_blocks", reader.extent("patch_embed.weight", 2, 0),
                                variant.encoderHidden);
    variant.decoder = inferSide(reader, "decoder_blocks",
                                reader.extent("decoder_embed.weight", 2, 0), variant.decoderHidden);
    if (!reader.missing().empty())
        return refuse(
            path,
            "not a ViTok checkpoint, or incomplete: the architecture is read from the shapes of " +
                listText(reader.missing()));
    // Pictures have a temporal patch of 1, so the patch size follows from the width of a token
    // alone.
    variant.patch =
        static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(pixels) / 3.0)));
    if (variant.patch < 1 || variant.pixelsPerToken() != pixels)
        return refuse(path, "a token of " + std::to_string(pixels) +
                                " values is not 3 times a square: not an image model (video models "
                                "with a temporal patch are not supported)");
    for (const Side& side : {variant.encoder, variant.decoder}) {
        if (side.heads < 1 || side.headWidth() % 4 != 0)
            return refuse(path, "width " + std::to_string(side.width) +
                                    " does not split into heads as norm_q says");
    }
    if (variant.channels < 1 || variant.encoderHidden < 1 || variant.decoderHidden < 1)
        return refuse(path, "to_code or fc2 is empty");
    return variant;
}

std::string displayNameOf(const fs::path& path)
{
    const fs::path shown = path.has_filename() ? path : path.parent_path();
    return "ViTok " + shown.filename().string();
}

// Files that one may have meant by a folder that is none of the known forms, or both.
std::vector<fs::path> weightFilesIn(const fs::path& folder)
{
    constexpr std::size_t kMostOffered = 6;
    constexpr int kMostEntries = 2000;
    std::vector<fs::path> files;
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (int seen = 0; !error && at != fs::directory_iterator() && seen < kMostEntries; ++seen) {
        // Half of a split checkpoint stands for the whole.
        if (at->path().extension() == ".safetensors" &&
            at->path().filename() != "decoder.safetensors")
            files.push_back(at->path());
        at.increment(error);
    }
    std::sort(files.begin(), files.end());
    files.resize(std::min(files.size(), kMostOffered));
    return files;
}

Status readHeaders(const fs::path& path, CheckpointHeaders& headers)
{
    headers.displayName = displayNameOf(path);
    QS_TRY(headers.stored.files, chooseFiles(path));
    QS_RETURN_IF_ERROR(
        readCheckpointTensors(headers.stored.files, presentName, headers.tensors, headers.report));
    QS_TRY(const Variant variant, inferVariant(path, headers.tensors.byName));
    headers.variant = toText(variant);
    headers.family = makeFamily(variant);
    headers.stored = placeWeights(*headers.family, headers.tensors, headers.report);
    headers.report.recognised = "ViTok " + headers.variant + " from " +
                                std::to_string(headers.stored.files.size()) + " file(s), " +
                                std::to_string(headers.tensors.byName.size()) + " tensors";
    return headers.report.complete() ? Status() : refuse(path, headers.report.text());
}

}  // namespace

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    return openByHeaders(path, readHeaders);
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    ModelInspection inspection = inspectByHeaders(path, readHeaders);
    const bool chosen = inspection.usable() || !inspection.files.empty();
    if (std::error_code ignored; !chosen && fs::is_directory(path, ignored))
        inspection.choices = weightFilesIn(path);
    return inspection;
}

}  // namespace qs::core::vitok
