#include "tests/fuzz/fuzz_entries.h"

#include "core/base/json.h"
#include "core/base/parsed_json.h"
#include "core/base/temporary_folder.h"
#include "core/base/zip_archive.h"
#include "core/graph/exported/concrete_graph.h"
#include "core/graph/exported/exported_archive.h"
#include "core/graph/exported/program_parser.h"
#include "core/model/input_feed.h"
#include "core/model/packaged/elf_library.h"
#include "core/model/packaged/package_archive.h"
#include "core/model/safetensors/safetensors.h"
#include "core/model/stage_cut.h"
#include "core/model/tensor_file.h"
#include "core/model/text/tokenizer.h"
#include "core/protocol/frame.h"
#include "core/protocol/message_codec.h"
#include "core/record/journal/journal.h"
#include "core/record/journal/journal_line.h"
#include "tests/support/safetensors_writer.h"

#include <nlohmann/json.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace qs::tests {

namespace {

using namespace qs::core;

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The bytes as a file in memory, so that readers of files are tested without a disk.
class MemoryFile final
{
public:
    explicit MemoryFile(std::span<const std::byte> bytes)
        : m_file(::memfd_create("fuzz", MFD_CLOEXEC)),
          m_path("/proc/self/fd/" + std::to_string(m_file.get()))
    {
        QS_ASSERT(m_file.valid());
        QS_ASSERT(writeFully(m_file, bytes, m_path).ok());
    }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    FileDescriptor m_file;
    std::filesystem::path m_path;
};

void runSafetensors(std::span<const std::byte> bytes)
{
    const MemoryFile memory(bytes);
    const auto opened = openSafetensors(memory.path());
    if (!opened.ok()) {
        QS_ASSERT(opened.error().code == ErrorCode::Format);
        return;
    }
    const SafetensorsFile& file = opened.value();
    std::uint64_t filled = 0;
    std::vector<std::vector<std::byte>> contents;
    std::vector<TensorToWrite> tensors;
    for (const TensorEntry& entry : file.tensors()) {
        QS_ASSERT(entry.begin == filled && file.find(entry.name) == &entry);
        filled = entry.end;
        contents.emplace_back(entry.bytes());
        QS_ASSERT(file.read(entry, contents.back()).ok());
        tensors.push_back({entry.name, entry.dtype, entry.shape, contents.back()});
    }
    QS_ASSERT(file.dataStart() + filled == bytes.size());
    // What was accepted can be written and opened again.
    const std::string text = encodeSafetensors(tensors, file.metadata());
    const MemoryFile copy(std::as_bytes(std::span(text.data(), text.size())));
    const auto reopened = openSafetensors(copy.path());
    QS_ASSERT(reopened.ok() && reopened.value().tensors().size() == tensors.size());
    QS_ASSERT(reopened.value().metadata() == file.metadata());
}

// The first byte chooses the size of the pieces in which the rest arrives.
void runFrames(std::span<const std::byte> bytes)
{
    if (bytes.empty())
        return;
    const std::size_t piece = 1 + std::to_integer<std::size_t>(bytes[0]) * 7;
    bytes = bytes.subspan(1);
    FrameReader reader;
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min(piece, bytes.size()));
        bytes = bytes.subspan(part.size());
        const auto payloads = reader.feed(part);
        if (!payloads.ok())
            return;
        for (const std::string& payload : payloads.value()) {
            const auto message = decodeMessage(payload);
            QS_ASSERT(!message.ok() || encodeMessage(message.value()).ok());
        }
    }
    static_cast<void>(reader.finish().ok());
}

// Fuzzers do not find checksums: the payload alone.
void runMessages(std::span<const std::byte> bytes)
{
    const auto message = decodeMessage(textOf(bytes));
    if (!message.ok())
        return;
    const auto payload = encodeMessage(message.value());
    QS_ASSERT(payload.ok());
    QS_ASSERT(decodeMessage(payload.value()).value() == message.value());
}

