#pragma once

#include "core/image/picture.h"
#include "core/record/run_data.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "widgets/compare/loaded_pictures.h"

namespace qs::tests {

// A run folder with pictures as inputs and damaged copies of them as outputs. The
// reference is a little off the input; int8dq-none-b4 differs from it by weak noise everywhere and
// by strong noise in the square `kDamage`; int8dq-cuda-graph-b4 by weaker noise; fp32-none-b4
// equals it. All other cells have no files.
class ComparisonRun final
{
public:
    static constexpr int kSide = 192;
    static constexpr int kPictures = 4;
    // Left, top and side of the square where int8dq is worst.
    static constexpr int kDamageLeft = 96;
    static constexpr int kDamageTop = 32;
    static constexpr int kDamageSide = 64;

    explicit ComparisonRun(const SampleRunOptions& options = {});

    [[nodiscard]] const core::RunData& data() const { return m_data; }
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }
    [[nodiscard]] std::string reference() const { return sampleCellId("bf16", "none", 4); }
    [[nodiscard]] std::string a() const { return sampleCellId("int8dq", "none", 4); }
    [[nodiscard]] std::string b() const { return sampleCellId("int8dq", "cuda-graph", 4); }
    [[nodiscard]] std::string equal() const { return sampleCellId("fp32", "none", 4); }

    // For picture `index` with cells A and, if asked for, B.
    [[nodiscard]] widgets::PictureRequest request(int index = 0, bool withB = true) const;
    // The output of a cell as it was written, in [0, 1].
    [[nodiscard]] core::Picture output(const std::string& cell, int index = 0) const;

private:
    void writeCell(const std::string& cell, float noise, float damage);

    TestFolder m_folder;
    core::RunData m_data;
};

}  // namespace qs::tests
