#include "core/model/te_llama/fused_import.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/model/checkpoint_tensors.h"
#include "core/model/llama/checkpoint.h"
#include "core/model/safetensors/safetensors_writer.h"
#include "core/model/te_llama/fused_blocks.h"
#include "core/model/te_llama/fused_checkpoint.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace qs::core::te_llama {

namespace fs = std::filesystem;

namespace {

// A stored tensor, and the width of the heads whose halves become neighbours; 0: as it is.
struct Piece {
    std::string name;
    std::int64_t turnedHead = 0;
};

// The tensors of the source that make up one of ours, from above.
std::vector<Piece> piecesOf(const std::string& ours, const llama::Config& config)
{
    const auto below = [&](std::string_view leaf) {
        return "model." + ours.substr(0, ours.size() - leaf.size());
    };
    if (ours == "embedding.weight")
        return {{"model.embed_tokens.weight"}};
    if (ours == "norm.weight")
        return {{"model.norm.weight"}};
    if (ours == "lm_head.weight")
        return {{config.tied ? "model.embed_tokens.weight" : "lm_head.weight"}};
    if (ours.ends_with(".input_norm.weight"))
        return {{below("input_norm.weight") + "input_layernorm.weight"}};
    if (ours.ends_with(".mlp_norm.weight"))
        return {{below("mlp_norm.weight") + "post_attention_layernorm.weight"}};
    if (ours.ends_with(".qkv.weight")) {
        const std::string path = below("qkv.weight") + "self_attn.";
        const std::int64_t head = config.pairs ? 0 : config.headWidth;
        return {{path + "q_proj.weight", head},
                {path + "k_proj.weight", head},
                {path + "v_proj.weight"}};
    }
    if (ours.ends_with(".out.weight"))
        return {{below("out.weight") + "self_attn.o_proj.weight"}};
    if (ours.ends_with(".fc1.weight"))
        return {{below("fc1.weight") + "mlp.gate_proj.weight"},
                {below("fc1.weight") + "mlp.up_proj.weight"}};
    return {{below("fc2.weight") + "mlp.down_proj.weight"}};
}

// The row of the source that stands in that place: of a head of 8, 0 4 1 5 2 6 3 7.
std::uint64_t sourceRow(std::uint64_t row, std::uint64_t head)
{
    if (head == 0)
        return row;
    const std::uint64_t place = row % head;
    return row - place + place / 2 + (place % 2) * (head / 2);
}

Status writePiece(const SafetensorsFile& file, const TensorEntry& entry, std::int64_t turnedHead,
                  const TextSink& sink)
{
    const std::uint64_t rows = entry.shape.front();
    std::vector<std::byte> row(entry.bytes() / rows);
    for (std::uint64_t i = 0; i < rows; ++i) {
        const std::uint64_t from = sourceRow(i, static_cast<std::uint64_t>(turnedHead));
        QS_RETURN_IF_ERROR(file.readPart(entry, from * row.size(), row));
        QS_RETURN_IF_ERROR(
            sink({reinterpret_cast<const char*>(row.data()), row.size()}));  // NOLINT
    }
    return {};
}

// Of a source that was opened as a Llama: all tensors are there, in their shapes.
class Importer final
{
public:
    Importer(const StoredWeights& stored, Variant variant, bool pairs, bool tied)
        : m_stored(stored), m_config(variant.config)
    {
        m_config.pairs = pairs;
        m_config.tied = tied;
    }

    [[nodiscard]] Status open()
    {
        for (const fs::path& path : m_stored.files) {
            QS_TRY(SafetensorsFile file, openSafetensors(path));
            m_files.push_back(std::move(file));
        }
        return {};
    }

    // Reads from this object when it is written.
    [[nodiscard]] Result<TensorToWrite> tensor(const WeightSpec& spec) const
    {
        TensorToWrite tensor{.name = spec.name, .type = StoredType::F32, .shape = {}, .write = {}};
        tensor.shape.assign(spec.shape.begin(), spec.shape.end());
        std::optional<StoredType> type;
        std::vector<std::pair<const SafetensorsFile*, Piece>> pieces;
        for (const Piece& piece : piecesOf(spec.name, m_config)) {
            const auto place = m_stored.places.find("prefill/" + piece.name);
            if (place == m_stored.places.end())
                return Error{ErrorCode::Format, piece.name + " is missing"};
            const SafetensorsFile& file = m_files.at(place->second.file);
            const TensorEntry* entry = file.find(place->second.name);
            if (entry == nullptr)
                return Error{ErrorCode::Format, file.path().string() + ": no " + piece.name};
            if (type.value_or(entry->dtype) != entry->dtype)
                return Error{ErrorCode::Unsupported,
                             file.path().string() + ": " + piece.name +
                                 " has another type than what it is fused with"};
            type = entry->dtype;
            pieces.emplace_back(&file, Piece{place->second.name, piece.turnedHead});
        }
        tensor.type = *type;
        tensor.write = [pieces](const TextSink& sink) -> Status {
            for (const auto& [file, piece] : pieces)
                QS_RETURN_IF_ERROR(
                    writePiece(*file, *file->find(piece.name), piece.turnedHead, sink));
            return {};
        };
        return tensor;
    }

private:
    const StoredWeights& m_stored;
    llama::Config m_config;
    std::vector<SafetensorsFile> m_files;
};

Status makeRoom(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return Error{ErrorCode::Io, folder.string() + ": " + error.message()};
    for (const char* name : {"config.json", "model.safetensors"}) {
        if (fs::exists(folder / name, error))
            return Error{ErrorCode::InvalidArgument,
                         (folder / name).string() + " is there already: choose an empty folder"};
    }
    return {};
}

}  // namespace

Result<ImportedLlama> importLlama(const fs::path& from, const fs::path& folder)
{
    QS_TRY(const OpenedModel opened, llama::openCheckpoint(from));
    QS_TRY(llama::Config config, llama::parseConfig(opened.model.variant));
    const bool pairs = std::exchange(config.pairs, false);
    const bool tied = std::exchange(config.tied, false);
    if (const Status possible = checkFused(config); !possible.ok())
        return possible.error().within(from.string());
    const Variant variant{.config = config, .exact = true};
    const auto& stored = std::get<StoredWeights>(opened.model.weights);
    Importer importer(stored, variant, pairs, tied);
    QS_RETURN_IF_ERROR(importer.open());
    QS_RETURN_IF_ERROR(makeRoom(folder));
    std::vector<TensorToWrite> tensors;
    for (const WeightSpec& spec : weightsOf(variant)) {
        QS_TRY(TensorToWrite tensor, importer.tensor(spec));
        tensors.push_back(std::move(tensor));
    }
    QS_TRY(const SafetensorsSize size,
           writeSafetensors(folder / "model.safetensors", std::move(tensors), {}));
    const Json json{{"model_type", kModelType}, {"variant", toText(variant)}};
    QS_RETURN_IF_ERROR(writeFileAtomically(folder / "config.json", jsonText(json)));
    return ImportedLlama{toText(variant), size.fileBytes};
}

}  // namespace qs::core::te_llama
