#include "core/graph/exported/program_writer.h"

#include "core/base/json.h"
#include "core/base/zip_writer.h"
#include "core/graph/exported/free_batch.h"
#include "core/graph/exported/number_bytes.h"
#include "core/graph/exported/program_document.h"
#include "core/graph/exported/program_of_graph.h"
#include "core/graph/exported/schema.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

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

bool isPath(const std::string& name)
{
    return !name.empty() && name.front() != '.' && name.back() != '.' &&
           name.find("..") == std::string::npos;
}

// Parameters become attributes of modules along their path: no module can be called as a tensor is.
Status checkPaths(const std::set<std::string>& tensors)
{
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

// Where the contents of one tensor lie, of the kind PayloadMeta.
Json payload(const std::string& path, bool isParameter, Json meta)
{
    return {{"path_name", path},
            {"is_param", isParameter},
            {"use_pickle", false},
            {"tensor_meta", std::move(meta)}};
}

// What a program holds, in the order that it is written.
std::vector<ArchiveTensor> tensorsOf(const ProgramToWrite& program,
                                     const std::vector<std::string>& names)
{
    const Graph& graph = program.graph;
    std::vector<ArchiveTensor> tensors;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        const auto id = static_cast<ValueId>(i);
        ArchiveTensor tensor;
        tensor.name = value.kind == ValueKind::Constant ? names[i] : value.name;
        tensor.type = exported::describe(value.type);
        tensor.bytes = static_cast<std::uint64_t>(value.type.bytes());
        if (value.kind == ValueKind::Constant) {
            tensor.role = exported::InputRole::Constant;
            tensor.content = [&graph, &value, id](const TextSink& sink) {
                return sink(numberBytes(value.type.dtype, graph.constants.at(id)));
            };
        } else if (value.kind == ValueKind::State) {
            tensor.role = exported::InputRole::Buffer;
            tensor.content = [&graph, &value, id](const TextSink& sink) {
                return fillWith(value.type, graph.initialValue(id), sink);
            };
        } else if (value.kind == ValueKind::Weight && program.weights) {
            tensor.content = [&program, &value](const TextSink& sink) {
                return program.weights(value, sink);
            };
        } else if (value.kind == ValueKind::Weight) {
            tensor.bytes = 0;
            tensor.content = [](const TextSink&) { return Status(); };
        } else {
            continue;
        }
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

// The program with a symbol in place of these batches.
Result<exported::ExportedProgram> joinBatches(const ProgramToWrite& program)
{
    std::vector<exported::BatchRecording> recordings;
    for (const BatchGraph& each : program.batches) {
        if (each.graph.constants != program.graph.constants)
            return Error{ErrorCode::Unsupported,
                         "constants of the program depend on the batch: it stays fixed"};
        recordings.push_back(
            {each.batch, exported::programOf(each.graph, program.constantsAsBuffers).program});
    }
    return exported::withFreeBatch(recordings);
}

Status writeTensors(ZipWriter& archive, const std::vector<ArchiveTensor>& tensors,
                    std::string_view device)
{
    Json weights = Json::object();
    Json constants = Json::object();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const ArchiveTensor& tensor = tensors[i];
        const bool constant = tensor.role == exported::InputRole::Constant;
        const std::string entry =
            (constant ? "tensor_" : "weight_") + std::to_string(tensor.sameAs ? *tensor.sameAs : i);
        (constant ? constants : weights)[tensor.name] =
            payload(entry, tensor.role == exported::InputRole::Parameter,
                    exported::tensorMeta(tensor.type, device));
        if (tensor.sameAs)
            continue;
        const std::string folder(constant ? exported::kConstantsFolder : exported::kWeightsFolder);
        QS_RETURN_IF_ERROR(archive.add(entryName(folder) + entry, tensor.bytes, tensor.content));
    }
    QS_RETURN_IF_ERROR(archive.add(entryName(exported::kWeightsConfig),
                                   jsonText({{"config", std::move(weights)}})));
    return archive.add(entryName(exported::kConstantsConfig),
                       jsonText({{"config", std::move(constants)}}));
}

}  // namespace

Status writeProgram(const exported::ExportedProgram& program,
                    const std::vector<ArchiveTensor>& tensors, std::string_view device,
                    const FilePlace& place)
{
    std::set<std::string> names;
    for (const ArchiveTensor& tensor : tensors) {
        const bool sane = tensor.role == exported::InputRole::Constant || isPath(tensor.name);
        if (!sane || !names.insert(tensor.name).second)
            return Error{ErrorCode::InvalidArgument,
                         "\"" + tensor.name + "\" cannot be the name of a tensor in an archive"};
    }
    QS_RETURN_IF_ERROR(checkPaths(names));
    QS_TRY(ZipWriter archive, ZipWriter::create(place));
    QS_RETURN_IF_ERROR(writeTensors(archive, tensors, device));
    QS_RETURN_IF_ERROR(archive.add(entryName(exported::kModelEntry),
                                   jsonText(exported::programJson(program, device))));
    // Must be there, and may be empty: pickles are none of our business.
    QS_RETURN_IF_ERROR(archive.add(entryName("data/sample_inputs/model.pt"), ""));
    QS_RETURN_IF_ERROR(archive.add(entryName("archive_format"), exported::kArchiveFormat));
    QS_RETURN_IF_ERROR(archive.add(entryName("archive_version"), "0"));
    QS_RETURN_IF_ERROR(archive.add(entryName(".data/version"), "6\n"));
    QS_RETURN_IF_ERROR(archive.add(entryName("byteorder"), "little"));
    return archive.commit();
}

Status writeExportedProgram(const ProgramToWrite& program, const FilePlace& place)
{
    QS_RETURN_IF_ERROR(checkOperations(program.graph));
    exported::ProgramOfGraph written =
        exported::programOf(program.graph, program.constantsAsBuffers);
    if (!program.batches.empty()) {
        QS_TRY(written.program, joinBatches(program));
    }
    return writeProgram(written.program, tensorsOf(program, written.names), program.device, place);
}

std::map<std::string, ValueId> heldTensors(const Graph& graph)
{
    const std::vector<std::string> names = exported::programOf(graph).names;
    std::map<std::string, ValueId> held;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        const auto id = static_cast<ValueId>(i);
        if (value.kind == ValueKind::Weight || value.kind == ValueKind::State)
            held.emplace(value.name, id);
        else if (value.kind == ValueKind::Constant)
            held.emplace(names[i], id);
    }
    return held;
}

}  // namespace qs::core