void runJournal(std::span<const std::byte> bytes)
{
    // A file with a name: what is appended to one without would be lost, and is refused.
    const TemporaryFolder folder = TemporaryFolder::create("quantscope-fuzz-").value();
    const std::filesystem::path path = folder.path() / "journal.jsonl";
    QS_ASSERT(writeFileAtomically(path, textOf(bytes)).ok());
    const auto read = readJournal(path);
    if (!read.ok()) {
        QS_ASSERT(read.error().code == ErrorCode::Unsupported);
        return;
    }
    const JournalContent& content = read.value();
    for (const Json& record : content.records)
        QS_ASSERT(encodeJournalLine(record).ok());
    // Without a header, opening would create the journal and sync its folder, which a file in
    // memory does not have.
    if (!content.damage.any() && content.tornBytes == bytes.size())
        return;
    auto opened = Journal::open(path);
    QS_ASSERT(opened.ok() != content.damage.any());
    if (!opened.ok())
        return;
    QS_ASSERT(opened.value().records() == content.records.size());
    QS_ASSERT(opened.value().droppedBytes() == content.tornBytes);
    QS_ASSERT(opened.value().append({{"n", 1}}).ok());
    QS_ASSERT(readJournal(path).value().records.size() == content.records.size() + 1);
}

// Fuzzers do not find checksums: the input becomes the JSON of a line whose length and checksum are
// right.
void runJournalRecords(std::span<const std::byte> bytes)
{
    const auto json = parseJson(textOf(bytes), "record");
    if (!json.ok())
        return;
    const auto line = encodeJournalLine(json.value());
    QS_ASSERT(line.ok());
    std::string_view text = line.value();
    text.remove_suffix(1);
    QS_ASSERT(text.find('\n') == std::string_view::npos);
    QS_ASSERT(decodeJournalLine(text).value().json.root().json() == json.value());
    QS_ASSERT(!decodeJournalLine(text.substr(0, text.size() - 1)).ok());
}

// What we refuse and a parser without limits takes: beyond the limits, ambiguous, or whole numbers
// of more than 64 bits.
bool isOurs(const std::string& complaint)
{
    for (const char* part : {"nested deeper", "more than ", "longer than ", "larger than ",
                             "appears twice", "NUL byte", "number"}) {
        if (complaint.find(part) != std::string::npos)
            return true;
    }
    return false;
}

void runJson(std::span<const std::byte> bytes)
{
    const auto json = parseJson(textOf(bytes), "preset");
    const Json other = Json::parse(textOf(bytes), nullptr, false);
    if (!json.ok()) {
        QS_ASSERT(json.error().code == ErrorCode::Format);
        QS_ASSERT(other.is_discarded() || isOurs(json.error().message));
        return;
    }
    QS_ASSERT(other == json.value());
    const std::string text = canonicalText(json.value());
    const auto again = parseJson(text, "preset");
    // Canonical text may be longer than the limit where escapes grow; it never means something
    // else.
    QS_ASSERT(!again.ok() || again.value() == json.value());
}

void runPackage(std::span<const std::byte> bytes)
{
    const MemoryFile memory(bytes);
    static_cast<void>(packaged::isPackage(memory.path()));
    const auto read = packaged::readPackage(memory.path());
    if (!read.ok())
        return;
    const packaged::PackageArchive& package = read.value();
    QS_ASSERT(!package.library.deflated && package.library.bytes >= packaged::kElfHeaderBytes &&
              package.library.bytes <= bytes.size());
    QS_ASSERT(packaged::fileNameOf(package.library).find('/') == std::string::npos);
    QS_ASSERT(!package.text().empty());
}

void runZip(std::span<const std::byte> bytes)
{
    const MemoryFile memory(bytes);
    const auto opened = ZipArchive::open(memory.path());
    if (!opened.ok()) {
        QS_ASSERT(opened.error().code == ErrorCode::Format);
        return;
    }
    constexpr std::uint64_t kMost = 1 << 20;
    std::uint64_t filled = 0;
    for (const ZipEntry& entry : opened.value().entries()) {
        QS_ASSERT(entry.offset >= filled && entry.storedBytes <= bytes.size() - entry.offset);
        filled = entry.offset + entry.storedBytes;
        QS_ASSERT(opened.value().find(entry.name) == &entry);
        const auto content = opened.value().read(entry, kMost);
        QS_ASSERT(!content.ok() || content.value().size() == entry.bytes);
    }
    // What such an archive says of programs and tensors is believed no more than its directory.
    static_cast<void>(exported::openExportedArchive(memory.path()).ok());
}

