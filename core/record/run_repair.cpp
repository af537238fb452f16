#include "core/record/run_repair.h"

#include "core/base/atomic_file.h"
#include "core/record/journal/journal.h"
#include "core/record/journal/journal_line.h"
#include "core/record/journal/journal_place.h"
#include "core/record/output_places.h"
#include "core/record/run_folder.h"
#include "core/record/run_label.h"
#include "core/record/run_records.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

bool isKept(RecordFate fate)
{
    switch (fate) {
    case RecordFate::Taken:
    case RecordFate::UnknownType:
        return true;
    case RecordFate::NotUnderstood:
    case RecordFate::Repeated:
    case RecordFate::Contradicted:
        return false;
    }
    return false;
}

// Which records of a journal are worth keeping, in their order.
struct Selection {
    RunData data;
    std::vector<bool> kept;
    std::uint64_t comparisonsDropped = 0;
};

// What a cell gave can only be compared if a row says that its outputs lie there. Without that row
// they are made again, and a comparison of the old ones would stand for the new.
class Vouchers final
{
public:
    explicit Vouchers(const RunData& data) : m_places(data.measurements) {}

    [[nodiscard]] bool vouchFor(const JsonView& quality) const
    {
        const auto text = [&](const char* name) {
            const auto member = quality.member(name);
            return std::string(member ? member->text().value_or("") : "");
        };
        const std::string environment = text("environment");
        const std::string reference = text("reference");
        return m_places.pictures(text("cell"), environment) > 0 &&
               (reference == kInputId || reference == kLabelId || reference == kTextId ||
                reference == kUncompiledId || m_places.pictures(reference, environment) > 0);
    }

private:
    OutputPlaces m_places;
};

Result<Selection> select(const fs::path& run)
{
    Selection selection;
    QS_TRY(selection.data,
           readRunFolder(run, [&](RecordFate fate) { selection.kept.push_back(isKept(fate)); }));
    return selection;
}

// The records that were selected, as lines in a new journal.
Status writeSelected(const FilePlace& journal, Selection& selection, AtomicFile& file)
{
    const Vouchers vouchers(selection.data);
    std::size_t index = 0;
    const auto parser = [&](const JournalRecord& record) -> RecordTaker {
        const JsonView json = record.json.root();
        const bool vouched = typeOf(record) != "quality" || vouchers.vouchFor(json);
        return [&, vouched, line = encodeJournalLine(json.json())]() -> Status {
            const std::size_t at = index++;
            if (at >= selection.kept.size() || !selection.kept[at])
                return {};
            selection.comparisonsDropped += vouched ? 0 : 1;
            selection.kept[at] = vouched;
            if (!vouched)
                return {};
            QS_RETURN_IF_ERROR(line);
            return file.write(line.value());
        };
    };
    QS_RETURN_IF_ERROR(file.write(journalHeaderLine()));
    const auto end = readRecords(journal, parser);
    return end.ok() ? Status() : Status(end.error());
}

Repair repairOf(const Selection& selection, const fs::path& folder)
{
    Repair repair;
    repair.folder = folder;
    repair.leftOut = selection.data.leftOut;
    repair.comparisonsDropped = selection.comparisonsDropped;
    for (const bool kept : selection.kept)
        repair.recordsKept += kept ? 1 : 0;
    repair.rowsKept = selection.data.measurements.size();
    repair.rowsPlanned = selection.data.plan.plannedRows();
    return repair;
}

bool needsRepair(const LeftOut& leftOut)
{
    return leftOut.isLoss() || leftOut.repetitions > 0;
}

Status copyFile(const FilePlace& from, const fs::path& to)
{
    QS_TRY(const FileDescriptor source, openForReading(from));
    QS_TRY(AtomicFile copy, AtomicFile::create(to));
    std::string chunk(std::size_t{1} << 18U, '\0');
    while (true) {
        QS_TRY(const std::size_t count,
               readSome(source, std::as_writable_bytes(std::span(chunk)), from.path()));
        if (count == 0)
            return copy.commit();
        QS_RETURN_IF_ERROR(copy.write(std::string_view(chunk).substr(0, count)));
    }
}

