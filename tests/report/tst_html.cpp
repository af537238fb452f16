#include "core/report/html/html_page.h"
#include "core/report/html/html_plot.h"
#include "core/report/html/html_text.h"

#include "core/analysis/analysis.h"
#include "core/base/base64.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace qs::core {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// RFC 4648, section 10.
TEST(Base64, AgreesWithTheRfc)
{
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foob"), "Zm9vYg==");
    EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xff\xfe\x00"), "//4=") << "a literal ends at its NUL";
    EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(HtmlText, CannotLeaveItsPlace)
{
    EXPECT_EQ(htmlText("<img src=x onerror=\"a\" & 'b'>"),
              "&lt;img src=x onerror=&quot;a&quot; &amp; &#39;b&#39;&gt;");
    EXPECT_EQ(htmlText("a\nb"), "a b");
    EXPECT_EQ(htmlText("\xe2\x80\xae"
                       "cod.exe"),
              "\xef\xbf\xbd"
              "cod.exe");
}

TEST(HtmlPage, ForbidsEverythingButItsOwnStyleAndScript)
{
    const std::string page = htmlPage("</title><script>alert(1)</script>", "<p>body</p>");
    EXPECT_THAT(page, HasSubstr("default-src 'none'; img-src data:; style-src 'sha256-"));
    EXPECT_THAT(page, Not(HasSubstr("unsafe-inline")));
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(page, Not(HasSubstr("http://")));
    EXPECT_THAT(page, Not(HasSubstr("https://")));
}

Plot plotOf(std::vector<PlotPoint> points)
{
    Plot plot{.id = "p", .xTitle = "x", .yTitle = "<y>", .xLog = true};
    plot.series.push_back({.name = "<one>", .points = std::move(points)});
    return plot;
}

TEST(SvgPlot, DrawsPointsIntervalsAndAMarkForEach)
{
    const std::string svg = svgPlot(plotOf({{.x = 1.0, .y = 10.0, .lower = 9.0, .upper = 11.0},
                                            {.x = 4.0, .y = 20.0, .about = "\"four\""}}));
    EXPECT_THAT(svg, HasSubstr("<path d=\"M"));
    EXPECT_THAT(svg, HasSubstr("class=\"bar\""));
    EXPECT_THAT(svg, HasSubstr("<title>&quot;four&quot;</title>"));
    EXPECT_THAT(svg, HasSubstr("&lt;one&gt;"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(SvgPlot, LeavesOutWhatAnAxisCannotHave)
{
    EXPECT_THAT(svgPlot(plotOf({})), IsEmpty());
    EXPECT_THAT(svgPlot(plotOf({{.x = 0.0, .y = 1.0}, {.x = -1.0, .y = 1.0}})), IsEmpty());
    const std::string one = svgPlot(plotOf({{.x = 0.0, .y = 1.0}, {.x = 8.0, .y = 5.0}}));
    EXPECT_THAT(one, Not(HasSubstr("nan")));
    EXPECT_THAT(one, HasSubstr("<circle"));
}

// The ticks of a logarithmic axis are where numbers are: 1 is left of what 3 to 40 span.
TEST(SvgPlot, HasNoTickBesideTheAxis)
{
    const std::string svg = svgPlot(plotOf({{.x = 3.0, .y = 1.0}, {.x = 40.0, .y = 2.0}}));
    EXPECT_THAT(svg, HasSubstr("text-anchor=\"middle\">5</text>"));
    for (const char* tick : {">1</text>", ">2</text>"})
        EXPECT_THAT(svg, Not(HasSubstr(std::string("text-anchor=\"middle\"") + tick)));
    Plot limited = plotOf({{.x = 3.0, .y = 1.0}, {.x = 40.0, .y = 2.0}});
    limited.xLimit = 1.0;
    limited.xLimitName = "limit";
    EXPECT_THAT(svgPlot(limited), Not(HasSubstr("class=\"limit\"")));
}

// Where an attribute of the first mark of that kind is.
double attributeOf(const std::string& svg, std::size_t mark, const std::string& name)
{
    std::size_t at = 0;
    for (std::size_t i = 0; i <= mark; ++i)
        at = svg.find("<circle", at) + 1;
    const std::string key = name + "=\"";
    return std::stod(svg.substr(svg.find(key, at) + key.size()));
}

TEST(SvgPlot, PlacesIdenticalOutputsLeftOfAllElse)
{
    Plot plot = plotOf({{.x = 0.0, .y = 3.0}, {.x = 2.0, .y = 1.0}, {.x = 8.0, .y = 5.0}});
    plot.xZeroName = "identical";
    plot.frontier = {{.x = 0.0, .y = 3.0}, {.x = 8.0, .y = 5.0}};
    const std::string svg = svgPlot(plot);
    EXPECT_LT(attributeOf(svg, 0, "cx"), attributeOf(svg, 1, "cx"));
    EXPECT_LT(attributeOf(svg, 1, "cx"), attributeOf(svg, 2, "cx"));
    EXPECT_THAT(svg, HasSubstr(">identical</text>"));
    EXPECT_THAT(svg, ContainsRegex("<path class=\"frontier\" d=\"M[0-9. ]+L"));
    plot.series.front().points.resize(1);
    plot.frontier = {};
    const std::string alone = svgPlot(plot);
    EXPECT_THAT(alone, HasSubstr("<circle"));
    EXPECT_THAT(alone, Not(HasSubstr("nan")));
    plot.xZeroName.clear();
    EXPECT_THAT(svgPlot(plot), IsEmpty());
}

TEST(ReportHtml, HoldsAnswerTablesAndCurves)
{
    const RunData data = tests::sampleRun({.withFailures = true});
    const std::string html = reportHtml(data, analyse(data, data.plan.preset.speedBaseline));
    for (const char* part :
         {"id=\"answer\"", "id=\"advice\"", "id=\"curves\"", "id=\"overview\"", "id=\"cells\"",
          "id=\"environment\"", "class=\"sortable\"", "class=\"faster\""})
        EXPECT_THAT(html, HasSubstr(part));
    EXPECT_LT(html.size(), 200'000U);
}

TEST(ReportHtml, OfAnEmptyRunIsADocument)
{
    const RunData data = tests::runOf({});
    const std::string html = reportHtml(data, analyse(data, "best-bf16"));
    EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(html, HasSubstr("No cell was measured."));
}

// A stranger's run: every text is what an attacker writes.
TEST(ReportHtml, TextsOfARunStayTexts)
{
    const std::string attack = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'";
    RunData data = tests::runOf({{.id = "a", .precision = attack, .reference = "a"},
                                 {.id = "b", .compile = attack, .reference = "a"}});
    data.plan.preset.name = attack;
    data.plan.preset.description = attack;
    data.pictureNames = {attack};
    for (PlannedCell& cell : data.plan.cells)
        cell.config.model = attack;
    for (int round = 0; round < 3; ++round) {
        tests::addRow(data, "a", round, {1.0});
        tests::addRow(data, "b", round, {2.0});
    }
    data.events.push_back({attack, EventKind::Warning, {{NoteCode::Remark, {attack}}}});
    Environment environment;
    environment.program = environment.torch = environment.system = environment.processor = attack;
    data.environments.push_back(environment);
    const std::string html = reportHtml(data, analyse(data, "bf16-eager"));
    EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(html, Not(HasSubstr("<img src=x")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));
}

}  // namespace
}  // namespace qs::core
