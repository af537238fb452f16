#include "tests/support/golden_operations.h"

#include "core/base/files.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::tests {

namespace {

using core::ValueRef;
using nlohmann::json;

const json& golden()
{
    static const json content = json::parse(
        core::readTextFile(dataFile("golden/operations/operations.json"), 1U << 24U).value());
    return content;
}

core::DType dtypeOf(const json& text)
{
    return core::parseDType(text.get<std::string>()).value();
}

GoldenTensor tensorOf(const json& stored)
{
    GoldenTensor tensor;
    tensor.type = {dtypeOf(stored.at("dtype")),
                   stored.at("shape").get<std::vector<std::int64_t>>()};
    if (core::isFloating(tensor.type.dtype))
        tensor.values = stored.at("values").get<std::vector<float>>();
    else
        tensor.values = stored.at("values").get<std::vector<std::int64_t>>();
    return tensor;
}

// Tensors become inputs of the graph as they come up.
class CallWriter final
{
public:
    core::NamedArgument argument(const json& each)
    {
        const std::string name = each.at("name");
        const std::string kind = each.at("kind");
        if (kind == "none")
            return {name, std::monostate()};
        const json& value = each.at("value");
        if (kind == "tensor")
            return {name, input(value)};
        if (kind == "bool")
            return {name, value.get<bool>()};
        if (kind == "int")
            return {name, value.get<std::int64_t>()};
        if (kind == "float")
            return {name, value.get<double>()};
        if (kind == "text")
            return {name, value.get<std::string>()};
        if (kind == "dtype")
            return {name, dtypeOf(value)};
        if (kind == "ints")
            return {name, value.get<std::vector<std::int64_t>>()};
        if (kind == "floats")
            return {name, value.get<std::vector<double>>()};
        core::ValueRefs refs;
        for (const json& entry : value)
            refs.push_back(entry.is_null() ? ValueRef{} : input(entry));
        return {name, refs};
    }

    core::GraphBuilder builder;
    std::vector<GoldenTensor> inputs;

private:
    ValueRef input(const json& stored)
    {
        inputs.push_back(tensorOf(stored));
        return {builder.input("i" + std::to_string(inputs.size()), inputs.back().type)};
    }
};

}  // namespace

std::vector<GoldenSchema> goldenSchemas()
{
    std::vector<GoldenSchema> schemas;
    for (const auto& [name, schema] : golden().at("schemas").items())
        schemas.push_back({name, schema.at("mutates"), schema.at("aliases"),
                           schema.at("list").get<bool>(),
                           schema.at("arguments").get<std::vector<std::string>>()});
    return schemas;
}

std::vector<GoldenCall> goldenCalls()
{
    std::vector<GoldenCall> calls;
    for (const json& each : golden().at("cases")) {
        GoldenCall call;
        call.operation = each.at("operation");
        CallWriter writer;
        std::vector<core::NamedArgument> arguments;
        for (const json& argument : each.at("arguments"))
            arguments.push_back(writer.argument(argument));
        const auto results = writer.builder.call(call.operation, arguments);
        for (std::size_t i = 0; i < results.size() && !writer.builder.failed(); ++i)
            writer.builder.output(results[i], "y" + std::to_string(i));
        auto graph = writer.builder.finish();
        if (!graph.ok()) {
            ADD_FAILURE() << graph.error().message << "\n" << each.dump().substr(0, 400);
            continue;
        }
        call.graph = std::move(graph).value();
        call.inputs = std::move(writer.inputs);
        for (const json& result : each.at("results"))
            call.results.push_back(tensorOf(result));
        calls.push_back(std::move(call));
    }
    return calls;
}

}  // namespace qs::tests
