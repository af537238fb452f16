#include "core/model/sizes.h"

#include "core/base/checks.h"

#include <algorithm>

namespace qs::core {

namespace {

template <typename List>
auto placeOf(List& sizes, std::string_view name)
{
    return std::lower_bound(sizes.begin(), sizes.end(), name,
                            [](const NamedSize& size, std::string_view wanted) {
                                return size.name.compare(wanted) < 0;
                            });
}

}  // namespace

Sizes::Sizes(std::initializer_list<NamedSize> sizes)
{
    for (const NamedSize& size : sizes)
        set(size.name, size.value);
}

std::optional<std::int64_t> Sizes::find(std::string_view name) const
{
    const auto found = placeOf(m_sizes, name);
    if (found == m_sizes.end() || found->name != name)
        return std::nullopt;
    return found->value;
}

std::int64_t Sizes::at(std::string_view name) const
{
    const auto found = find(name);
    QS_ASSERT(found.has_value());
    return *found;
}

void Sizes::set(std::string_view name, std::int64_t value)
{
    const auto place = placeOf(m_sizes, name);
    if (place != m_sizes.end() && place->name == name)
        place->value = value;
    else
        m_sizes.insert(place, {std::string(name), value});
}

void Sizes::remove(std::string_view name)
{
    std::erase_if(m_sizes, [&](const NamedSize& size) { return size.name == name; });
}

}  // namespace qs::core
