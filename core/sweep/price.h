#pragma once

#include "core/base/json.h"

#include <string>
#include <vector>

namespace qs::core {

// What an hour of the device costs. The currency is a text of the user: nothing is converted.
struct Price {
    static constexpr double kHighest = 1e9;
    static constexpr std::size_t kLongestCurrency = 12;  // bytes

    double perDeviceHour = 0.0;
    std::string currency = {};  // "USD"; empty: there is no price

    [[nodiscard]] bool empty() const { return currency.empty(); }
    [[nodiscard]] double of(double seconds) const { return perDeviceHour * seconds / 3600.0; }

    bool operator==(const Price&) const = default;
};

// "2.5:USD", as on the command line: a number in the C locale and a currency.
[[nodiscard]] Result<Price> parsePrice(const std::string& text);
[[nodiscard]] std::string priceText(const Price& price);

// Only for a price that is not empty.
[[nodiscard]] Json toJson(const Price& price);
[[nodiscard]] Price priceFromJson(const Json& json, const std::string& path,
                                  std::vector<JsonIssue>& issues);

}  // namespace qs::core
