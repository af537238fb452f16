#include "core/sweep/axis.h"

#include "core/base/text_parts.h"
#include "core/sweep/gate_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace qs::core {

namespace {

using gate_text::quoted;

constexpr std::int64_t kHighestValue = INT32_MAX;
constexpr std::size_t kMostValues = 1000;
constexpr const char* kForms =
    "use one of 8 · 1..8 · \"1..64 pow2\" · 1-64*2 · 8-64+8, separated by commas";

// Spaces between two numbers divide them as a comma does.
std::string withCommas(std::string_view text)
{
    const auto isDigit = [](char letter) { return letter >= '0' && letter <= '9'; };
    std::string divided(text);
    std::size_t space = divided.find_first_of(" \t");
    while (space != std::string::npos) {
        const std::size_t next = divided.find_first_not_of(" \t", space);
        if (next != std::string::npos && space > 0 && isDigit(divided[space - 1]) &&
            isDigit(divided[next]))
            divided[space] = ',';
        space = next == std::string::npos ? next : divided.find_first_of(" \t", next);
    }
    return divided;
}

// For "1-21": what could have been meant.
std::string howToGetOn(std::int64_t first, std::int64_t last)
{
    const std::string from = std::to_string(first);
    const std::string span = from + "-" + std::to_string(last);
    return "write " + from + ".." + std::to_string(last) + " for every value, " + span +
           "*2 to double each time, or " + span + "+4 for steps of 4";
}

// Reads values of one item after the other; the error of the first that is wrong stays.
class ItemReader final
{
public:
    explicit ItemReader(std::string_view item) : m_item(item), m_rest(item) {}

    [[nodiscard]] Result<std::vector<std::int64_t>> values()
    {
        QS_TRY(const std::int64_t first, number());
        if (m_rest.empty())
            return std::vector{first};
        if (take(".."))
            return dotted(first);
        if (take("-"))
            return stepped(first);
        return refuse(kForms);
    }

private:
    [[nodiscard]] Error refuse(const std::string& why) const
    {
        return {ErrorCode::InvalidArgument, quoted(m_item) + ": " + why};
    }

    bool take(std::string_view token)
    {
        m_rest = trimmed(m_rest);
        if (!m_rest.starts_with(token))
            return false;
        m_rest.remove_prefix(token.size());
        m_rest = trimmed(m_rest);
        return true;
    }

    Result<std::int64_t> number()
    {
        m_rest = trimmed(m_rest);
        std::int64_t value = 0;
        const auto [end, error] =
            std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (error == std::errc::invalid_argument)
            return refuse(std::string("expected an integer; ") + kForms);
        if (error != std::errc() || value < 0 || value > kHighestValue)
            return refuse("values must be from 0 to " + std::to_string(kHighestValue));
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        m_rest = trimmed(m_rest);
        return value;
    }

    // "1..8" and "1..64 pow2", after the dots.
    Result<std::vector<std::int64_t>> dotted(std::int64_t first)
    {
        QS_TRY(const std::int64_t last, number());
        if (last < first)
            return refuse("the first value is larger than the last");
        if (m_rest.empty())
            return series(first, last, 1, 1);
        if (!take("pow2") || !m_rest.empty())
            return refuse(kForms);
        std::int64_t power = 1;
        while (power < first)
            power *= 2;
        if (power > last)
            return refuse("it contains no power of two");
        return series(power, last, 2, 0);
    }

    // "1-64*2" and "8-64+8", after the dash.
    Result<std::vector<std::int64_t>> stepped(std::int64_t first)
    {
        QS_TRY(const std::int64_t last, number());
        if (last < first)
            return refuse("the first value is larger than the last");
        const bool multiplies = take("*");
        if (!multiplies && !take("+"))
            return refuse(howToGetOn(first, last));
        QS_TRY(const std::int64_t step, number());
        if (!m_rest.empty())
            return refuse(kForms);
        if (multiplies && (step < 2 || first < 1))
            return refuse("multiply from 1 or more, by 2 or more");
        if (step < 1)
            return refuse("the step must be at least 1");
        return multiplies ? series(first, last, step, 0) : series(first, last, 1, step);
    }

    // first, first·factor + summand … up to last.
    Result<std::vector<std::int64_t>> series(std::int64_t first, std::int64_t last,
                                             std::int64_t factor, std::int64_t summand) const
    {
        std::vector<std::int64_t> values;
        for (std::int64_t value = first; value <= last; value = value * factor + summand) {
            if (values.size() == kMostValues)
                return refuse("more than " + std::to_string(kMostValues) + " values");
            values.push_back(value);
        }
        return values;
    }

    std::string_view m_item;
    std::string_view m_rest;
};

// The kinds of series that one item can describe, without the plain value.
struct Run {
    std::int64_t factor = 1;
    std::int64_t summand = 0;
};

// What leads from a to b in steps that the dialects know, by addition and by multiplication.
std::vector<Run> runsFrom(std::int64_t a, std::int64_t b)
{
    std::vector<Run> runs;
    if (a >= 1 && b > a) {
        runs.push_back({.factor = 1, .summand = b - a});
        if (b % a == 0)
            runs.push_back({.factor = b / a, .summand = 0});
    }
    return runs;
}

std::string runText(const Run& run, std::int64_t first, std::int64_t last)
{
    const std::string from = std::to_string(first);
    const std::string to = std::to_string(last);
    if (run.factor > 1)
        return from + "-" + to + "*" + std::to_string(run.factor);
    if (run.summand == 1)
        return from + ".." + to;
    return from + "-" + to + "+" + std::to_string(run.summand);
}

// The shortest text of values[start …], given those of all later starts.
std::string bestFrom(const std::vector<std::int64_t>& values, std::size_t start,
                     const std::vector<std::string>& best)
{
    const auto joined = [&](std::string item, std::size_t next) {
        return best[next].empty() ? item : std::move(item) + "," + best[next];
    };
    std::string shortest = joined(std::to_string(values[start]), start + 1);
    if (start + 1 == values.size())
        return shortest;
    for (const Run& run : runsFrom(values[start], values[start + 1])) {
        std::size_t next = start + 1;
        while (next < values.size() &&
               values[next] == values[next - 1] * run.factor + run.summand) {
            ++next;
            std::string text = joined(runText(run, values[start], values[next - 1]), next);
            if (text.size() < shortest.size())
                shortest = std::move(text);
        }
    }
    return shortest;
}

}  // namespace

Result<std::vector<std::int64_t>> expandRange(std::string_view text)
{
    std::vector<std::int64_t> all;
    const std::string items = withCommas(text);
    std::string_view rest = items;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = trimmed(rest.substr(0, comma));
        if (item.empty())
            return Error{ErrorCode::InvalidArgument,
                         quoted(text) + ": enter at least one number, and one between commas; " +
                             kForms};
        QS_TRY(const std::vector<std::int64_t> values, ItemReader(item).values());
        all.insert(all.end(), values.begin(), values.end());
        if (all.size() > kMostValues)
            return Error{ErrorCode::InvalidArgument,
                         quoted(text) + ": more than " + std::to_string(kMostValues) + " values"};
        if (comma == std::string_view::npos)
            return all;
        rest.remove_prefix(comma + 1);
    }
}

std::string describeRange(const std::vector<std::int64_t>& values)
{
    // From the back: the best text of each tail is built on those of shorter tails.
    std::vector<std::string> best(values.size() + 1);
    for (std::size_t start = values.size(); start-- > 0;)
        best[start] = bestFrom(values, start, best);
    return best.front();
}

}  // namespace qs::core
