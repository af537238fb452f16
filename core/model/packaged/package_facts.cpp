#include "core/model/packaged/package_facts.h"

#include "core/base/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace qs::core::packaged {

namespace {

constexpr int kFactsVersion = 1;
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kMostTensors = 1000;
constexpr std::int64_t kMostBatch = 1'000'000;

std::vector<DeclaredInput> readTensors(JsonFields& fields, const char* name,
                                       std::set<std::string>& taken)
{
    std::vector<DeclaredInput> tensors;
    for (const std::string& text : fields.textList(name)) {
        auto tensor = parseDeclaredInput(text);
        if (!tensor.ok())
            fields.complain(name, tensor.error().message);
        else if (tensor.value().name.empty() || !taken.insert(tensor.value().name).second)
            fields.complain(name, "each has a name of its own");
        else
            tensors.push_back(std::move(tensor.value()));
    }
    if (tensors.empty() || tensors.size() > kMostTensors)
        fields.complain(name, "there are 1 to " + std::to_string(kMostTensors));
    return tensors;
}

std::vector<std::string> textsOf(const std::vector<DeclaredInput>& tensors)
{
    std::vector<std::string> texts;
    for (const DeclaredInput& each : tensors)
        texts.push_back(toText(each));
    return texts;
}

}  // namespace

bool isHash(const std::string& text)
{
    return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
           });
}

bool PackageFacts::freeBatch() const
{
    return std::any_of(inputs.begin(), inputs.end(),
                       [](const DeclaredInput& each) { return each.batch.has_value(); });
}

std::filesystem::path factsFileOf(const std::filesystem::path& package)
{
    return std::filesystem::path(package).replace_extension(".package.json");
}

Result<PackageFacts> factsFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    static_cast<void>(fields.integer("schema_version", 0, kFactsVersion, kFactsVersion));
    PackageFacts facts;
    facts.sha256 = fields.text("sha256");
    if (!isHash(facts.sha256))
        fields.complain("sha256", "is no SHA-256");
    std::set<std::string> taken;
    facts.inputs = readTensors(fields, "inputs", taken);
    facts.outputs = readTensors(fields, "outputs", taken);
    facts.lowestBatch = fields.integer("lowest_batch", 1, 1, kMostBatch);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return facts;
}

Result<PackageFacts> readFacts(const std::filesystem::path& file)
{
    QS_TRY(const Json json, readJsonFile(file));
    auto facts = factsFromJson(json);
    return facts.ok() ? std::move(facts) : facts.error().within(file.string());
}

Status writeFacts(const PackageFacts& facts, const std::filesystem::path& file)
{
    const Json json{{"schema_version", kFactsVersion},
                    {"sha256", facts.sha256},
                    {"inputs", textsOf(facts.inputs)},
                    {"outputs", textsOf(facts.outputs)},
                    {"lowest_batch", facts.lowestBatch}};
    return writeFileAtomically(file, jsonText(json, 1) + "\n");
}

}  // namespace qs::core::packaged
