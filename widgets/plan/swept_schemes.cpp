#include "widgets/plan/swept_schemes.h"

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Of what a text of this scheme is a variant; none is offered: kNone.
std::size_t offeredOf(const core::Scheme& scheme)
{
    const std::vector<core::Scheme> offered = core::offeredSchemes();
    const auto found = std::find_if(offered.begin(), offered.end(), [&](const core::Scheme& each) {
        return &each.spec() == &scheme.spec();
    });
    return found == offered.end() ? kNone : std::size_t(found - offered.begin());
}

}  // namespace

SweptSchemes::SweptSchemes()
{
    setValues({});
}

void SweptSchemes::setValues(const QStringList& values)
{
    m_entries.clear();
    m_pairs.clear();
    m_others.clear();
    for (const core::Scheme& scheme : core::offeredSchemes())
        m_entries.push_back({scheme, m_entries.size(), false});
    for (const QString& value : values) {
        const QStringList stages = value.split(QLatin1Char('/'));
        if (stages.size() > 2) {
            m_others << value;
            continue;
        }
        // The second may move the first: it is looked for again.
        const bool known =
            entryOf(stages.front()) < m_entries.size() && entryOf(stages.back()) < m_entries.size();
        if (known)
            m_pairs.insert({entryOf(stages.front()), entryOf(stages.back())});
        else if (!m_others.contains(value))
            m_others << value;
    }
}

std::size_t SweptSchemes::entryOf(const QString& text)
{
    const auto scheme = core::parseScheme(text.toStdString());
    const std::size_t offered = scheme.ok() ? offeredOf(scheme.value()) : kNone;
    if (offered == kNone)
        return m_entries.size();
    const std::size_t known = find(scheme.value());
    if (known < m_entries.size())
        return known;
    const auto end = std::find_if(m_entries.begin(), m_entries.end(),
                                  [&](const Entry& each) { return each.offered > offered; });
    const auto place = std::size_t(end - m_entries.begin());
    insert(place, {scheme.value(), offered, true});
    return place;
}

std::size_t SweptSchemes::find(const core::Scheme& scheme) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& each) { return each.scheme == scheme; });
    return std::size_t(found - m_entries.begin());
}

std::size_t SweptSchemes::placeOf(std::size_t offered) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& each) {
        return each.offered == offered && !each.variant;
    });
    return std::size_t(found - m_entries.begin());
}

bool SweptSchemes::isRepeated(std::size_t entry) const
{
    return find(m_entries[entry].scheme) < entry;
}

QString SweptSchemes::text(const Pair& pair) const
{
    const QString first = QString::fromStdString(m_entries[pair.first].scheme.text());
    const QString second = QString::fromStdString(m_entries[pair.second].scheme.text());
    return first == second ? first : first + QLatin1Char('/') + second;
}

QStringList SweptSchemes::textsOf(bool repeated) const
{
    QStringList texts;
    for (const Pair& pair : m_pairs) {
        if (repeated || (!isRepeated(pair.first) && !isRepeated(pair.second)))
            texts << text(pair);
    }
    texts += m_others;
    texts.removeDuplicates();
    return texts;
}

QStringList SweptSchemes::values() const
{
    const QStringList distinct = textsOf(false);
    return distinct.isEmpty() ? textsOf(true) : distinct;
}

bool SweptSchemes::toggle(const Pair& pair)
{
    if (m_pairs.insert(pair).second)
        return true;
    m_pairs.erase(pair);
    if (!textsOf(false).isEmpty())
        return true;
    m_pairs.insert(pair);
    return false;
}

bool SweptSchemes::removeOther(const QString& value)
{
    if (values().size() < 2)
        return false;
    return m_others.removeAll(value) > 0;
}

bool SweptSchemes::remove(std::size_t entry)
{
    if (!m_entries[entry].variant)
        return false;
    SweptSchemes without = *this;
    without.erase(entry);
    if (without.values().isEmpty())
        return false;
    *this = without;
    return true;
}

std::size_t SweptSchemes::addVariant(std::size_t entry)
{
    const Entry copy{m_entries[entry].scheme, m_entries[entry].offered, true};
    std::size_t place = entry + 1;
    while (place < m_entries.size() && m_entries[place].offered == copy.offered)
        ++place;
    insert(place, copy);
    m_pairs.insert({place, place});
    return place;
}

void SweptSchemes::setScheme(std::size_t entry, const core::Scheme& scheme)
{
    m_entries[entry].scheme = scheme;
}

void SweptSchemes::dropRepeated()
{
    const QStringList before = values();
    for (std::size_t entry = m_entries.size(); entry-- > 0;) {
        if (isRepeated(entry))
            erase(entry);
    }
    if (values().isEmpty())
        setValues(before);
}

void SweptSchemes::insert(std::size_t place, Entry entry)
{
    movePairs(place, 1, kNone);
    m_entries.insert(m_entries.begin() + std::ptrdiff_t(place), std::move(entry));
}

void SweptSchemes::erase(std::size_t entry)
{
    movePairs(entry, -1, entry);
    m_entries.erase(m_entries.begin() + std::ptrdiff_t(entry));
}

void SweptSchemes::movePairs(std::size_t from, std::ptrdiff_t steps, std::size_t without)
{
    const auto moved = [&](std::size_t place) {
        return place < from ? place : std::size_t(std::ptrdiff_t(place) + steps);
    };
    std::set<Pair> pairs;
    for (const Pair& pair : m_pairs) {
        if (pair.first != without && pair.second != without)
            pairs.insert({moved(pair.first), moved(pair.second)});
    }
    m_pairs = std::move(pairs);
}

}  // namespace qs::widgets
