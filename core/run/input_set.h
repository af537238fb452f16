#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/run/input_cache.h"
#include "core/sweep/preset.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace qs::core {

// A picture of a run with the name that views show.
struct NamedInput {
    std::string name;
    Picture picture;                // square, values in [0, 1]
    std::optional<int> label = {};  // index of its class
};

// The same with the place of the shipped test images as the source, if it is those that are asked
// for.
[[nodiscard]] PictureSettings located(PictureSettings settings,
                                      const std::filesystem::path& resourceFolder);

// The pictures of a run at one size, from a folder or one file, made square as settings.crop says;
// at most settings.count. Made one after the other, because all of them may be
// more than fits into memory.
class InputSequence final
{
public:
    [[nodiscard]] static Result<InputSequence> open(const PictureSettings& settings,
                                                    std::int64_t size,
                                                    const InputCache& cache = InputCache(),
                                                    const std::stop_token& stop = {});

    // The next picture; nothing after the last. Files that cannot be used and those whose crop has
    // one colour alone are left out. An error if none is left at the end; Cancelled when stopped.
    [[nodiscard]] Result<std::optional<NamedInput>> next(const std::stop_token& stop = {});
    // All that are left, one after the other; `progressed`, if there is one, hears before each how
    // many of how many are done.
    [[nodiscard]] Status visit(const std::stop_token& stop,
                               const std::function<void(int done, int expected)>& progressed,
                               const std::function<Status(const NamedInput& input)>& take);
    // Names of the folders that the files lie in, where those are classes.
    [[nodiscard]] const std::vector<std::string>& classes() const { return m_classes; }
    // How many there are at most.
    [[nodiscard]] int expected() const;
    [[nodiscard]] int given() const { return m_given; }
    // "file.png: why it was left out", so far.
    [[nodiscard]] const std::vector<std::string>& skipped() const { return m_skipped; }
    // The names of these files alone, in the same order.
    [[nodiscard]] const std::vector<std::string>& skippedNames() const { return m_skippedNames; }

private:
    InputSequence(PictureSettings settings, int size, InputCache cache)
        : m_settings(std::move(settings)), m_size(size), m_cache(std::move(cache))
    {
    }

    void leaveOut(const std::filesystem::path& file, const std::string& why);

    PictureSettings m_settings;
    int m_size;
    InputCache m_cache;
    std::vector<std::filesystem::path> m_files;
    std::vector<std::string> m_classes;
    std::vector<int> m_labels;  // of the files; empty without classes
    std::size_t m_nextFile = 0;
    int m_given = 0;
    std::vector<std::string> m_skipped;
    std::vector<std::string> m_skippedNames;
};

// Planes of red, green, blue in [-1, 1], as models take them.
[[nodiscard]] std::vector<float> inModelRange(const Picture& picture);

// What a run knows of its pictures at one size.
struct PreparedInputs {
    std::vector<std::string> names;
    std::vector<std::string> skipped;  // "file.png: why it was left out"
};

// Writes the array that workers read (float32 [n, 3, size, size] in [-1, 1]), PNGs and names into
// the run folder, unless they are there already. `progressed` is told how many of how many are
// done. Cancelled when stopped; then the next call begins anew.
[[nodiscard]] Result<PreparedInputs>
prepareInputs(const std::filesystem::path& runFolder, const PictureSettings& settings,
              std::int64_t size, const InputCache& cache = InputCache(),
              const std::stop_token& stop = {},
              const std::function<void(int done, int expected)>& progressed = {});

}  // namespace qs::core
