#include "core/graph/exported/program_writer.h"

#include "core/base/json.h"
#include "core/base/zip_writer.h"
#include "core/graph/exported/number_bytes.h"
#include "core/graph/exported/program_document.h"
#include "core/graph/exported/schema.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace qs::core {

namespace {

using exported::ProgramDocument;

// All entries of an archive of PyTorch lie in one folder.
std::string entryName(std::string_view path)
{
    return "program/" + std::string(path);
}

Status checkOperations(const Graph& graph)
{
    QS_RETURN_IF_ERROR(validate(graph));
    for (const Node& node : graph.nodes) {
        if (!node.operation->name.starts_with("aten::"))
            return Error{ErrorCode::InvalidArgument,
                         node.operation->fullName() + " in module " + node.module +
                             " is no operation of PyTorch: expand it before writing"};
    }
    return {};
}

// Parameters become attributes of modules along their path: no module can be called as a tensor is.
Status checkPaths(const Graph& graph)
{
    std::set<std::string> tensors;
    for (const Value& value : graph.values) {
        if (value.kind != ValueKind::Weight && value.kind != ValueKind::State)
            continue;
        const bool sane = !value.name.empty() && value.name.front() != '.' &&
                          value.name.back() != '.' && value.name.find("..") == std::string::npos;
        if (!sane || !tensors.insert(value.name).second)
            return Error{ErrorCode::InvalidArgument,
                         "\"" + value.name + "\" cannot be the name of a tensor in an archive"};
    }
    for (const std::string& name : tensors) {
        for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
            if (tensors.contains(name.substr(0, dot)))
                return Error{ErrorCode::InvalidArgument,
                             name + " would lie inside the tensor " + name.substr(0, dot)};
        }
    }
    return {};
}

// A tensor that is the same throughout.
Status fillWith(const TensorType& type, double number, const TextSink& sink)
{
    constexpr std::int64_t kPiece = 1 << 16;
    std::int64_t left = type.elementCount();
    const std::string piece = numberBytes(
        type.dtype, std::vector<double>(static_cast<std::size_t>(std::min(left, kPiece)), number));
    for (; left > 0; left -= kPiece) {
        const std::int64_t bytes = std::min(left, kPiece) * byteSize(type.dtype);
        QS_RETURN_IF_ERROR(
            sink(std::string_view(piece).substr(0, static_cast<std::size_t>(bytes))));
    }
    return {};
}

double initialValue(const Graph& graph, ValueId state)
{
    const auto found = graph.initialValues.find(state);
    return found == graph.initialValues.end() ? 0.0 : found->second;
}

// Where the contents of one tensor lie, of the kind PayloadMeta.
Json payload(const std::string& path, bool isParameter, Json meta)
{
    return {{"path_name", path},
            {"is_param", isParameter},
            {"use_pickle", false},
            {"tensor_meta", std::move(meta)}};
}

Status writeTensors(ZipWriter& archive, const ProgramToWrite& program,
                    const ProgramDocument& document)
{
    const Graph& graph = program.graph;
    Json weights = Json::object();
    Json constants = Json::object();
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        const auto id = static_cast<ValueId>(i);
        const std::string number = std::to_string(i);
        const auto bytes = static_cast<std::uint64_t>(value.type.bytes());
        if (value.kind == ValueKind::Constant) {
            constants[document.nameOf(id)] =
                payload("tensor_" + number, false, document.tensorMeta(value.type));
            QS_RETURN_IF_ERROR(
                archive.add(entryName(exported::kConstantsFolder) + "tensor_" + number,
                            numberBytes(value.type.dtype, graph.constants.at(id))));
        }
        if (value.kind != ValueKind::Weight && value.kind != ValueKind::State)
            continue;
        const bool isWeight = value.kind == ValueKind::Weight;
        weights[value.name] =
            payload("weight_" + number, isWeight, document.tensorMeta(value.type));
        const std::string entry = entryName(exported::kWeightsFolder) + "weight_" + number;
        const bool empty = isWeight && !program.weights;
        QS_RETURN_IF_ERROR(archive.add(entry, empty ? 0 : bytes, [&](const TextSink& sink) {
            if (empty)
                return Status();
            return isWeight ? program.weights(value, sink)
                            : fillWith(value.type, initialValue(graph, id), sink);
        }));
    }
    QS_RETURN_IF_ERROR(archive.add(entryName(exported::kWeightsConfig),
                                   jsonText({{"config", std::move(weights)}})));
    return archive.add(entryName(exported::kConstantsConfig),
                       jsonText({{"config", std::move(constants)}}));
}

}  // namespace

Status writeExportedProgram(const ProgramToWrite& program, const FilePlace& place)
{
    QS_RETURN_IF_ERROR(checkOperations(program.graph));
    QS_RETURN_IF_ERROR(checkPaths(program.graph));
    const ProgramDocument document(program.graph, program.device, program.constantsAsBuffers);
    QS_TRY(ZipWriter archive, ZipWriter::create(place));
    QS_RETURN_IF_ERROR(writeTensors(archive, program, document));
    QS_RETURN_IF_ERROR(archive.add(entryName(exported::kModelEntry), jsonText(document.program())));
    // Must be there, and may be empty: pickles are none of our business.
    QS_RETURN_IF_ERROR(archive.add(entryName("data/sample_inputs/model.pt"), ""));
    QS_RETURN_IF_ERROR(archive.add(entryName("archive_format"), exported::kArchiveFormat));
    QS_RETURN_IF_ERROR(archive.add(entryName("archive_version"), "0"));
    QS_RETURN_IF_ERROR(archive.add(entryName(".data/version"), "6\n"));
    QS_RETURN_IF_ERROR(archive.add(entryName("byteorder"), "little"));
    return archive.commit();
}

std::map<std::string, ValueId> heldTensors(const Graph& graph)
{
    const ProgramDocument document(graph, "cpu");
    std::map<std::string, ValueId> held;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        const auto id = static_cast<ValueId>(i);
        if (value.kind == ValueKind::Weight || value.kind == ValueKind::State)
            held.emplace(value.name, id);
        else if (value.kind == ValueKind::Constant)
            held.emplace(document.nameOf(id), id);
    }
    return held;
}

}  // namespace qs::core
