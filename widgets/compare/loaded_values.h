#pragma once

#include "core/model/text/tokenizer.h"
#include "core/model/workload.h"
#include "core/stats/histogram.h"
#include "core/stats/ranking.h"
#include "core/stats/token_agreement.h"
#include "widgets/compare/loaded_pictures.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace qs::widgets {

// Whose outputs are wanted, and how they are called.
struct ValueSource {
    OutputSource output;
    QString label = {};  // "A", "B", "1"; empty for the reference
    QString title = {};  // of the cell
    int kept = 0;        // samples that the run folder has of it

    bool operator==(const ValueSource&) const = default;
};

// Everything that decides what is shown of outputs that are not images.
struct ValuesRequest {
    std::filesystem::path runFolder;
    core::OutputKind kind = core::OutputKind::Tensor;
    int sample = 0;
    ValueSource reference;
    std::vector<ValueSource> cells;  // A first, unless that is the reference
    std::string tokenizer = {};      // below the run folder; empty: tokens are shown as ids
    std::optional<std::int64_t> pad = std::nullopt;  // in front of prompts that were too short

    bool operator==(const ValuesRequest&) const = default;
};

// Likeliest tokens or classes that are shown.
inline constexpr std::size_t kShownScores = 5;
inline constexpr std::size_t kShownDifferences = 10;

// How far the scores at one place of a text are from those of the reference.
struct PlaceDistance {
    double divergence = 0.0;     // in nats
    double maxDifference = 0.0;  // of a score
};

// One output of one cell, and how it differs from that of the reference.
struct CellValues {
    QString problem;  // why there are no values, in a sentence
    // Of scores, at the position that is shown.
    std::vector<core::RankedScore> best;
    std::optional<double> divergence;  // from the reference, in nats
    // Of each token up to the first that differs: later ones answer another text.
    std::vector<PlaceDistance> places;
    // What was generated after the prompt, or the likeliest at each position where nothing is;
    // empty where neither was kept.
    std::vector<std::int64_t> tokens;
    std::optional<core::TokenAgreement> agreement;
    // Of embeddings and tensors, against the reference.
    std::vector<core::ValueDifference> largest;
    std::vector<core::HistogramBin> differences;
};

struct LoadedValues {
    ValuesRequest request;
    std::vector<std::int64_t> shape;   // of the reference's output
    std::vector<std::int64_t> prompt;  // empty where there is none or it was not kept
    std::optional<core::Tokenizer> tokenizer;
    bool predicted = false;  // tokens are the likeliest at each position, not a generated text
    // Of scores: the one where the first cell is farthest from the reference, else the last.
    std::size_t position = 0;
    bool mostDifferent = false;  // it is where the first of the cells differs most
    std::size_t positions = 0;
    CellValues reference;
    std::vector<CellValues> cells;  // as in the request
};

// Reads the files of a request and compares them. Blocking: meant for a worker thread. Never fails
// as a whole; every missing part says why.
[[nodiscard]] LoadedValues loadValues(const ValuesRequest& request);

}  // namespace qs::widgets
