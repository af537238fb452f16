#include "core/model/vitok/checkpoint.h"

#include "core/base/sha256.h"
#include "core/model/safetensors/safetensors.h"
#include "core/model/vitok/variant.h"
#include "core/model/vitok/vitok.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace qs::core::vitok {

namespace fs = std::filesystem;

namespace {

using Shape = std::vector<std::int64_t>;

// One tensor of the checkpoint under its present-day name.
struct Found {
    std::size_t file = 0;
    std::string storedName;
    Shape shape;
    StoredType type = StoredType::F32;
};
using Tensors = std::map<std::string, Found>;

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

Status collect(const SafetensorsFile& file, std::size_t index, Tensors& tensors, LoadReport& report)
{
    for (const TensorEntry& entry : file.tensors()) {
        const std::string name = presentName(entry.name);
        if (name != entry.name)
            report.renamed.push_back(entry.name + " -> " + name);
        Shape shape(entry.shape.begin(), entry.shape.end());
        const auto [found, fresh] =
            tensors.emplace(name, Found{index, entry.name, std::move(shape), entry.dtype});
        if (!fresh)
            return refuse(file.path(), name + " is stored twice, as " + found->second.storedName +
                                           " and " + entry.name);
    }
    return {};
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

std::string list(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
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
                list(reader.missing()));
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

std::string shapeText(const Shape& shape)
{
    return toText(TensorType{DType::Float32, shape}).substr(7);
}

// Compares what the architecture needs with what is there, fills places and report.
void compare(const ModelFamily& family, const Tensors& tensors, StoredWeights& stored,
             LoadReport& report)
{
    std::set<std::string> known;
    for (const StageInfo& stage : family.stages()) {
        for (const WeightSpec& spec : stage.weights) {
            known.insert(spec.name);
            const auto found = tensors.find(spec.name);
            if (found == tensors.end()) {
                report.missing.push_back(spec.name + " " + shapeText(spec.shape));
                continue;
            }
            if (found->second.shape != spec.shape) {
                report.misshaped.push_back(spec.name + ": file " + shapeText(found->second.shape) +
                                           ", architecture " + shapeText(spec.shape));
                continue;
            }
            if (!isLoadable(found->second.type)) {
                report.misshaped.push_back(spec.name + ": stored as " +
                                           std::string(toString(found->second.type)) +
                                           "; only F32, F64, F16 and BF16 can be loaded");
                continue;
            }
            stored.places[stage.name + "/" + spec.name] = {found->second.file,
                                                           found->second.storedName};
        }
    }
    std::set<std::string> types;
    for (const auto& [name, found] : tensors) {
        if (known.contains(name))
            types.insert(std::string(toString(found.type)));
        else
            report.unexpected.push_back(name + " " + shapeText(found.shape));
    }
    report.storedTypes = list({types.begin(), types.end()});
}

// What the headers of a checkpoint say; filled as far as reading came.
struct Headers {
    std::vector<SafetensorsFile> sources;
    Tensors tensors;
    StoredWeights stored;
    Variant variant;
    std::shared_ptr<const ModelFamily> family;
    LoadReport report;
};

Status readHeaders(const fs::path& path, Headers& headers)
{
    QS_TRY(const std::vector<fs::path> files, chooseFiles(path));
    headers.stored.files = files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        QS_TRY(SafetensorsFile each, openSafetensors(files[i]));
        QS_RETURN_IF_ERROR(collect(each, i, headers.tensors, headers.report));
        headers.sources.push_back(std::move(each));
    }
    QS_TRY(headers.variant, inferVariant(path, headers.tensors));
    headers.family = makeFamily(headers.variant);
    compare(*headers.family, headers.tensors, headers.stored, headers.report);
    headers.report.recognised = "ViTok " + toText(headers.variant) + " from " +
                                std::to_string(files.size()) + " file(s), " +
                                std::to_string(headers.tensors.size()) + " tensors";
    return headers.report.complete() ? Status() : refuse(path, headers.report.text());
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

}  // namespace

Result<OpenedModel> openCheckpoint(const fs::path& path)
{
    Headers headers;
    QS_RETURN_IF_ERROR(readHeaders(path, headers));
    OpenedModel opened;
    opened.model.family = std::move(headers.family);
    opened.model.reference = path.string();
    opened.model.variant = toText(headers.variant);
    opened.model.displayName = displayNameOf(path);
    opened.report = std::move(headers.report);
    // The whole content is read only when the model is one.
    Sha256 identity;
    for (const SafetensorsFile& file : headers.sources) {
        QS_TRY(const std::string hash, file.rememberedContentHash());
        identity.update(hash);
    }
    opened.model.weights = std::move(headers.stored);
    opened.model.contentId = "sha256:" + identity.hex();
    return opened;
}

ModelInspection inspectCheckpoint(const fs::path& path)
{
    Headers headers;
    ModelInspection inspection;
    inspection.status = readHeaders(path, headers);
    inspection.reference = path.string();
    inspection.displayName = displayNameOf(path);
    inspection.trained = true;
    inspection.files = std::move(headers.stored.files);
    inspection.family = std::move(headers.family);
    inspection.report = std::move(headers.report);
    for (const SafetensorsFile& file : headers.sources)
        inspection.fileBytes += file.fileBytes();
    const bool chosen = inspection.usable() || !inspection.files.empty();
    if (std::error_code ignored; !chosen && fs::is_directory(path, ignored))
        inspection.choices = weightFilesIn(path);
    return inspection;
}

}  // namespace qs::core::vitok
