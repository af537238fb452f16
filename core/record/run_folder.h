#pragma once

#include "core/base/files.h"
#include "core/record/journal/journal.h"
#include "core/record/kept_files.h"
#include "core/record/output_quality.h"
#include "core/record/run_data.h"
#include "core/record/run_records.h"

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// Note [Run folder]
//   plan.json            the plan; replaced as a whole when cells are appended
//   environment.json     every environment that has added rows
//   journal.jsonl        rows, qualities, events; see journal.h
//   inputs/              pictures.npy (float32 [n, 3, H, W] in [-1, 1], one per image size), the
//                        pictures as PNG, names.json, labels.json where they have classes
//   cells/<id>/          output_<i>.npy and output_<i>.png of the first round that was ok; a
//                        sub-folder for each further environment, see output_places.h; layers.json
//                        of one cell for each choice of weights, see layer_reports.h
//   log.txt              what workers wrote, line by line
//   label.json           what the user calls the run; see run_label.h
//   peers/               what other programs measured of the same; see reference_results.h
//
// A run folder may come from anybody: none of these may be a link or anything but a regular file or
// a folder, and all of its texts are cleaned when they are read, see Note [Clean text].

// A run folder open for writing, by one program at a time.
class RunFolder final
{
public:
    // Makes the folder and its plan; refuses one that holds a run or anything else already.
    [[nodiscard]] static Result<RunFolder> create(const std::filesystem::path& path,
                                                  const Plan& plan, const Environment& environment);
    // Opens one to go on with it. `data` receives what it holds; a torn tail of the journal is cut
    // off. Cancelled when stopped, which changes nothing.
    [[nodiscard]] static Result<RunFolder> resume(const std::filesystem::path& path,
                                                  const Environment& environment, RunData& data,
                                                  const std::stop_token& stop = {});

    // A plan that has grown; the journal's rows stay valid.
    [[nodiscard]] Status replacePlan(const Plan& plan);
    [[nodiscard]] Status addMeasurement(const Measurement& row);
    // In their order; those of the same cells that follow each other as one record.
    [[nodiscard]] Status addQualities(std::span<const OutputQuality> qualities);
    [[nodiscard]] Status addEvent(const RunEvent& event);
    // One line, whatever is in it.
    [[nodiscard]] Status appendLog(const std::string& line);

    // A file of the run that nobody may change from now on, such as its prepared inputs.
    [[nodiscard]] Status keep(const FilePlace& file) { return m_kept.keep(file); }
    // Io if the folder, its journal, its plan or a file that is kept was removed, moved or replaced
    // since it was opened: whatever is written now would go to another place, or nowhere.
    [[nodiscard]] Status checkInPlace() const;
    // Of a run that create() made and that could not begin: its folder is free for another one.
    void remove() const;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // `place`: see outputPlace().
    [[nodiscard]] FilePlace outputFolder(const std::string& place) const;

private:
    RunFolder(std::filesystem::path path, Journal journal, FileDescriptor place)
        : m_path(std::move(path)), m_journal(std::move(journal)), m_place(std::move(place))
    {
    }
    [[nodiscard]] static Result<RunFolder> opened(const std::filesystem::path& path,
                                                  Journal journal);

    std::filesystem::path m_path;
    Journal m_journal;
    FileDescriptor m_place;  // the folder itself, whatever its name is by now
    KeptFiles m_kept;
};

// Reads a run folder without changing anything, also one that another program is writing. What
// cannot be read of the journal is counted in RunData::leftOut. `told` hears what becomes of each
// record.
[[nodiscard]] Result<RunData> readRunFolder(const std::filesystem::path& path,
                                            const std::function<void(RecordFate)>& told = {});

// Where the rows of a run are when it has been read: a hundred thousand take half a gigabyte.
enum class RowPlace { InMemory, InJournal };

// The same; each row that counts is shown to `rows`.
[[nodiscard]] Result<RunData> scanRunFolder(const std::filesystem::path& path,
                                            const RowParser& rows,
                                            RowPlace place = RowPlace::InJournal);
// Once more the first `count` rows of a folder that was scanned. Io if there are fewer by now.
[[nodiscard]] Status scanRows(const std::filesystem::path& path, std::size_t count,
                              const RowParser& rows);

// The plan alone, of a folder that need not be readable otherwise.
[[nodiscard]] Result<Plan> readRunPlan(const std::filesystem::path& path);

// Where the files of a run lie: no link is followed on the way to them.
[[nodiscard]] FilePlace pictureNamesFile(const std::filesystem::path& runFolder);
// The prepared input array of one image size: float32 [n, 3, H, W] in [-1, 1].
[[nodiscard]] FilePlace inputArray(const std::filesystem::path& runFolder, std::int64_t imageSize);
// Where views find pictures; they exist only for cells that were ok. `place`: see outputPlace();
// the id of a cell is that of its first outputs.
[[nodiscard]] FilePlace outputPicture(const std::filesystem::path& runFolder,
                                      const std::string& place, int picture);
[[nodiscard]] FilePlace outputArray(const std::filesystem::path& runFolder,
                                    const std::string& place, int picture);
[[nodiscard]] FilePlace inputPicture(const std::filesystem::path& runFolder, std::int64_t imageSize,
                                     int picture);

}  // namespace qs::core
