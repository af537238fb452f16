#include "core/base/clean_text.h"
#include "core/lower/compile_mode.h"
#include "core/sweep/claim.h"
#include "core/sweep/limited_list.h"
#include "core/sweep/speed_baseline_name.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace qs::core {

namespace {

constexpr std::size_t kMostExpectations = 10;

// The conditions of a claim, which each of its expectations gets.
void readConditions(JsonFields& fields, Claim& claim)
{
    for (Gate& gate : claim.expect)
        readGateConditions(fields, gate);
    if (fields.find("compile") == nullptr)
        return;
    const auto mode = parseCompileMode(fields.text("compile"));
    if (mode.ok())
        claim.compile = mode.value().text();
    else
        fields.complain("compile", mode.error().message);
}

std::vector<Gate> readExpectations(JsonFields& fields)
{
    std::vector<Gate> gates;
    const std::vector<std::string> texts = fields.textList("expect");
    if (fields.require("expect") != nullptr && (texts.empty() || texts.size() > kMostExpectations))
        fields.complain("expect", "must be a list of 1 to " + std::to_string(kMostExpectations) +
                                      " texts such as \"speedup >= 1.2\"");
    for (const std::string& text : texts) {
        Result<Gate> gate = gateFromText(text);
        if (!gate.ok())
            fields.complain("expect", gate.error().message);
        else if (gate.value().hasConditions())
            fields.complain("expect", "conditions belong to the claim: \"" + text + "\"");
        else
            gates.push_back(std::move(gate).value());
    }
    return gates;
}

Claim claimFromJson(const Json& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    Claim claim;
    claim.text = cleanLine(fields.text("claim"));
    if (fields.require("claim") != nullptr && claim.text.empty())
        fields.complain("claim", "is empty");
    claim.source = cleanLine(fields.text("source"));
    claim.expect = readExpectations(fields);
    readConditions(fields, claim);
    claim.baseline = fields.text("baseline");
    if (!claim.baseline.empty() && !isSpeedBaselineName(claim.baseline))
        fields.complain("baseline", "must be one of " + speedBaselineList());
    fields.finish();
    return claim;
}

}  // namespace

std::vector<Claim> claimsFromJson(const Json& json, const std::string& path,
                                  std::vector<JsonIssue>& issues)
{
    std::vector<Claim> claims;
    if (!isListWithin(json, kMostClaims, "claims", path, issues))
        return claims;
    for (std::size_t i = 0; i < json.size(); ++i)
        claims.push_back(claimFromJson(json[i], path + "[" + std::to_string(i) + "]", issues));
    return claims;
}

Json claimsToJson(const std::vector<Claim>& claims)
{
    Json list = Json::array();
    for (const Claim& claim : claims) {
        Json object{{"claim", claim.text}, {"expect", Json::array()}};
        for (const Gate& gate : claim.expect)
            object["expect"].push_back(expectationText(gate));
        const auto put = [&](const char* name, const std::string& text) {
            if (!text.empty())
                object[name] = text;
        };
        put("source", claim.source);
        if (!claim.expect.empty())
            writeGateConditions(claim.expect.front(), object);
        put("compile", claim.compile);
        put("baseline", claim.baseline);
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace qs::core
