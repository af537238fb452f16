#include "core/record/run_folder.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/format.h"
#include "core/base/still_named.h"
#include "core/base/stop.h"
#include "core/record/environment_file.h"
#include "core/record/journal/journal_place.h"
#include "core/record/output_places.h"
#include "core/record/run_folder_check.h"
#include "core/record/run_records.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <span>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// About twenty thousand cells. Larger ones are not written either.
constexpr JsonLimits kPlanLimits{.bytes = std::size_t{16} << 20U,
                                 .depth = 32,
                                 .nodes = 1'000'000,
                                 .stringBytes = std::size_t{64} << 10U};

// Comparisons in one record: it stays small, whatever was compared.
constexpr std::size_t kMostTogether = 1000;

FilePlace planFile(const fs::path& folder)
{
    return FilePlace::inside(folder, "plan.json");
}

FilePlace environmentFile(const fs::path& folder)
{
    return FilePlace::inside(folder, "environment.json");
}

Error alreadyARun(const fs::path& folder)
{
    return {ErrorCode::InvalidArgument,
            folder.string() + " already holds a run; resume it or choose another folder"};
}

Result<std::string> planText(const Plan& plan)
{
    std::string text = jsonText(toJson(plan), 1) + "\n";
    if (text.size() > kPlanLimits.bytes)
        return Error{ErrorCode::InvalidArgument,
                     "a plan of " + std::to_string(plan.cells.size()) + " cells takes " +
                         formatBytes(static_cast<double>(text.size())) + ", and " +
                         formatBytes(static_cast<double>(kPlanLimits.bytes)) +
                         " is the limit; divide it into several sweeps"};
    return text;
}

Status writePlan(const fs::path& folder, const Plan& plan)
{
    QS_TRY(const std::string text, planText(plan));
    return writeFileAtomically(planFile(folder), text);
}

Result<Plan> readPlan(const fs::path& folder)
{
    const FilePlace file = planFile(folder);
    if (!isThere(file))
        return Error{ErrorCode::NotFound, folder.string() + " is not a run folder: no plan.json"};
    QS_TRY(const ParsedJson json, parseJsonFile(file, kPlanLimits));
    auto plan = planFromJson(json.root());
    if (!plan.ok())
        return plan.error().within(file.string());
    for (const PlannedCell& cell : plan.value().cells) {
        for (const std::string& id :
             {cell.id, cell.referenceId.empty() ? cell.id : cell.referenceId}) {
            if (!isSafeCellId(id))
                return Error{ErrorCode::Format,
                             file.string() + ": \"" + id + "\" is not a valid cell id"};
        }
    }
    return plan;
}

// Names are a courtesy: without them views count the pictures.
void readPictureNames(const fs::path& folder, RunData& data, RunRecordReader& records)
{
    const FilePlace file = pictureNamesFile(folder);
    if (!isThere(file))
        return;
    const auto json = readJsonFile(file);
    const bool isList = json.ok() && json.value().is_array() &&
                        std::all_of(json.value().begin(), json.value().end(),
                                    [](const Json& each) { return each.is_string(); });
    if (isList)
        data.pictureNames = json.value().get<std::vector<std::string>>();
    else
        records.note(
            {NoteCode::ImageNamesUnreadable,
             {json.ok() ? file.string() + ": not a list of strings" : json.error().message}});
}

// All that is not in the journal.
Status readAround(const fs::path& folder, RunData& data, RunRecordReader& records)
{
    data.folder = folder;
    QS_TRY(data.plan, readPlan(folder));
    QS_TRY(data.environments, readEnvironments(environmentFile(folder)));
    readPictureNames(folder, data, records);
    return {};
}

// Absolute, and without a slash at the end, so that the parent is the parent.
Result<fs::path> normalized(const fs::path& path)
{
    if (path.empty())
        return Error{ErrorCode::InvalidArgument, "the name of the run folder is empty"};
    std::error_code code;
    const fs::path folder = fs::absolute(path, code).lexically_normal();
    if (code)
        return ioError("find", path, code.value());
    return folder.has_filename() ? folder : folder.parent_path();
}

Status readInto(RunData& data, const fs::path& path, RunRecordReader& records,
                const std::function<void(RecordFate)>& told)
{
    QS_TRY(const fs::path folder, normalized(path));
    if (!isThere(planFile(folder)))
        return Error{ErrorCode::NotFound, folder.string() + " is not a run folder: no plan.json"};
    QS_TRY(const JournalEnd end, readRecords(journalPlace(folder), records.parser(told)));
    // After the journal: a program that resumes the run adds its environment before its first row.
    QS_RETURN_IF_ERROR(readAround(folder, data, records));
    records.finish(end.damage, end.tornBytes);
    return {};
}

