// Programs made by hand; those of torch.export are run by tests/oracle/test_exported_networks.py.

#include "core/graph/exported/concrete_graph.h"

#include "core/base/json.h"
#include "core/graph/exported/program_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core::exported {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Json kBatch{
    {"as_expr", {{"expr_str", "Symbol('s0', integer=True)"}, {"hint", {{"as_int", 3}}}}}};

Json extent(std::int64_t number)
{
    return {{"as_int", number}};
}

Json tensor(const char* name)
{
    return {{"as_tensor", {{"name", name}}}};
}

// Two inputs x [batch, 4] and w [4, 4], which is a parameter.
class Program
{
public:
    Program() { describe("x", {kBatch, extent(4)}); }

    void describe(const char* name, const std::vector<Json>& sizes, int dtype = 7)
    {
        m_tensors[name] = {{"dtype", dtype}, {"sizes", sizes}};
    }
    void add(const char* target, std::vector<Json> inputs, std::vector<Json> outputs,
             const char* module = "layer")
    {
        m_nodes.push_back(
            {{"target", target},
             {"inputs", std::move(inputs)},
             {"outputs", std::move(outputs)},
             {"metadata", {{"nn_module_stack", std::string("k,,T;k,") + module + ",T"}}}});
    }
    [[nodiscard]] ExportedProgram parsed(const char* output) const
    {
        const auto program = parseProgram(json(output));
        EXPECT_TRUE(program.ok()) << program.error().message;
        return program.value();
    }
    [[nodiscard]] Json json(const char* output) const
    {
        const Json weight{
            {"parameter", {{"arg", {{"name", "w"}}}, {"parameter_name", "fc.weight"}}}};
        return {
            {"schema_version", {{"major", 8}, {"minor", 17}}},
            {"range_constraints", {{"s0", {{"min_val", 1}, {"max_val", 64}}}}},
            {"graph_module",
             {{"graph",
               {{"inputs", {tensor("w"), tensor("x")}},
                {"outputs", Json::array({tensor(output)})},
                {"nodes", m_nodes},
                {"tensor_values", m_tensors}}},
              {"signature",
               {{"input_specs", {weight, {{"user_input", {{"arg", tensor("x")}}}}}},
                {"output_specs", Json::array({{{"user_output", {{"arg", tensor(output)}}}}})}}}}}};
    }

private:
    Json m_nodes = Json::array();
    Json m_tensors = Json::object();
};

Json named(const char* name, Json value)
{
    return {{"name", name}, {"arg", std::move(value)}};
}

Result<Graph> concrete(const ExportedProgram& program, std::int64_t batch,
                       DType working = DType::Float32)
{
    const ProgramTensors tensors{{"fc.weight", {"fc.weight", {DType::Float32, {4, 4}}, true}}};
    const SymbolValues symbols{{"s0", batch}};
    return concreteGraph({program, tensors, DType::Float32, working, symbols});
}

std::vector<std::string> operations(const Graph& graph)
{
    std::vector<std::string> names;
    for (const Node& node : graph.nodes)
        names.push_back(node.operation->fullName());
    return names;
}

TEST(ConcreteGraph, SizesAreComputedAndVanish)
{
    Program program;
    program.add("torch.ops.aten.sym_size.int",
                {named("self", tensor("x")), named("dim", {{"as_int", 0}})},
                {{{"as_sym_int", {{"as_name", "n"}}}}});
    program.add("_operator.mul",
                {named("", {{"as_sym_int", {{"as_name", "n"}}}}), named("", {{"as_int", 2}})},
                {{{"as_sym_int", {{"as_name", "m"}}}}});
    program.add("torch.ops.aten.view.default",
                {named("self", tensor("x")),
                 named("size", {{"as_sym_ints", {{{"as_name", "m"}}, {{"as_int", -1}}}}})},
                {tensor("y")});
    program.add("torch.ops.aten._assert_scalar.default", {named("self", {{"as_bool", true}})}, {});
    const ExportedProgram parsed = program.parsed("y");
    EXPECT_EQ(parsed.examples.at("s0"), 3);
    for (const std::int64_t batch : {1, 5}) {
        const Graph graph = concrete(parsed, batch).value();
        EXPECT_THAT(operations(graph), ElementsAre("aten::view"));
        EXPECT_EQ(graph.value(graph.outputs[0]).type.shape,
                  (std::vector<std::int64_t>{batch * 2, 2}));
        EXPECT_EQ(graph.value(graph.outputs[0]).name, "output");
        EXPECT_EQ(graph.nodes[0].module, "layer");
    }
}

