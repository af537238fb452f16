#include "core/sweep/price.h"

#include "core/base/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace qs::core {

namespace {

constexpr const char* kCurrencyRule = "a currency of 1 to 12 letters, such as USD";

// Letters of any script, or signs such as € and $: nothing that a table or a terminal would obey.
bool isCurrency(const std::string& text)
{
    return !text.empty() && text.size() <= Price::kLongestCurrency &&
           std::all_of(text.begin(), text.end(), [](char letter) {
               const auto code = static_cast<unsigned char>(letter);
               return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      letter == '$' || code >= 0x80;
           });
}

}  // namespace

Result<Price> parsePrice(const std::string& text)
{
    const auto colon = text.find(':');
    Price price;
    const char* end = text.data() + std::min(colon, text.size());
    const auto [rest, error] = std::from_chars(text.data(), end, price.perDeviceHour);
    if (colon == std::string::npos || error != std::errc() || rest != end ||
        !(price.perDeviceHour >= 0.0 && price.perDeviceHour <= Price::kHighest))
        return Error{ErrorCode::InvalidArgument,
                     "\"" + text +
                         "\" is not a price per hour: expected a number from 0, a colon " +
                         "and a currency, such as 2.5:USD"};
    price.currency = text.substr(colon + 1);
    if (!isCurrency(price.currency))
        return Error{ErrorCode::InvalidArgument,
                     "\"" + text + "\" is not a price per hour: expected " + kCurrencyRule};
    return price;
}

std::string priceText(const Price& price)
{
    return formatExact(price.perDeviceHour) + ":" + price.currency;
}

Json toJson(const Price& price)
{
    return {{"per_device_hour", price.perDeviceHour}, {"currency", price.currency}};
}

Price priceFromJson(const Json& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    Price price;
    if (!fields.isObject())
        return price;
    const std::size_t before = issues.size();
    static_cast<void>(fields.require("per_device_hour"));
    price.perDeviceHour = fields.number("per_device_hour", 0.0, 0.0, Price::kHighest);
    if (const Json* currency = fields.require("currency"); currency != nullptr) {
        price.currency = fields.text("currency");
        if (currency->is_string() && !isCurrency(price.currency))
            fields.complain("currency", std::string("expected ") + kCurrencyRule);
    }
    fields.finish();
    return issues.size() == before ? price : Price();
}

}  // namespace qs::core
