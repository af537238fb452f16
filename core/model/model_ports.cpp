#include "core/model/model_ports.h"

#include <set>

namespace qs::core {

namespace {

// "a.b.c" is in "a" and "a.b", too.
void addModules(const Graph& graph, std::set<std::string>& known, std::vector<std::string>& modules)
{
    for (const Node& node : graph.nodes) {
        for (std::size_t dot = 0; dot != std::string::npos && !node.module.empty();) {
            dot = node.module.find('.', dot == 0 ? 0 : dot + 1);
            const std::string module = node.module.substr(0, dot);
            if (known.insert(module).second)
                modules.push_back(module);
        }
    }
}

}  // namespace

const TensorType* typeIn(const std::map<std::string, TensorType>& types, const std::string& name)
{
    const auto found = types.find(name);
    return found == types.end() ? nullptr : &found->second;
}

Result<ModelPorts> portsNear(const ModelFamily& family, const Sizes& sizes)
{
    const ShapePoint smallest = family.workload().smallestShape();
    const ShapePoint shape{smallest.batch, family.workload().completed(sizes)};
    return portsOf(family, family.checkShape(shape).ok() ? shape : smallest);
}

Result<ModelPorts> portsOf(const ModelFamily& family, const ShapePoint& shape)
{
    ModelPorts ports;
    std::set<std::string> known;
    for (std::size_t stage = 0; stage < family.stages().size(); ++stage) {
        QS_TRY(const Graph graph, family.buildStage(stage, shape, DType::Float32));
        for (const ValueId id : graph.inputs)
            ports.inputs.emplace(graph.value(id).name, graph.value(id).type);
        for (const ValueId id : graph.outputs)
            ports.outputs.insert_or_assign(graph.value(id).name, graph.value(id).type);
        addModules(graph, known, ports.modules);
    }
    return ports;
}

}  // namespace qs::core
