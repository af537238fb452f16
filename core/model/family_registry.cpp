#include "core/model/family_registry.h"

#include "core/model/built_in_families.h"

#include <algorithm>

namespace qs::core {

namespace {

std::vector<SizeSpec> collectSizes()
{
    std::vector<SizeSpec> all;
    for (const FamilySpec& family : familyRegistry().specs()) {
        for (const SizeSpec& size : family.sizes) {
            if (std::none_of(all.begin(), all.end(),
                             [&](const SizeSpec& each) { return each.name == size.name; }))
                all.push_back(size);
        }
    }
    return all;
}

}  // namespace

Registry<FamilySpec>& familyRegistry()
{
    static Registry<FamilySpec> registry("model family", builtInFamilies());
    return registry;
}

const std::vector<SizeSpec>& knownSizes()
{
    static const std::vector<SizeSpec> sizes = collectSizes();
    return sizes;
}

const SizeSpec* findKnownSize(std::string_view name)
{
    const auto& sizes = knownSizes();
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const SizeSpec& size) { return size.name == name; });
    return found == sizes.end() ? nullptr : &*found;
}

std::string sizesText(const Sizes& sizes)
{
    std::string text;
    for (const NamedSize& size : sizes) {
        const SizeSpec* known = findKnownSize(size.name);
        if (size.value == 0 && known != nullptr && known->isOffUnlessAsked())
            continue;
        text += (text.empty() ? "" : ", ") + std::to_string(size.value) + " " +
                (known == nullptr ? size.name : known->unit);
    }
    return text;
}

}  // namespace qs::core