// The files below a folder of the run, its folders included. Links and other things that a stranger
// may have put there are left out and counted.
Status copyTree(const fs::path& run, const fs::path& inside, const fs::path& copy,
                std::uint64_t& notCopied)
{
    std::error_code error;
    const fs::file_status kind = fs::symlink_status(run / inside, error);
    if (!fs::exists(kind))
        return {};
    if (fs::is_regular_file(kind))
        return copyFile(FilePlace::inside(run, inside), copy / inside);
    if (!fs::is_directory(kind)) {
        ++notCopied;
        return {};
    }
    QS_RETURN_IF_ERROR(createFolders(copy / inside));
    for (fs::directory_iterator entry(run / inside, error), end; !error && entry != end;
         entry.increment(error))
        QS_RETURN_IF_ERROR(copyTree(run, inside / entry->path().filename(), copy, notCopied));
    if (error)
        return ioError("read the folder", run / inside, error.value());
    return {};
}

}  // namespace

Result<Repair> repairCopy(const fs::path& run, const fs::path& copy)
{
    std::error_code error;
    if (fs::symlink_status(copy, error).type() != fs::file_type::not_found)
        return Error{ErrorCode::InvalidArgument, copy.string() + " exists already"};
    const FilePlace journal = journalPlace(run);
    QS_TRY(const FileDescriptor lock, lockJournal(journal));
    QS_TRY(Selection selection, select(run));
    if (!needsRepair(selection.data.leftOut))
        return repairOf(selection, {});
    QS_RETURN_IF_ERROR(createFolders(copy));
    std::uint64_t notCopied = 0;
    for (const char* folder : {"inputs", "cells", "peers"})
        QS_RETURN_IF_ERROR(copyTree(run, folder, copy, notCopied));
    QS_TRY(AtomicFile written, AtomicFile::create(copy / kJournalName));
    QS_RETURN_IF_ERROR(writeSelected(journal, selection, written));
    QS_RETURN_IF_ERROR(written.commit());
    // The plan is last: with it, the folder is a run.
    for (const char* name : {"environment.json", "plan.json"})
        QS_RETURN_IF_ERROR(copyFile(FilePlace::inside(run, name), copy / name));
    // A courtesy: one that cannot be read stays behind.
    if (const auto label = readRunLabel(run); label.ok() && !label.value().isEmpty())
        QS_RETURN_IF_ERROR(writeRunLabel(copy, label.value()));
    Repair repair = repairOf(selection, copy);
    repair.notCopied = notCopied;
    return repair;
}

Result<Repair> repairInPlace(const fs::path& run)
{
    const FilePlace journal = journalPlace(run);
    QS_TRY(const FileDescriptor lock, lockJournal(journal));
    QS_TRY(Selection selection, select(run));
    if (!needsRepair(selection.data.leftOut))
        return repairOf(selection, {});
    QS_TRY(AtomicFile written, AtomicFile::create(FilePlace::inside(run, kJournalName)));
    QS_RETURN_IF_ERROR(writeSelected(journal, selection, written));
    // A second name for what is about to be replaced: at no moment is the run without a journal.
    const bool packed = journal.relative() == kPackedJournalName;
    const std::string ending = packed ? ".jsonl.gz" : ".jsonl";
    fs::path kept;
    for (int number = 1; kept.empty(); ++number) {
        const fs::path name = run / ("journal-damaged-" + std::to_string(number) + ending);
        if (::link(journal.path().c_str(), name.c_str()) == 0)
            kept = name;
        else if (errno != EEXIST)
            return ioError("keep the damaged journal as", name, errno);
    }
    QS_RETURN_IF_ERROR(written.commit());
    if (packed)
        QS_RETURN_IF_ERROR(removeFile(journal));
    Repair repair = repairOf(selection, run);
    repair.keptJournal = kept;
    return repair;
}

}  // namespace qs::core
