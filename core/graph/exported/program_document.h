#pragma once

#include "core/graph/graph.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace qs::core::exported {

// A graph as the JSON of torch.export's archives. The graph must outlive it.
class ProgramDocument final
{
public:
    // `constantsAsBuffers`: see ProgramToWrite.
    ProgramDocument(const Graph& graph, std::string_view device, bool constantsAsBuffers = false);
    ~ProgramDocument();
    ProgramDocument(const ProgramDocument&) = delete;
    ProgramDocument& operator=(const ProgramDocument&) = delete;

    // The whole of models/model.json.
    [[nodiscard]] nlohmann::json program() const;
    // Type and place of a tensor, dense and row-major.
    [[nodiscard]] nlohmann::json tensorMeta(const TensorType& type) const;
    // What the value is called there.
    [[nodiscard]] const std::string& nameOf(ValueId id) const;

private:
    // Parameters, states and constants stand before the inputs.
    [[nodiscard]] std::vector<ValueId> placeholders() const;
    [[nodiscard]] nlohmann::json graph() const;
    [[nodiscard]] nlohmann::json node(const Node& node) const;
    [[nodiscard]] nlohmann::json argument(const Argument& argument) const;
    [[nodiscard]] nlohmann::json inputSpec(ValueId id) const;
    [[nodiscard]] nlohmann::json signature() const;
    [[nodiscard]] nlohmann::json rootCall() const;

    const Graph& m_graph;
    nlohmann::json m_device;
    bool m_constantsAsBuffers;
    std::vector<std::string> m_names;
};

}  // namespace qs::core::exported