TEST(ConcreteGraph, LinearsThatWereTakenApartAreLayersAgain)
{
    for (const char* form : {"mm", "addmm", "matmul"}) {
        Program program;
        program.add("torch.ops.aten.permute.default",
                    {named("self", tensor("w")), named("dims", {{"as_ints", {1, 0}}})},
                    {tensor("t")});
        program.add("torch.ops.aten.ones.default",
                    {named("size", {{"as_ints", {4}}}),
                     named("device", {{"as_device", {{"type", "cuda"}, {"index", 0}}}}),
                     named("pin_memory", {{"as_bool", false}})},
                    {tensor("b")});
        const std::string name = form;
        std::vector<Json> arguments;
        if (name == "addmm")
            arguments = {named("self", tensor("b")), named("mat1", tensor("x"))};
        else
            arguments.push_back(named("self", tensor("x")));
        arguments.push_back(named(name == "matmul" ? "other" : "mat2", tensor("t")));
        program.add(("torch.ops.aten." + name + ".default").c_str(), arguments, {tensor("y")},
                    "fc");
        const Graph graph = concrete(program.parsed("y"), 2).value();
        EXPECT_THAT(operations(graph), ElementsAre("aten::ones", "aten::linear")) << form;
        EXPECT_EQ(graph.value(graph.nodes[1].tensor("weight")).name, "fc.weight");
        EXPECT_EQ(graph.nodes[1].tensor("bias") >= 0, name == "addmm");
        EXPECT_EQ(graph.nodes[0].find("device"), nullptr);
    }
}

// A transpose that somebody else reads is one.
TEST(ConcreteGraph, OtherReadersOfATransposedWeightGetIt)
{
    Program program;
    program.add("torch.ops.aten.t.default", {named("self", tensor("w"))}, {tensor("t")});
    program.add("torch.ops.aten.mm.default",
                {named("self", tensor("t")), named("mat2", tensor("t"))}, {tensor("y")});
    EXPECT_THAT(operations(concrete(program.parsed("y"), 2).value()),
                ElementsAre("aten::t", "aten::mm"));
}

TEST(ConcreteGraph, WhatIsWrittenToIsCopiedFirst)
{
    Program program;
    program.add("torch.ops.aten.select.int",
                {named("self", tensor("w")), named("dim", {{"as_int", 0}}),
                 named("index", {{"as_int", 1}})},
                {tensor("row")});
    program.add("torch.ops.aten.add_.Tensor",
                {named("self", tensor("row")), named("other", {{"as_int", 1}})},
                {tensor("written")});
    program.add("torch.ops.aten.mm.default",
                {named("self", tensor("x")), named("mat2", tensor("w"))}, {tensor("y")});
    const Graph graph = concrete(program.parsed("y"), 2).value();
    EXPECT_THAT(operations(graph),
                ElementsAre("aten::clone", "aten::select.int", "aten::add_.Scalar", "aten::mm"));
    EXPECT_EQ(graph.nodes[3].tensor("mat2"), graph.nodes[0].outputs[0]);
}

TEST(ConcreteGraph, PositionsStayInFloat32UntilTheyMeetAnActivation)
{
    Program program;
    program.add("torch.ops.aten.arange.default",
                {named("end", {{"as_int", 4}}), named("dtype", {{"as_scalar_type", 7}})},
                {tensor("p")});
    program.add("torch.ops.aten.cos.default", {named("self", tensor("p"))}, {tensor("c")});
    program.add("torch.ops.aten.mul.Tensor",
                {named("self", tensor("x")), named("other", tensor("c"))}, {tensor("y")});
    const Graph graph = concrete(program.parsed("y"), 2, DType::BFloat16).value();
    EXPECT_THAT(operations(graph),
                ElementsAre("aten::arange", "aten::cos", "aten::to.dtype", "aten::mul.Tensor"));
    EXPECT_EQ(graph.value(graph.nodes[1].outputs[0]).type.dtype, DType::Float32);
    EXPECT_EQ(graph.value(graph.outputs[0]).type.dtype, DType::BFloat16);
}

