#include "core/base/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::HasSubstr;

struct Spec {
    std::string name;
    std::vector<Parameter> parameters;
};

Parameter word(std::string name, std::string fallback, std::vector<ParameterValue> choices)
{
    return {std::move(name), "", std::move(fallback), std::move(choices)};
}

Registry<Spec> registry()
{
    Parameter group{
        "group", "", std::int64_t{128}, {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}}};
    group.inName = true;
    return Registry<Spec>("thing",
                          {{"plain", {}},
                           {"gptq-int4",
                            {group,
                             word("order", "none", {std::string("none"), std::string("group")}),
                             {"damp", "", 0.01, {}, 0.0, 1.0},
                             {"block", "", std::int64_t{128}, {}, 1.0, 4096.0}}}});
}

std::string normal(std::string_view text)
{
    static const Registry<Spec> things = registry();
    const auto thing = things.parse(text);
    return thing.ok() ? thing.value().text() : "refused: " + thing.error().message;
}

TEST(Parameters, HaveOneText)
{
    EXPECT_EQ(normal("plain"), "plain");
    EXPECT_EQ(normal("gptq-int4"), "gptq-int4-128") << "what stands in the name is always written";
    EXPECT_EQ(normal("gptq-int4-64"), "gptq-int4-64");
    EXPECT_EQ(normal("gptq-int4-128:damp=0.05:order=group"), "gptq-int4-128:order=group:damp=0.05")
        << "in the order of the parameters";
    EXPECT_EQ(normal("gptq-int4-128:damp=0.01:order=none:block=128"), "gptq-int4-128")
        << "what is the fallback is left out";
    EXPECT_EQ(normal("gptq-int4-32:damp=5e-2"), "gptq-int4-32:damp=0.05");
}

TEST(Parameters, AreTyped)
{
    const Registry<Spec> things = registry();
    const auto thing = things.parse("gptq-int4-64:order=group:damp=1:block=7").value();
    EXPECT_EQ(thing.whole("group"), 64);
    EXPECT_EQ(thing.word("order"), "group");
    EXPECT_EQ(thing.real("damp"), 1.0);
    EXPECT_EQ(thing.whole("block"), 7);
    EXPECT_EQ(thing, things.parse("gptq-int4-64:block=7:damp=1.0:order=group").value());
    EXPECT_NE(thing, things.parse("gptq-int4-64:block=8:damp=1.0:order=group").value());
}

TEST(Parameters, AreRefusedWithWhatIsAllowed)
{
    const std::pair<const char*, const char*> cases[] = {
        {"", "known are plain, gptq-int4-128"},
        {"plain-64", "unknown thing \"plain-64\""},
        {"Plain", "unknown thing"},
        {"plain:", "it has none"},
        {"plain:a=1", "it has none"},
        {"gptq-int4-", "unknown thing"},
        {"gptq-int4-48", "32, 64, 128"},
        {"gptq-int4-0128x", "32, 64, 128"},
        {"gptq-int4-128:group=64", "order, damp, block"},
        {"gptq-int4-128:order", "order, damp, block"},
        {"gptq-int4-128:order=rows", "none, group"},
        {"gptq-int4-128:damp=nan", "a number from 0 to 1"},
        {"gptq-int4-128:damp=2", "a number from 0 to 1"},
        {"gptq-int4-128:block=1.5", "a number from 1 to 4096"},
        {"gptq-int4-128:block=99999999999999999999", "a number from 1 to 4096"},
        {"gptq-int4-128:damp=0.1:damp=0.2", "given twice"},
        {"gptq-int4-128::damp=0.1", "not one of its parameters"},
    };
    for (const auto& [text, why] : cases) {
        EXPECT_THAT(normal(text), HasSubstr("refused: ")) << text;
        EXPECT_THAT(normal(text), HasSubstr(why)) << text;
    }
    EXPECT_LT(normal("gptq-int4-128:" + std::string(100'000, 'x')).size(), 400U);
    EXPECT_LT(normal(std::string(100'000, 'x')).size(), 400U);
}

TEST(Registry, TakesWhatAProgramAdds)
{
    Registry<Spec> things = registry();
    const auto before = things.parse("plain").value();
    things.add({"toy", {}});
    EXPECT_EQ(things.specs().size(), 3U);
    EXPECT_EQ(things.parse("toy").value().text(), "toy");
    EXPECT_EQ(before.text(), "plain") << "what was parsed before stays valid";
    EXPECT_DEATH(things.add({"toy", {}}), "none_of");
}

}  // namespace
}  // namespace qs::core
