#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

struct NamedSize {
    std::string name;  // "image_size"
    std::int64_t value = 0;

    auto operator<=>(const NamedSize&) const = default;
};

// The sizes of a cell beside its batch, sorted by name: a few, so that a plain list serves.
class Sizes final
{
public:
    Sizes() = default;
    Sizes(std::initializer_list<NamedSize> sizes);

    [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
    // Of one that is there.
    [[nodiscard]] std::int64_t at(std::string_view name) const;
    void set(std::string_view name, std::int64_t value);
    void remove(std::string_view name);

    [[nodiscard]] bool empty() const { return m_sizes.empty(); }
    [[nodiscard]] auto begin() const { return m_sizes.begin(); }
    [[nodiscard]] auto end() const { return m_sizes.end(); }

    auto operator<=>(const Sizes&) const = default;

private:
    std::vector<NamedSize> m_sizes;
};

// The size of models that take images, in pixels a side.
inline constexpr std::string_view kImageSize = "image_size";

// A size that models of a family have, and so an axis of sweeps.
struct SizeSpec {
    std::string name = {};         // in files and on the command line: "prompt_tokens"
    std::string description = {};  // one sentence for tooltips and the command line
    std::string unit = {};         // behind a value: "px"
    std::int64_t fallback = 1;
    // The smallest value that a model can have: it shows the structure of its graphs.
    std::int64_t smallest = 1;
    // That a model can have, where that is not the smallest.
    std::optional<std::int64_t> least = std::nullopt;
    std::int64_t largest = 0;  // that a model can have; 0: not known
    bool fixed = false;        // the model has the fallback and no other

    // The least value that a model can have.
    [[nodiscard]] std::int64_t lowest() const { return least.value_or(smallest); }
    // 0 is the usual value and means that the model does without it.
    [[nodiscard]] bool isOffUnlessAsked() const { return fallback == 0; }
};

}  // namespace qs::core
