#include "core/model/catalogue.h"
#include "core/model/family_registry.h"
#include "core/model/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;

TEST(Sizes, AreSortedByNameWhateverTheOrder)
{
    Sizes sizes{{"tokens", 4}, {"image_size", 32}};
    sizes.set("steps", 2);
    sizes.set("tokens", 8);
    std::vector<std::string> names;
    for (const NamedSize& size : sizes)
        names.push_back(size.name);
    EXPECT_THAT(names, ElementsAre("image_size", "steps", "tokens"));
    EXPECT_EQ(sizes, (Sizes{{"steps", 2}, {"image_size", 32}, {"tokens", 8}}));
    EXPECT_EQ(sizes.find("tokens"), 8);
    EXPECT_EQ(sizes.find("depth"), std::nullopt);
    EXPECT_EQ(sizes.at("steps"), 2);
    EXPECT_DEATH((void)sizes.at("depth"), "found.has_value");
    sizes.remove("steps");
    EXPECT_EQ(sizes.find("steps"), std::nullopt);
    EXPECT_LT((Sizes{{"tokens", 4}}), (Sizes{{"tokens", 5}}));
}

TEST(Workloads, CompleteTheSizesOfTheModelAndDropOthers)
{
    Workload workload;
    workload.sizes = {{.name = "tokens", .fallback = 128, .smallest = 2},
                      {.name = "steps", .fallback = 4}};
    EXPECT_EQ(workload.completed({{"image_size", 256}, {"steps", 9}}),
              (Sizes{{"tokens", 128}, {"steps", 9}}));
    EXPECT_EQ(workload.smallestShape().sizes, (Sizes{{"tokens", 2}, {"steps", 1}}));
    EXPECT_EQ(workload.smallestShape().batch, 1);
    // One that is off unless it is asked for leaves other cells as they are.
    workload.sizes.push_back({.name = "window", .fallback = 0, .smallest = 0, .least = 0});
    EXPECT_EQ(workload.completed({{"steps", 9}}), (Sizes{{"tokens", 128}, {"steps", 9}}));
    EXPECT_EQ(workload.completed({{"window", 0}}).find("window"), 0);
    EXPECT_EQ(workload.completed({{"window", 8}}).find("window"), 8);
    EXPECT_EQ(workload.findSize("image_size"), nullptr);
}

TEST(Families, AreRegisteredWithAllThatIsAskedOfThem)
{
    std::set<std::string> names;
    for (const FamilySpec& family : familyRegistry().specs()) {
        names.insert(family.name);
        EXPECT_FALSE(family.description.empty()) << family.name;
        // What was quantized has the sizes of the family that it was.
        EXPECT_EQ(family.sizes.empty(), family.name == "quantized" || family.name == "package")
            << family.name;
        for (const std::string& variant : family.variants) {
            const auto opened = openModel(family.name + ":" + variant, "", 7);
            ASSERT_TRUE(opened.ok()) << opened.error().message;
            const ModelFamily& model = *opened.value().model.family;
            std::vector<std::string> stages;
            for (const StageInfo& stage : model.stages())
                stages.push_back(stage.name);
            EXPECT_EQ(stages, family.stages);
            EXPECT_FALSE(model.workload().judgedOutput().name.empty());
            for (const SizeSpec& size : model.workload().sizes)
                EXPECT_THAT(family.sizes, Contains(Field(&SizeSpec::name, size.name)));
            EXPECT_EQ(opened.value().model.reference, family.name + ":" + variant);
            EXPECT_FALSE(isModelPath(opened.value().model.reference));
        }
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"vitok", "resnet", "llama", "olmoearth"}));
}

// The graphs of every variant, at its smallest shape: outputs and inputs are those of the workload.
TEST(Families, KeepTheWordsOfTheirWorkloads)
{
    for (const char* reference :
         {"vitok:w64_d1_h2-w48_d2_h3/1x8x16", "resnet:10/7", "llama:w32_d2_h4_k2_f48_v80",
          "llama:w32_d1_h4_f48_v80_tied", "olmoearth:w32_d1_h2", "olmoearth:nano/s2+s1+landsat"}) {
        const Model model = openModel(reference, "", 7).value().model;
        const Workload& workload = model.family->workload();
        std::set<std::string> produced;
        std::set<std::string> needed;
        for (std::size_t stage = 0; stage < model.family->stages().size(); ++stage) {
            const auto graph =
                model.family->buildStage(stage, workload.smallestShape(), DType::BFloat16);
            ASSERT_TRUE(graph.ok()) << graph.error().message;
            for (const ValueId id : graph.value().inputs) {
                if (!produced.contains(graph.value().value(id).name))
                    needed.insert(graph.value().value(id).name);
            }
            for (const ValueId id : graph.value().outputs)
                produced.insert(graph.value().value(id).name);
            // Every weight is declared, and every declared one is read.
            std::set<std::string> read;
            for (const Value& value : graph.value().values) {
                if (value.kind == ValueKind::Weight)
                    read.insert(value.name);
            }
            std::set<std::string> declared;
            for (const WeightSpec& weight : model.family->stages()[stage].weights)
                declared.insert(weight.name);
            EXPECT_EQ(read, declared) << reference << " stage " << stage;
        }
        for (const OutputSpec& output : workload.outputs)
            EXPECT_TRUE(produced.contains(output.name)) << reference << " " << output.name;
        std::set<std::string> inputs;
        for (const InputSpec& input : workload.inputs)
            inputs.insert(input.name);
        EXPECT_EQ(needed, inputs) << reference;
    }
}

TEST(Sizes, ThatAreOffAreNotNamed)
{
    EXPECT_EQ(sizesText({{"image_size", 64}, {"image_height", 0}, {"attention_window", 8}}),
              "8 tokens each way, 64 px");
}

}  // namespace
}  // namespace qs::core
