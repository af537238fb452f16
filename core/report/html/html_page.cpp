#include "core/report/html/html_page.h"

#include "core/base/base64.h"
#include "core/base/sha256.h"
#include "core/report/html/html_assets.h"
#include "core/report/html/html_text.h"

namespace qs::core {

namespace {

// "'sha256-…'": what a policy calls a style or script by.
std::string policyHash(std::string_view text)
{
    const std::string hex = sha256Hex(text);
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return "'sha256-" + base64(bytes) + "'";
}

}  // namespace

std::string htmlPage(std::string_view title, std::string_view body)
{
    const std::string style(kReportStyle);
    const std::string script(kReportScript);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
           "data:; style-src " +
           policyHash(style) + "; script-src " + policyHash(script) +
           "; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
           htmlText(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n" +
           std::string(body) + "<script>" + script + "</script>\n</body>\n</html>\n";
}

}  // namespace qs::core
