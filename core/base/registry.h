#pragma once

#include "core/base/parameters.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qs::core {

// One entry of a registry with its parameters set: what a text such as "int4wo-64" means. `Spec`
// has `name` and `parameters`; it lives as long as the program, so that this is a plain value.
template <typename Spec>
class Parameterised final
{
public:
    explicit Parameterised(const Spec& spec) : Parameterised(spec, fallbacks(spec.parameters)) {}
    Parameterised(const Spec& spec, ParameterValues values)
        : m_spec(&spec), m_values(std::move(values))
    {
    }

    [[nodiscard]] const Spec& spec() const { return *m_spec; }
    const Spec* operator->() const { return m_spec; }
    // The one way to write it: in ids, files, on the command line and in editors.
    [[nodiscard]] std::string text() const
    {
        return formatParameters(m_spec->name, m_spec->parameters, m_values);
    }

    // Of a parameter that the spec has, of that type.
    [[nodiscard]] std::int64_t whole(std::string_view parameter) const
    {
        return std::get<std::int64_t>(value(parameter));
    }
    [[nodiscard]] double real(std::string_view parameter) const
    {
        return std::get<double>(value(parameter));
    }
    [[nodiscard]] const std::string& word(std::string_view parameter) const
    {
        return std::get<std::string>(value(parameter));
    }

    bool operator==(const Parameterised&) const = default;

private:
    [[nodiscard]] const ParameterValue& value(std::string_view parameter) const
    {
        const auto found =
            std::find_if(m_spec->parameters.begin(), m_spec->parameters.end(),
                         [&](const Parameter& each) { return each.name == parameter; });
        QS_ASSERT(found != m_spec->parameters.end());
        return m_values[static_cast<std::size_t>(found - m_spec->parameters.begin())];
    }

    const Spec* m_spec;
    ParameterValues m_values;
};

// The known things of one kind, in the order in which lists show them. Filled before the first use
// from a second thread: what a program adds of its own, it adds at its start.
template <typename Spec>
class Registry final
{
public:
    // `noun` stands in errors: "precision scheme".
    Registry(std::string noun, std::vector<Spec> builtIn) : m_noun(std::move(noun))
    {
        for (Spec& spec : builtIn)
            add(std::move(spec));
    }

    void add(Spec spec)
    {
        QS_ASSERT(std::none_of(m_specs.begin(), m_specs.end(),
                               [&](const Spec& each) { return each.name == spec.name; }));
        m_specs.push_back(std::move(spec));
    }

    [[nodiscard]] const std::deque<Spec>& specs() const { return m_specs; }

    // The error lists the known names, or the parameters of the one that is meant.
    [[nodiscard]] Result<Parameterised<Spec>> parse(std::string_view text) const
    {
        for (const Spec& spec : m_specs) {
            if (!hasName(text, spec.name, spec.parameters))
                continue;
            auto values = parseParameters(text, spec.name, spec.parameters);
            if (!values.ok())
                return values.error().within(m_noun + " " + spec.name);
            return Parameterised<Spec>(spec, std::move(values).value());
        }
        std::string known;
        for (const Spec& spec : m_specs)
            known += (known.empty() ? "" : ", ") + Parameterised<Spec>(spec).text();
        return Error{ErrorCode::InvalidArgument, "unknown " + m_noun + " \"" +
                                                     std::string(text.substr(0, 80)) +
                                                     "\"; known are " + known};
    }

private:
    std::string m_noun;
    std::deque<Spec> m_specs;  // addresses stay when more are added
};

}  // namespace qs::core
