#include "tests/support/huge_model.h"

#include "core/model/catalogue.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <fstream>

namespace qs::tests {

std::optional<std::string> writeHugeModel(const std::filesystem::path& file)
{
    const auto opened = core::openModel("vitok:5B-f32x64", {}, 0);
    if (!opened.ok())
        return std::nullopt;
    nlohmann::json header = nlohmann::json::object();
    std::uint64_t end = 0;
    std::string last;
    for (const core::StageInfo& stage : opened.value().model.family->stages()) {
        for (const core::WeightSpec& spec : stage.weights) {
            const auto bytes = static_cast<std::uint64_t>(spec.elementCount()) * 2;
            header[spec.name] = {
                {"dtype", "BF16"}, {"shape", spec.shape}, {"data_offsets", {end, end + bytes}}};
            end += bytes;
            last = spec.name;
        }
    }
    end = header[last]["data_offsets"][0].get<std::uint64_t>();
    header.erase(last);
    const std::string text = header.dump();
    std::ofstream out(file, std::ios::binary);
    const std::uint64_t length = text.size();
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << text;
    out.close();
    std::filesystem::resize_file(file, sizeof(std::uint64_t) + text.size() + end);
    return out.good() ? std::optional(last) : std::nullopt;
}

}  // namespace qs::tests