// A program's JSON, made concrete with the sizes that it was exported with.
void runExportedProgram(std::span<const std::byte> bytes)
{
    const auto json = ParsedJson::parse(textOf(bytes), "model.json");
    if (!json.ok())
        return;
    const auto program = exported::parseProgram(json.value().root());
    if (!program.ok())
        return;
    exported::SymbolValues symbols = {{"s0", 2}};
    for (const auto& [symbol, example] : program.value().examples)
        symbols.insert_or_assign(symbol, example);
    exported::ProgramTensors tensors;
    for (const exported::ProgramInput& input : program.value().inputs)
        tensors[input.target] = {input.target, {DType::Float32, {4, 4}}, true};
    static_cast<void>(exported::unsupportedOperations(program.value().graph));
    for (const DType working : {DType::Float32, DType::BFloat16}) {
        const auto graph =
            exported::concreteGraph({program.value(), tensors, DType::Float32, working, symbols});
        QS_ASSERT(!graph.ok() || validate(graph.value()).ok());
        if (!graph.ok())
            continue;
        const auto stages =
            cutIntoStages(graph.value(), {{"first", "layers.0"}, {"second", "layers.1"}});
        for (const Graph& stage : stages.ok() ? stages.value() : std::vector<Graph>())
            QS_ASSERT(validate(stage).ok());
    }
}

void runSizeExpression(std::span<const std::byte> bytes)
{
    const auto expression = exported::SizeExpression::parse(textOf(bytes));
    if (!expression.ok())
        return;
    std::set<std::string> names;
    expression.value().addSymbols(names);
    exported::SymbolValues symbols;
    for (const std::string& name : names)
        symbols.emplace(name, 7);
    const auto value = expression.value().evaluate(symbols);
    QS_ASSERT(!value.ok() || value.value() == expression.value().evaluate(symbols).value());
}

void runNpy(std::span<const std::byte> bytes)
{
    const MemoryFile memory(bytes);
    const auto tensor = readTensorFile(memory.path(), {});
    if (!tensor.ok()) {
        QS_ASSERT(tensor.error().code == ErrorCode::Format);
        return;
    }
    // What was read can be written and read again, NaNs as their bits.
    const std::string text = encodeNpy(tensor.value());
    const MemoryFile copy(std::as_bytes(std::span(text.data(), text.size())));
    const auto again = readTensorFile(copy.path(), {});
    QS_ASSERT(again.ok() && again.value().shape == tensor.value().shape);
    QS_ASSERT(encodeNpy(again.value()) == text);
}

void runInputFeed(std::span<const std::byte> bytes)
{
    const auto feed = parseInputFeed(textOf(bytes));
    if (!feed.ok()) {
        QS_ASSERT(feed.error().code == ErrorCode::InvalidArgument);
        return;
    }
    const std::string text = inputFeedText(feed.value());
    const auto again = parseInputFeed(text);
    QS_ASSERT(again.ok() && again.value() == feed.value());
}

// A tokenizer.json, and what it makes of a text with letters of all kinds.
void runTokenizer(std::span<const std::byte> bytes)
{
    const auto tokenizer = Tokenizer::parse(textOf(bytes), "tokenizer.json");
    if (!tokenizer.ok()) {
        QS_ASSERT(tokenizer.error().code == ErrorCode::Format ||
                  tokenizer.error().code == ErrorCode::Unsupported);
        return;
    }
    const auto ids = tokenizer.value().encode("It's 42 aaaa\n\t <s> \xC3\xA9\xE4\xB8\xAD  end ");
    if (!ids.ok())
        return;
    for (const std::int64_t id : ids.value())
        QS_ASSERT(id >= 0 && id <= tokenizer.value().highestId());
    static_cast<void>(tokenizer.value().decode(ids.value()));
}

}  // namespace

const std::vector<FuzzEntry>& fuzzEntries()
{
    static const std::vector<FuzzEntry> entries{
        {"safetensors", &runSafetensors},
        {"frames", &runFrames},
        {"messages", &runMessages},
        {"journal", &runJournal},
        {"journal_records", &runJournalRecords},
        {"json", &runJson},
        {"zip", &runZip},
        {"package", &runPackage},
        {"exported_program", &runExportedProgram},
        {"size_expression", &runSizeExpression},
        {"npy", &runNpy},
        {"input_feed", &runInputFeed},
        {"tokenizer", &runTokenizer},
    };
    return entries;
}

}  // namespace qs::tests