// A damaged journal may still be read; to go on with it there must be no doubt what was measured.
Error withCure(Error error, const fs::path& folder)
{
    if (error.code == ErrorCode::Format)
        error.message += "; \"quantscope-cli repair " + folder.string() +
                         "\" makes a copy of the run that can be resumed";
    return error;
}

// A folder that is written into: workers and plans are told its name in JSON.
Result<fs::path> writable(const fs::path& path)
{
    QS_TRY(fs::path folder, normalized(path));
    if (cleanLine(folder.string()) != folder.string())
        return Error{ErrorCode::InvalidArgument,
                     cleanLine(folder.string()) +
                         ": the name of a run folder must be UTF-8 without control characters"};
    return folder;
}

FilePlace numbered(const fs::path& runFolder, const fs::path& folder, const std::string& stem,
                   int picture, const char* extension)
{
    return FilePlace::inside(runFolder,
                             folder / (stem + "_" + std::to_string(picture) + extension));
}

}  // namespace

Result<RunFolder> RunFolder::opened(const fs::path& path, Journal journal)
{
    FileDescriptor place(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!place.valid())
        return ioError("open", path, errno);
    RunFolder folder(path, std::move(journal), std::move(place));
    for (const FilePlace& file : {planFile(path), environmentFile(path)})
        QS_RETURN_IF_ERROR(folder.keep(file));
    return folder;
}

Status RunFolder::checkInPlace() const
{
    if (!stillNamed(m_place, m_path))
        return Error{ErrorCode::Io, "the run folder " + m_path.string() +
                                        " was removed, moved or replaced during the run; the "
                                        "measured rows are in the old folder"};
    QS_RETURN_IF_ERROR(m_journal.checkInPlace());
    const FilePlace cells = FilePlace::inside(m_path, "cells");
    if (!isThere(cells))
        return Error{ErrorCode::Io, cells.string() + " was removed during the run"};
    return m_kept.check();
}

Result<RunFolder> RunFolder::create(const fs::path& path, const Plan& plan,
                                    const Environment& environment)
{
    QS_TRY(const fs::path folder, writable(path));
    QS_TRY(const std::string plannedText, planText(plan));
    QS_RETURN_IF_ERROR(createFolders(folder));
    if (isThere(planFile(folder)))
        return alreadyARun(folder);
    QS_RETURN_IF_ERROR(checkFree(folder));
    for (const char* part : {"inputs", "cells"})
        QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(folder, part)));
    QS_TRY(Journal journal, Journal::open(FilePlace::inside(folder, kJournalName)));
    // Once more under the lock: another program may have been faster.
    if (isThere(planFile(folder)) || journal.records() > 0)
        return alreadyARun(folder);
    QS_RETURN_IF_ERROR(writeEnvironments(environmentFile(folder), {environment}));
    // The plan is last: with it, the folder is a run.
    QS_RETURN_IF_ERROR(writeFileAtomically(planFile(folder), plannedText));
    QS_RETURN_IF_ERROR(syncFolder(folder.parent_path()));
    return opened(folder, std::move(journal));
}

Result<RunFolder> RunFolder::resume(const fs::path& path, const Environment& environment,
                                    RunData& data, const std::stop_token& stop)
{
    QS_TRY(const fs::path folder, writable(path));
    // Before the journal is opened, because that would create one.
    for (const FilePlace& file : {planFile(folder), journalPlace(folder)}) {
        if (!isThere(file))
            return Error{ErrorCode::NotFound,
                         folder.string() + " is not a run folder: no " + file.relative().string()};
    }
    if (const Status status = unpackJournal(folder); !status.ok())
        return withCure(status.error(), folder);
    data = RunData();
    RunRecordReader records(data, RunRecordReader::Unreadable::Fail);
    Result<Journal> read =
        Journal::open(FilePlace::inside(folder, kJournalName), records.parser({}, stop));
    if (!read.ok())
        return withCure(read.error(), folder);
    Journal journal = std::move(read).value();
    QS_RETURN_IF_ERROR(readAround(folder, data, records));
    if (journal.droppedBytes() > 0)
        records.note({NoteCode::RecordCutOff, {static_cast<double>(journal.droppedBytes())}});
    records.finish({}, 0);
    if (data.environment(environment.id()) == nullptr) {
        data.environments.push_back(environment);
        QS_RETURN_IF_ERROR(writeEnvironments(environmentFile(folder), data.environments));
    }
    return opened(folder, std::move(journal));
}

void RunFolder::remove() const
{
    std::error_code ignored;
    if (checkInPlace().ok())
        fs::remove_all(m_path, ignored);
}

