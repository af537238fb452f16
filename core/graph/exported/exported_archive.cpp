#include "core/graph/exported/exported_archive.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/parsed_json.h"
#include "core/base/zip_archive.h"
#include "core/graph/call_reader.h"
#include "core/graph/exported/program_parser.h"
#include "core/graph/exported/schema.h"

#include <algorithm>
#include <limits>

namespace qs::core::exported {

namespace {

constexpr std::uint64_t kMostJsonBytes = std::uint64_t{256} << 20U;
constexpr JsonLimits kJsonLimits{.bytes = kMostJsonBytes,
                                 .depth = 200,
                                 .nodes = 40'000'000,
                                 .stringBytes = std::size_t{1} << 20U};
constexpr std::uint64_t kMostWordBytes = 64;  // of entries that hold one word

constexpr std::string_view kSaveAnew =
    "; save it anew with torch 2.9 to 2.11: torch.export.save(torch.export.export(model.eval(), "
    "args), \"model.pt2\")";

class ArchiveReader final
{
public:
    explicit ArchiveReader(const ZipArchive& zip) : m_zip(zip) {}

    Result<ExportedArchive> read()
    {
        QS_RETURN_IF_ERROR(checkFormat());
        ExportedArchive archive{m_zip.path(), m_zip.fileBytes(), {}, {}};
        {
            QS_TRY(const std::string text, content(kModelEntry, kMostJsonBytes));
            QS_TRY(const ParsedJson json, parse(text, kModelEntry));
            auto program = parseProgram(json.root());
            if (!program.ok())
                return refuse(program.error());
            archive.program = std::move(program.value());
        }
        QS_RETURN_IF_ERROR(readTensors(kWeightsConfig, kWeightsFolder, archive));
        QS_RETURN_IF_ERROR(readTensors(kConstantsConfig, kConstantsFolder, archive));
        return archive;
    }

private:
    [[nodiscard]] Error refuse(const Error& error) const
    {
        return error.within(m_zip.path().string());
    }
    [[nodiscard]] Error refuse(ErrorCode code, const std::string& why) const
    {
        return {code, m_zip.path().string() + ": " + why};
    }

    // An entry below the folder that all entries of such an archive lie in.
    [[nodiscard]] const ZipEntry* find(std::string_view name) const
    {
        return m_zip.find(m_root + std::string(name));
    }

    [[nodiscard]] bool has(std::string_view part) const
    {
        return std::any_of(
            m_zip.entries().begin(), m_zip.entries().end(),
            [&](const ZipEntry& entry) { return entry.name.find(part) != std::string::npos; });
    }

    Result<std::string> content(std::string_view name, std::uint64_t limitBytes) const
    {
        const ZipEntry* entry = find(name);
        if (entry == nullptr)
            return refuse(ErrorCode::Format, "lacks its entry " + std::string(name));
        return m_zip.read(*entry, limitBytes);
    }

    [[nodiscard]] Result<ParsedJson> parse(const std::string& text, std::string_view name) const
    {
        return ParsedJson::parse(text, m_zip.path().string() + ": " + std::string(name),
                                 kJsonLimits);
    }

    Status checkFormat()
    {
        if (has("serialized_exported_program.json"))
            return refuse(ErrorCode::Unsupported,
                          "is an export of torch 2.7 or earlier, whose weights are pickles, which "
                          "could run code" +
                              std::string(kSaveAnew));
        if (has("data/aotinductor/"))
            return refuse(ErrorCode::Unsupported,
                          "is a package of AOTInductor, compiled code that no model can be read "
                          "from; open the export that it was compiled from");
        const auto model =
            std::find_if(m_zip.entries().begin(), m_zip.entries().end(), [](const ZipEntry& entry) {
                return entry.name.ends_with("/" + std::string(kModelEntry));
            });
        if (model == m_zip.entries().end())
            return refuse(ErrorCode::Format,
                          "is no archive of torch.export: it lacks models/model.json");
        m_root = model->name.substr(0, model->name.size() - kModelEntry.size());
        QS_TRY(const std::string format, content("archive_format", kMostWordBytes));
        if (format != kArchiveFormat)
            return refuse(ErrorCode::Format, "says that it is another format than pt2");
        if (find("byteorder") != nullptr) {
            QS_TRY(const std::string order, content("byteorder", kMostWordBytes));
            if (order != "little")
                return refuse(ErrorCode::Unsupported,
                              "was written on a big-endian machine; export it on another one");
        }
        if (find("data/weights/model.pt") != nullptr || find("data/constants/model.pt") != nullptr)
            return refuse(ErrorCode::Unsupported,
                          "holds its weights as a pickle, which could run code" +
                              std::string(kSaveAnew));
        return {};
    }

