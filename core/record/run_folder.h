#pragma once

#include "core/record/journal/journal.h"
#include "core/record/run_data.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// Note [Run folder]
//   plan.json            the plan; replaced as a whole when cells are appended
//   environment.json     every environment that has added rows
//   journal.jsonl        rows, qualities, events; see journal.h
//   inputs/              pictures.npy (float32 [n, 3, H, W] in [-1, 1], one per image size), the
//   pictures as PNG, names.json cells/<id>/          output_<i>.npy and output_<i>.png of the first
//   round that was ok; a
//                        sub-folder for each further environment, see output_places.h
//   log.txt              what workers wrote

// A run folder open for writing, by one program at a time.
class RunFolder final
{
public:
    // Makes the folder and its plan; refuses a folder that already holds a run.
    [[nodiscard]] static Result<RunFolder> create(const std::filesystem::path& path,
                                                  const Plan& plan, const Environment& environment);
    // Opens one to go on with it. `data` receives what it holds; a torn tail of the journal is cut
    // off.
    [[nodiscard]] static Result<RunFolder> resume(const std::filesystem::path& path,
                                                  const Environment& environment, RunData& data);

    // A plan that has grown; the journal's rows stay valid.
    [[nodiscard]] Status replacePlan(const Plan& plan);
    [[nodiscard]] Status addMeasurement(const Measurement& row);
    [[nodiscard]] Status addQuality(const PictureQuality& quality);
    [[nodiscard]] Status addEvent(const RunEvent& event);
    [[nodiscard]] Status appendLog(const std::string& text);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // `place`: see outputPlace().
    [[nodiscard]] std::filesystem::path outputFolder(const std::string& place) const;
    [[nodiscard]] std::filesystem::path inputFolder() const { return m_path / "inputs"; }

private:
    RunFolder(std::filesystem::path path, Journal journal);

    std::filesystem::path m_path;
    Journal m_journal;
};

// Reads a run folder without changing anything, also one that another program is writing.
[[nodiscard]] Result<RunData> readRunFolder(const std::filesystem::path& path);

// The prepared input array of one image size: float32 [n, 3, H, W] in [-1, 1].
[[nodiscard]] std::filesystem::path inputArray(const std::filesystem::path& runFolder,
                                               std::int64_t imageSize);
// Where views find pictures; they exist only for cells that were ok. `place`: see outputPlace();
// the id of a cell is that of its first outputs.
[[nodiscard]] std::filesystem::path outputPicture(const std::filesystem::path& runFolder,
                                                  const std::string& place, int picture);
[[nodiscard]] std::filesystem::path outputArray(const std::filesystem::path& runFolder,
                                                const std::string& place, int picture);
[[nodiscard]] std::filesystem::path inputPicture(const std::filesystem::path& runFolder,
                                                 std::int64_t imageSize, int picture);

}  // namespace qs::core