Status RunFolder::replacePlan(const Plan& plan)
{
    QS_RETURN_IF_ERROR(writePlan(m_path, plan));
    return keep(planFile(m_path));
}

Status RunFolder::addMeasurement(const Measurement& row)
{
    const bool hasFiles =
        std::any_of(row.result.outputs.begin(), row.result.outputs.end(),
                    [](const OutputRecord& output) { return !output.file.empty(); });
    // The row says that the files are there, so their names must be on the disk first.
    const std::string subfolder = environmentSubfolder(row.environmentId);
    for (const FilePlace& each : {outputFolder(outputPlace(row.cellId, subfolder)),
                                  outputFolder(row.cellId), FilePlace::inside(m_path, "cells")}) {
        if (hasFiles && isThere(each))
            QS_RETURN_IF_ERROR(syncFolder(each));
    }
    return m_journal.append(rowRecord(row));
}

Status RunFolder::addQualities(std::span<const OutputQuality> qualities)
{
    while (!qualities.empty()) {
        std::size_t together = 1;
        while (together < std::min(qualities.size(), kMostTogether) &&
               haveSameCells(qualities.front(), qualities[together]))
            ++together;
        QS_RETURN_IF_ERROR(m_journal.append(qualityRecord(qualities.first(together))));
        qualities = qualities.subspan(together);
    }
    return {};
}

Status RunFolder::addEvent(const RunEvent& event)
{
    return m_journal.append(eventRecord(event));
}

Status RunFolder::appendLog(const std::string& line)
{
    const FilePlace file = FilePlace::inside(m_path, "log.txt");
    QS_TRY(const FileDescriptor log, openForAppending(file));
    const std::string text = cleanLine(line) + "\n";
    return writeFully(log, std::as_bytes(std::span(text.data(), text.size())), file.path());
}

FilePlace RunFolder::outputFolder(const std::string& place) const
{
    return FilePlace::inside(m_path, fs::path("cells") / place);
}

Result<RunData> readRunFolder(const fs::path& path, const std::function<void(RecordFate)>& told)
{
    RunData data;
    RunRecordReader records(data, RunRecordReader::Unreadable::LeaveOut);
    QS_RETURN_IF_ERROR(readInto(data, path, records, told));
    return data;
}

Result<RunData> scanRunFolder(const fs::path& path, const RowParser& rows, RowPlace place)
{
    RunData data;
    RunRecordReader records(data, RunRecordReader::Unreadable::LeaveOut, rows,
                            place == RowPlace::InMemory);
    QS_RETURN_IF_ERROR(readInto(data, path, records, {}));
    return data;
}

Status scanRows(const fs::path& path, std::size_t count, const RowParser& rows)
{
    QS_TRY(const fs::path folder, normalized(path));
    KnownRows known;
    std::size_t taken = 0;
    const RecordParser parser = [&](const JournalRecord& record) -> RecordTaker {
        if (typeOf(record) != "row")
            return ignoreRecord(record);
        auto row = rowFromRecord(record);
        if (!row.ok())
            return ignoreRecord(record);
        return [&, fingerprint = fingerprintOf(record), take = rows(row.value()),
                row = outlineOf(std::move(row).value())]() -> Status {
            if (taken == count || known.add(row, fingerprint) != RecordFate::Taken)
                return {};
            ++taken;
            return take(row);
        };
    };
    QS_TRY(const JournalEnd end, readRecords(journalPlace(folder), parser));
    if (taken < count)
        return Error{ErrorCode::Io, journalPlace(folder).string() + " lost rows in the meantime: " +
                                        std::to_string(end.records) + " records are left"};
    return {};
}

Result<Plan> readRunPlan(const fs::path& path)
{
    QS_TRY(const fs::path folder, normalized(path));
    return readPlan(folder);
}

FilePlace pictureNamesFile(const fs::path& runFolder)
{
    return FilePlace::inside(runFolder, "inputs/names.json");
}

FilePlace inputArray(const fs::path& runFolder, std::int64_t imageSize)
{
    return FilePlace::inside(runFolder, "inputs/pictures_" + std::to_string(imageSize) + ".npy");
}

FilePlace outputPicture(const fs::path& runFolder, const std::string& place, int picture)
{
    return numbered(runFolder, fs::path("cells") / place, "output", picture, ".png");
}

FilePlace outputArray(const fs::path& runFolder, const std::string& place, int picture)
{
    return numbered(runFolder, fs::path("cells") / place, "output", picture, ".npy");
}

FilePlace inputPicture(const fs::path& runFolder, std::int64_t imageSize, int picture)
{
    return numbered(runFolder, "inputs", "picture_" + std::to_string(imageSize), picture, ".png");
}

}  // namespace qs::core