    Status readTensors(std::string_view config, std::string_view folder, ExportedArchive& archive)
    {
        QS_TRY(const std::string text, content(config, kMostJsonBytes));
        QS_TRY(const ParsedJson json, parse(text, config));
        const auto tensors = json.root().member("config");
        if (!tensors || !tensors->isObject())
            return refuse(ErrorCode::Format, std::string(config) + " names no tensors");
        Status status;
        tensors->forEachMember([&](std::string_view name, const JsonView& value) {
            if (!status.ok())
                return;
            auto slice = readSlice(value, folder);
            if (!slice.ok())
                status = refuse(slice.error().within("tensor " + excerpt(cleanLine(name))));
            else if (!archive.tensors.emplace(cleanLine(name), std::move(slice.value())).second)
                status = refuse(ErrorCode::Format,
                                "tensor " + excerpt(cleanLine(name)) + " is there twice");
        });
        return status;
    }

    Result<TensorSlice> readSlice(const JsonView& json, std::string_view folder) const
    {
        const auto pickled = json.member("use_pickle");
        if (pickled && pickled->flag().value_or(true))
            return Error{ErrorCode::Unsupported,
                         "is stored as a pickle, which could run code: make it a plain tensor "
                         "before torch.export.save"};
        const auto path = json.member("path_name");
        const auto words = path ? path->text() : std::nullopt;
        const ZipEntry* entry = words ? find(std::string(folder) + std::string(*words)) : nullptr;
        if (entry == nullptr)
            return Error{ErrorCode::Format, "has no content in the archive"};
        if (entry->deflated)
            return Error{ErrorCode::Unsupported,
                         "is compressed: weights are read where they lie; leave the archive as "
                         "torch.export.save wrote it"};
        const auto meta = json.member("tensor_meta");
        if (!meta)
            return Error{ErrorCode::Format, "has neither type nor shape"};
        QS_TRY(TensorSlice slice, readMeta(*meta));
        slice.offset = entry->offset;
        slice.bytes = entry->bytes;
        QS_RETURN_IF_ERROR(checkBounds(slice));
        return slice;
    }

    static Result<TensorSlice> readMeta(const JsonView& meta)
    {
        const auto number = [&](std::string_view name) {
            const auto found = meta.member(name);
            return found ? found->wholeNumber().value_or(-1) : -1;
        };
        if (number("layout") != kStrided)
            return Error{ErrorCode::Unsupported, "is sparse; only dense tensors can be read"};
        const auto dtype = dtypeOf(number("dtype"));
        if (!dtype)
            return Error{ErrorCode::Unsupported,
                         "is of the type " + std::string(scalarTypeName(number("dtype"))) +
                             ", which no graph here has; convert it before the export"};
        const auto sizes = meta.member("sizes");
        const auto strides = meta.member("strides");
        const auto first = meta.member("storage_offset");
        const auto at = first ? first->member("as_int") : std::nullopt;
        if (!sizes || !strides || !at)
            return Error{ErrorCode::Format, "has no shape"};
        TensorSlice slice;
        slice.type.dtype = *dtype;
        QS_TRY(slice.type.shape, plainSizes(*sizes));
        QS_TRY(slice.strides, plainSizes(*strides));
        slice.firstElement = at->wholeNumber().value_or(-1);
        return slice;
    }

    // The last element that the shape reaches lies in the payload.
    static Status checkBounds(const TensorSlice& slice)
    {
        QS_RETURN_IF_ERROR(checkShape(slice.type.shape));
        const auto beyond = [] {
            return Error{ErrorCode::Format, "reaches beyond its content in the archive"};
        };
        if (slice.strides.size() != slice.type.shape.size() || slice.firstElement < 0)
            return beyond();
        std::int64_t last = slice.firstElement;
        for (std::size_t i = 0; i < slice.strides.size(); ++i) {
            std::int64_t reach = 0;
            if (slice.strides[i] < 0 ||
                __builtin_mul_overflow(
                    slice.strides[i], std::max<std::int64_t>(slice.type.shape[i] - 1, 0), &reach) ||
                __builtin_add_overflow(last, reach, &last))
                return beyond();
        }
        const std::uint64_t width = static_cast<std::uint64_t>(byteSize(slice.type.dtype));
        if (slice.type.elementCount() > 0 &&
            static_cast<std::uint64_t>(last) >= slice.bytes / width)
            return beyond();
        return {};
    }

    const ZipArchive& m_zip;
    std::string m_root;  // "model/"
};

}  // namespace

Result<ExportedArchive> openExportedArchive(const std::filesystem::path& path)
{
    QS_TRY(const ZipArchive zip, ZipArchive::open(path));
    return ArchiveReader(zip).read();
}

bool isExportedArchive(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return false;
    const auto zip = ZipArchive::open(path);
    if (!zip.ok())
        return path.extension() == ".pt2";
    return std::any_of(zip.value().entries().begin(), zip.value().entries().end(),
                       [](const ZipEntry& entry) {
                           return entry.name.ends_with("/models/model.json") ||
                                  entry.name == "serialized_exported_program.json";
                       });
}

}  // namespace qs::core::exported
