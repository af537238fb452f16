#include "core/base/utc_time.h"

#include <charconv>
#include <chrono>
#include <ctime>

namespace qs::core {

namespace {

constexpr std::string_view kForm = "0000-00-00T00:00:00Z";

bool hasForm(std::string_view text)
{
    if (text.size() != kForm.size())
        return false;
    for (std::size_t i = 0; i < kForm.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (kForm[i] == '0' ? !digit : text[i] != kForm[i])
            return false;
    }
    return true;
}

// Of a text that has the form.
int numberAt(std::string_view text, std::size_t first, std::size_t count)
{
    int value = 0;
    std::from_chars(text.data() + first, text.data() + first + count, value);
    return value;
}

}  // namespace

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::optional<std::int64_t> secondsFromUtc(std::string_view text)
{
    using namespace std::chrono;
    if (!hasForm(text))
        return std::nullopt;
    const year_month_day date(year(numberAt(text, 0, 4)),
                              month(static_cast<unsigned>(numberAt(text, 5, 2))),
                              day(static_cast<unsigned>(numberAt(text, 8, 2))));
    const int hour = numberAt(text, 11, 2);
    const int minute = numberAt(text, 14, 2);
    const int second = numberAt(text, 17, 2);
    // POSIX time knows no leap second: 60 is one that the next minute begins with.
    if (!date.ok() || hour > 23 || minute > 59 || second > 60)
        return std::nullopt;
    const auto time = sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
    return duration_cast<seconds>(time.time_since_epoch()).count();
}

}  // namespace qs::core
