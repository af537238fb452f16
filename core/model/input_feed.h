#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/stage_cut.h"
#include "core/model/workload.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace qs::core {

// How an input takes images: black and white become the ends of the range, then each channel loses
// its mean and is divided by its deviation.
struct ImageFeed {
    double black = 0.0;
    double white = 1.0;
    std::array<double, 3> mean{0.0, 0.0, 0.0};  // red, green, blue
    std::array<double, 3> deviation{1.0, 1.0, 1.0};
    bool blueFirst = false;     // BGR
    bool channelsLast = false;  // [B, H, W, 3]

    bool operator==(const ImageFeed&) const = default;
};

// Values of the generator. Whole numbers are spread evenly, both ends included.
struct RandomFeed {
    Distribution distribution = Distribution::Uniform;
    double lowest = 0.0;
    double highest = 1.0;
    double mean = 0.0;  // of a normal distribution
    double deviation = 1.0;

    bool operator==(const RandomFeed&) const = default;
};

// Samples along the first dimension: a .npy, a tensor of a .safetensors, or token ids: a .txt with
// a sample per line, or a .json with a list per sample.
struct FileFeed {
    std::string path;
    std::string tensor;  // of a .safetensors; empty: its only one

    bool operator==(const FileFeed&) const = default;
};

// The tokenizer of models whose tokens are the 256 bytes.
inline constexpr std::string_view kByteTokenizer = "bytes";

// Prompts of a .txt, one a line ("\n" and "\\" within are a line break and a backslash), or of a
// .jsonl (core/model/text/alpaca.h), as the ids of a tokenizer.json, or kByteTokenizer. Longer ones
// are cut at the end; shorter ones are filled up with `pad` in front, which the model reads as it
// reads the prompt, and are refused without it.
struct TextFeed {
    std::string path;
    std::string tokenizer;
    std::optional<std::int64_t> pad = std::nullopt;
    // All prompts one behind the other, cut into samples that are as long as the model takes them;
    // of a .txt the text as it stands. What is left at the end is dropped.
    bool pieces = false;
    // See Note [Own lengths] in core/model/text_feed.h.
    bool ownLengths = false;

    bool operator==(const TextFeed&) const = default;
};

using InputFeed = std::variant<ImageFeed, RandomFeed, FileFeed, TextFeed>;

// "images:range=0..1:mean=0.485,0.456,0.406:std=0.229,0.224,0.225:channels=bgr:layout=nhwc",
// "uniform:range=0..511", "normal:mean=0:std=1", "file:inputs.npy", "file:all.safetensors#x",
// "text:prompts.txt:tokenizer=tokenizer.json:pad=0", "text:book.txt:tokenizer=bytes:cut=pieces",
// "text:prompts.txt:tokenizer=tokenizer.json:length=own".
// What is not said is as above. Options stand in any order.
[[nodiscard]] Result<InputFeed> parseInputFeed(std::string_view text);
// The shortest text that means it.
[[nodiscard]] std::string inputFeedText(const InputFeed& feed);

// What the file of a model does not say of it, and nobody can guess.
struct ModelFeeding {
    std::map<std::string, InputFeed> inputs;  // by name; the others are generated
    std::optional<bool> trained;              // whether the weights are
    std::string judged;                       // the output that quality is told of; empty: as it is
    std::optional<OutputKind> outputKind;     // what that one holds
    std::vector<StageCut> stages;             // parts of a model of one stage; none: it stays one
    // A file with the class of each sample, a whole number from 0 a line; empty: not known.
    std::string labels;

    [[nodiscard]] bool empty() const;
    bool operator==(const ModelFeeding&) const = default;
};

// What shorter prompts are filled up with, where they are.
[[nodiscard]] std::optional<std::int64_t> padOf(const ModelFeeding& feeding);

// "inputs/feed_0.npy": the copy that a run keeps of the file of that input.
[[nodiscard]] std::string feedFileName(const ModelFeeding& feeding, const std::string& input);

// "inputs/feed_0.tokenizer.json": that of the tokenizer of an input that is fed with text.
[[nodiscard]] std::string feedTokenizerName(const ModelFeeding& feeding, const std::string& input);
// Files that an input is fed from.
[[nodiscard]] std::vector<std::string> feedPaths(const InputFeed& feed);

[[nodiscard]] Json toJson(const ModelFeeding& feeding);
[[nodiscard]] ModelFeeding modelFeedingFromJson(const Json& json, const std::string& path,
                                                std::vector<JsonIssue>& issues);

// "x=images:range=0..1", as on the command line.
[[nodiscard]] Status addInputFeed(ModelFeeding& feeding, std::string_view assignment);
// "encoder=model.encoder": a stage and the module that it begins with.
[[nodiscard]] Status addStageCut(ModelFeeding& feeding, std::string_view assignment);
// "output_1", or "output_1:classes".
[[nodiscard]] Status setJudgedOutput(ModelFeeding& feeding, std::string_view text);

}  // namespace qs::core