TEST(ConcreteGraph, StatedSizesAreChecked)
{
    Program program;
    program.describe("y", {kBatch, extent(5)});
    program.add("torch.ops.aten.relu.default", {named("self", tensor("x"))}, {tensor("y")}, "act");
    const auto graph = concrete(program.parsed("y"), 2);
    ASSERT_FALSE(graph.ok());
    EXPECT_THAT(graph.error().message, HasSubstr("torch.ops.aten.relu.default in act"));
}

TEST(ConcreteGraph, SizesThatCannotBeReadMatterForInputsAlone)
{
    const Json code{{"as_expr", {{"expr_str", "__import__('os').system('true')"}}}};
    Program program;
    program.describe("y", {code, extent(4)});
    program.add("torch.ops.aten.relu.default", {named("self", tensor("x"))}, {tensor("y")});
    EXPECT_TRUE(concrete(program.parsed("y"), 2).ok());
    program.describe("x", {code, extent(4)});
    const auto graph = concrete(program.parsed("y"), 2);
    ASSERT_FALSE(graph.ok());
    EXPECT_EQ(graph.error().code, ErrorCode::Unsupported);
}

TEST(ConcreteGraph, UnsupportedOperationsAreAllListed)
{
    Program program;
    program.add("torch.ops.aten.nonzero.default", {named("self", tensor("x"))}, {tensor("a")},
                "a.b");
    program.add("torch.ops.custom.thing.default", {named("self", tensor("x"))}, {tensor("b")}, "c");
    program.add("torch.ops.custom.thing.default", {named("self", tensor("x"))}, {tensor("d")}, "e");
    program.add("torch.ops.aten.relu.default", {named("self", tensor("x"))}, {tensor("y")});
    program.add("torch.ops.aten.from_file.default", {named("filename", {{"as_string", "f"}})},
                {tensor("z")});
    const auto all = unsupportedOperations(program.parsed("y").graph);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].target, "torch.ops.aten.from_file.default");
    EXPECT_EQ(all[1].target, "torch.ops.aten.nonzero.default");
    EXPECT_TRUE(all[1].dataDependent);
    EXPECT_EQ(all[2].module, "c");
    EXPECT_EQ(all[2].calls, 2U);
    EXPECT_FALSE(concrete(program.parsed("y"), 2).ok());
}

TEST(ConcreteGraph, DamagedProgramsAreErrors)
{
    const Program good;
    for (const char* path :
         {"/schema_version", "/range_constraints", "/graph_module", "/graph_module/graph",
          "/graph_module/graph/nodes", "/graph_module/graph/tensor_values",
          "/graph_module/signature/input_specs", "/graph_module/signature/output_specs"}) {
        Json json = good.json("x");
        const Json::json_pointer pointer(path);
        json[pointer.parent_pointer()].erase(pointer.back());
        EXPECT_FALSE(parseProgram(json).ok()) << path;
    }
    Json other = good.json("x");
    other["schema_version"]["major"] = 9;
    EXPECT_EQ(parseProgram(other).error().code, ErrorCode::Unsupported);
    // A node that reads what nobody makes.
    Program program;
    program.add("torch.ops.aten.relu.default", {named("self", tensor("nothing"))}, {tensor("y")});
    EXPECT_THAT(concrete(program.parsed("y"), 2).error().message,
                HasSubstr("before it is defined"));
}

// A graph that is inside itself cannot be written in JSON; one that is nested too deeply can.
TEST(ConcreteGraph, DeepNestingIsRefused)
{
    Json graph{{"inputs", Json::array()},
               {"outputs", Json::array()},
               {"nodes", Json::array()},
               {"tensor_values", Json::object()}};
    for (int i = 0; i < 20; ++i) {
        Json outer = graph;
        outer["nodes"] = {
            {{"target", "torch.ops.higher_order.wrap_with_set_grad_enabled"},
             {"inputs", {named("", {{"as_graph", {{"name", "g"}, {"graph", graph}}}})}},
             {"outputs", Json::array()}}};
        graph = outer;
    }
    Json json = Program().json("x");
    json["graph_module"]["graph"] = graph;
    const auto parsed = parseProgram(json);
    ASSERT_FALSE(parsed.ok());
    EXPECT_THAT(parsed.error().message, HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace qs::core::exported
