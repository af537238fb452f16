#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/figure_script.h"
#include "widgets/plot/pareto_series.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>

namespace qs::tst_figure_script {

using namespace widgets;

namespace {

// Takes the place of matplotlib: says what it was asked to draw.
constexpr const char* kRecorder = R"(import json
calls = []
rcParams = {}


class Anything:
    def __getattr__(self, name):
        def call(*values, **named):
            calls.append({"name": name, "values": [v for v in values if isinstance(v, (list, int, float, str))],
                          "label": named.get("label", "")})
        return call


class Figure(Anything):
    def savefig(self, file):
        with open(file, "w", encoding="utf-8") as out:
            json.dump(calls, out)


def subplots(**named):
    return Figure(), Anything()
)";

const qs::core::Metric& metric(const char* name)
{
    return *qs::core::metricRegistry().find(name);
}

// What the program draws; empty if it does not run.
QJsonArray run(const FigureScript& script, const qs::tests::TestFolder& folder)
{
    qs::tests::writeFile(folder / "figure.py", script.python.toStdString());
    qs::tests::writeFile(folder / "figure.csv", script.csv.toStdString());
    std::filesystem::create_directories(folder / "matplotlib");
    qs::tests::writeFile(folder / "matplotlib/__init__.py", "");
    qs::tests::writeFile(folder / "matplotlib/pyplot.py", kRecorder);
    QProcess python;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PYTHONPATH"),
                       QString::fromStdString(folder.path().string()));
    python.setProcessEnvironment(environment);
    const std::filesystem::path out = folder / "drawn.json";
    python.start(QStandardPaths::findExecutable(QStringLiteral("python3")),
                 {QString::fromStdString((folder / "figure.py").string()),
                  QString::fromStdString(out.string())});
    if (!python.waitForFinished(60'000) || python.exitCode() != 0)
        qWarning("%s", python.readAllStandardError().constData());
    return QJsonDocument::fromJson(QByteArray::fromStdString(qs::tests::readFile(out))).array();
}

QList<QJsonObject> callsOf(const QJsonArray& drawn, const char* name)
{
    QList<QJsonObject> found;
    for (const QJsonValue& each : drawn) {
        if (each.toObject()[QStringLiteral("name")].toString() == QLatin1String(name))
            found << each.toObject();
    }
    return found;
}

}  // namespace

class FigureScriptTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Number for number what the window shows, of what it shows.
    void drawsWhatIsSeen()
    {
        const qs::tests::TestFolder folder;
        const qs::core::RunData data = qs::tests::sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        const CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"), metric("throughput"),
                                        QStringLiteral("batch"));
        CurveLook look;
        look.hidden.insert(set.curves[1].key);
        const QRectF range = fullRange(set, look);
        const QJsonArray drawn =
            run(figureScript(set, look, {.widthMillimetres = 88.9, .range = range},
                             QStringLiteral("figure.csv")),
                folder);
        const QList<QJsonObject> bars = callsOf(drawn, "errorbar");
        std::size_t at = 0;
        for (const Curve& curve : set.curves) {
            if (curve.points.empty() || look.hidden.contains(curve.key))
                continue;
            QVERIFY(at < static_cast<std::size_t>(bars.size()));
            const QJsonObject& bar = bars[static_cast<qsizetype>(at++)];
            QCOMPARE(bar[QStringLiteral("label")].toString(), curve.name);
            const QJsonArray values = bar[QStringLiteral("values")].toArray();
            QCOMPARE(values[0].toArray().size(), static_cast<int>(curve.points.size()));
            for (int i = 0; i < values[0].toArray().size(); ++i) {
                const CurvePoint& point = curve.points[static_cast<std::size_t>(i)];
                QCOMPARE(values[0].toArray()[i].toDouble(), point.x);
                QCOMPARE(values[1].toArray()[i].toDouble(), point.y);
            }
        }
        QCOMPARE(static_cast<std::size_t>(bars.size()), at);
        const QJsonArray y = callsOf(drawn, "set_ylim")[0][QStringLiteral("values")].toArray();
        QCOMPARE(y[0].toDouble(), range.top());
        QCOMPARE(y[1].toDouble(), range.bottom());
        QCOMPARE(callsOf(drawn, "set_xscale")[0][QStringLiteral("values")].toArray()[0].toString(),
                 QStringLiteral("log"));
    }

    // With an arrow, as in the window.
    void intervalsBeyondTheAxesGoOn()
    {
        const qs::tests::TestFolder folder;
        const qs::core::RunData data = qs::tests::sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"), metric("throughput"),
                                  QStringLiteral("batch"));
        const auto arrows = [&] {
            const QRectF range = fullRange(set, {});
            const QJsonArray drawn =
                run(figureScript(set, {}, {.range = range}, QStringLiteral("figure.csv")), folder);
            qsizetype count = 0;
            for (const QJsonObject& each : callsOf(drawn, "plot")) {
                const QJsonArray y = each[QStringLiteral("values")].toArray()[1].toArray();
                count += y.size() == 1 && y[0].toDouble() == range.bottom() ? 1 : 0;
            }
            return count;
        };
        QCOMPARE(arrows(), qsizetype{0});
        CurvePoint& point = set.curves[0].points[0];
        point.interval = qs::core::Interval{.lower = 0.5 * point.y, .upper = 1e3 * point.y};
        QCOMPARE(arrows(), qsizetype{1});
    }

    void drawsAPareto()
    {
        const qs::tests::TestFolder folder;
        const qs::core::RunData data = qs::tests::sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        CurveSet set = makePareto(
            analysis, QStringLiteral("best-bf16"), metric("speedup"), metric("ssim_mean"),
            {.limit = qs::core::QualityLimit::MinimumLikeness, .minimumLikeness = 0.98});
        // Another run at the same places.
        for (Curve curve : std::vector<Curve>(set.curves)) {
            curve.run = 1;
            curve.key.prepend(QStringLiteral("yesterday "));
            curve.name.append(QStringLiteral(" yesterday"));
            set.curves.push_back(curve);
        }
        set.otherRuns.push_back(
            {.name = QStringLiteral("yesterday"), .changed = {}, .frontier = set.frontier});
        const QJsonArray drawn =
            run(figureScript(set, {}, {.range = fullRange(set, {})}, QStringLiteral("figure.csv")),
                folder);
        QVERIFY(!callsOf(drawn, "scatter").isEmpty());
        QCOMPARE(callsOf(drawn, "axvline").size(), static_cast<qsizetype>(set.rules.size()));
        QCOMPARE(callsOf(drawn, "axvline")[0][QStringLiteral("values")].toArray()[0].toDouble(),
                 0.98);
        int frontiers = 0;
        for (const QJsonObject& line : callsOf(drawn, "plot")) {
            const QJsonArray x = line[QStringLiteral("values")].toArray()[0].toArray();
            frontiers += x.size() == static_cast<int>(set.frontier.size()) ? 1 : 0;
        }
        QCOMPARE(frontiers, 2);
    }

    void drawsCategories()
    {
        const qs::tests::TestFolder folder;
        const qs::core::RunData data = qs::tests::sampleRun();
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        const CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"), metric("latency"),
                                        QStringLiteral("precision"));
        const QJsonArray drawn = run(
            figureScript(set, {},
                         {.range = fullRange(set, {}), .points = 9.5, .legend = LegendPlace::None},
                         QStringLiteral("figure.csv")),
            folder);
        const QJsonArray ticks =
            callsOf(drawn, "set_xticks")[0][QStringLiteral("values")].toArray();
        QCOMPARE(ticks.last().toArray().size(), set.categories.size());
        QVERIFY(callsOf(drawn, "legend").isEmpty());  // as it was chosen
    }

    // What the view shows beside the curves.
    void drawsPeaksAndWhereMemoryEnded()
    {
        const qs::tests::TestFolder folder;
        const qs::core::RunData data = qs::tests::sampleRun({.withFailures = true});
        const qs::core::Analysis analysis = qs::core::analyse(data, "best-bf16");
        CurveSet set = makeCurves(analysis, QStringLiteral("best-bf16"), metric("throughput"),
                                  QStringLiteral("batch"));
        double top = 0.0;
        std::size_t ends = 0;
        for (const Curve& curve : set.curves) {
            ends += curve.ends.size();
            for (const CurvePoint& point : curve.points)
                top = std::max(top, point.y);
        }
        QVERIFY(ends > 0);
        set.roofs = {{QStringLiteral("peak"), {}, {{1.0, 1.2 * top}, {64.0, 1.2 * top}}}};
        const auto lines = [&](const CurveLook& look, const char* label) {
            const QJsonArray drawn = run(figureScript(set, look, {.range = fullRange(set, look)},
                                                      QStringLiteral("figure.csv")),
                                         folder);
            qsizetype count = 0;
            for (const QJsonObject& line : callsOf(drawn, "plot"))
                count += line[QStringLiteral("label")].toString() == QLatin1String(label) ? 1 : 0;
            return count;
        };
        QCOMPARE(lines({}, "peak"), qsizetype{1});
        CurveLook without;
        without.roofs = false;
        QCOMPARE(lines(without, "peak"), qsizetype{0});
        QCOMPARE(lines({}, ""), static_cast<qsizetype>(ends));
    }
};

const tests::GuiTest<FigureScriptTest> registered(__FILE_NAME__);

}  // namespace qs::tst_figure_script

#include "tst_figure_script.moc"
