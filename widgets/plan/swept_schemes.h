#pragma once

#include "core/quant/scheme.h"

#include <QStringList>

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace qs::widgets {

// The schemes that an editor of precisions lists: those that are offered, each followed by its
// variants, which have other parameters. And which of them a sweep has: for all stages, or in pairs
// of one for each of two stages.
class SweptSchemes final
{
public:
    struct Entry {
        core::Scheme scheme;
        std::size_t offered = 0;  // place among offeredSchemes() of itself or of what it varies
        bool variant = false;
    };
    // Places of entries; twice the same: for all stages.
    using Pair = std::pair<std::size_t, std::size_t>;

    SweptSchemes();

    // "bf16", "int8sq:alpha=0.25", "bf16/int8dq". The variants are those of the values.
    void setValues(const QStringList& values);
    // Each once, in the order of the entries, then the others. A variant that equals an entry
    // before it stands for nothing, unless there would be no value at all.
    [[nodiscard]] QStringList values() const;

    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    // Values that are no pair of entries; they stay as they are.
    [[nodiscard]] const QStringList& others() const { return m_others; }
    [[nodiscard]] bool has(const Pair& pair) const { return m_pairs.contains(pair); }
    // Where the offered scheme itself stands.
    [[nodiscard]] std::size_t placeOf(std::size_t offered) const;
    [[nodiscard]] bool isRepeated(std::size_t entry) const;

    // These say whether anything has changed: the last value stays, as a sweep over nothing is
    // none.
    bool toggle(const Pair& pair);
    bool removeOther(const QString& value);
    // With every pair that has it. Of variants alone.
    bool remove(std::size_t entry);

    // A copy of an entry, behind all of its scheme and in the sweep for all stages; its place.
    std::size_t addVariant(std::size_t entry);
    // Of a variant; pairs that have it keep it.
    void setScheme(std::size_t entry, const core::Scheme& scheme);
    // Forgets variants that equal an entry before them.
    void dropRepeated();

private:
    [[nodiscard]] std::size_t find(const core::Scheme& scheme) const;
    // The entry of a text, added if it is a variant that is not there yet; none: m_entries.size().
    std::size_t entryOf(const QString& text);
    // Pairs with every place at or above `from` moved by `steps`, without those of `without`.
    void movePairs(std::size_t from, std::ptrdiff_t steps, std::size_t without);
    void insert(std::size_t place, Entry entry);
    void erase(std::size_t entry);
    [[nodiscard]] QStringList textsOf(bool repeated) const;
    [[nodiscard]] QString text(const Pair& pair) const;

    std::vector<Entry> m_entries;
    std::set<Pair> m_pairs;
    QStringList m_others;
};

}  // namespace qs::widgets
