#include "tests/cli/profile_reasons.h"

#include "core/base/json.h"
#include "tests/cli/running_program.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

namespace qs::tests {

using core::Json;

namespace {

// Of report.html, each with its id and the number of its marks: only they have a title.
std::vector<std::pair<std::string, int>> plotsOf(const std::string& page)
{
    const std::string begin = "<svg class=\"plot\" id=\"";
    std::vector<std::pair<std::string, int>> plots;
    for (auto at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
        const std::string plot = page.substr(at, page.find("</svg>", at) - at);
        const std::string id =
            plot.substr(begin.size(), plot.find('"', begin.size()) - begin.size());
        int marks = 0;
        for (auto mark = plot.find("<title>"); mark != std::string::npos;
             mark = plot.find("<title>", mark + 1))
            ++marks;
        plots.emplace_back(id, marks);
    }
    return plots;
}

Json reasonsOf(const std::string& folder)
{
    return core::readJsonFile(folder + "/reasons.json").value()["files"];
}

// Without quotes, which the files of these runs do not need.
std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields(1);
    for (const char letter : line) {
        if (letter == ',')
            fields.emplace_back();
        else if (letter != '\r')
            fields.back() += letter;
    }
    return fields;
}

// As objects: what a line has nothing of is null.
Json linesOf(const std::string& file)
{
    std::istringstream stream(readFile(file));
    std::string line;
    std::getline(stream, line);
    const std::vector<std::string> head = fieldsOf(line);
    Json lines = Json::array();
    while (std::getline(stream, line)) {
        const std::vector<std::string> fields = fieldsOf(line);
        EXPECT_EQ(fields.size(), head.size()) << line;
        Json object = Json::object();
        for (std::size_t i = 0; i < std::min(head.size(), fields.size()); ++i)
            object[head[i]] = fields[i].empty() ? Json() : Json(fields[i]);
        lines.push_back(std::move(object));
    }
    return lines;
}

Json recordsOf(const std::string& file)
{
    if (file.ends_with(".csv"))
        return linesOf(file);
    const Json read = core::readJsonFile(file).value();
    return read.is_array() ? read : Json::array({read});
}

}  // namespace

void expectReasons(const std::string& folder, const std::string& file)
{
    const Json records = recordsOf(folder + "/" + file);
    const Json reasons = reasonsOf(folder)[file];
    ASSERT_EQ(records.size(), reasons.size()) << file;
    ASSERT_FALSE(records.empty()) << file;
    for (std::size_t i = 0; i < records.size(); ++i) {
        for (const auto& [field, value] : records[i].items())
            EXPECT_EQ(value.is_null(), reasons[i]["missing"].contains(field))
                << file << " " << field;
    }
}

std::vector<std::string> filesWithRecords(const std::string& folder)
{
    std::vector<std::string> files;
    const Json reasons = reasonsOf(folder);
    for (const auto& [file, records] : reasons.items()) {
        if (!records.empty())
            files.push_back(file);
    }
    return files;
}

void expectReasons(const std::string& folder)
{
    for (const std::string& file : filesWithRecords(folder))
        expectReasons(folder, file);
}

void expectPlots(const std::string& run, const std::string& page)
{
    ASSERT_EQ(runCli({"report", run, "--html", "--out", page}).exitCode, 0);
    const auto plots = plotsOf(readFile(page + "/report.html"));
    EXPECT_FALSE(plots.empty());
    for (const auto& [id, marks] : plots)
        EXPECT_GT(marks, 0) << id << " is empty";
}

}  // namespace qs::tests
