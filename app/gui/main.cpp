#include "app/gui/end_signals.h"
#include "app/gui/main_window.h"
#include "app/gui/safe_application.h"
#include "app/gui/screenshot_taker.h"
#include "app/gui/start_report.h"
#include "app/gui/theme.h"
#include "core/base/caught.h"
#include "core/base/standard_streams.h"

#include <QApplication>
#include <QCommandLineParser>

#include <signal.h>

#include <clocale>
#include <cstdio>
#include <optional>

namespace {

struct Options {
    QString preset;
    QString run;
    QString screenshot;
    QString part;
    QString action;
    QString runsFolder;
    QString settings;
    QString size;
    QString view;
    int rows = 0;
    std::optional<qs::app::Theme> theme;
    bool start = false;
    bool reportStart = false;
    QString problem;  // with the command line
};

std::optional<qs::app::Theme> themeOf(const QString& name)
{
    if (name == QStringLiteral("light"))
        return qs::app::Theme::Light;
    if (name == QStringLiteral("dark"))
        return qs::app::Theme::Dark;
    return std::nullopt;
}

Options parse(const QCoreApplication& application)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("main", text); };
    QCommandLineParser parser;
    parser.setApplicationDescription(tr("Compares quantization modes of PyTorch models."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption preset(QStringLiteral("preset"), tr("Open this preset."),
                                    QStringLiteral("file"));
    const QCommandLineOption run(QStringLiteral("run"), tr("Open this run folder."),
                                 QStringLiteral("folder"));
    const QCommandLineOption start(QStringLiteral("start"), tr("Start the sweep at once."));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        tr("Save a picture of the window when everything is loaded and no run goes on, then quit."),
        QStringLiteral("file"));
    const QCommandLineOption runs(QStringLiteral("runs"),
                                  tr("Make new run folders in this folder."),
                                  QStringLiteral("folder"));
    const QCommandLineOption settings(
        QStringLiteral("settings"), tr("Keep the settings in this file."), QStringLiteral("file"));
    const QCommandLineOption theme(QStringLiteral("theme"),
                                   tr("light or dark; otherwise as chosen in the window."),
                                   QStringLiteral("name"));
    const QCommandLineOption size(
        QStringLiteral("size"), tr("Size of the window, such as 1366x768."), QStringLiteral("WxH"));
    const QCommandLineOption rows(QStringLiteral("screenshot-rows"),
                                  tr("Save that picture once so many rows are measured."),
                                  QStringLiteral("number"));
    const QCommandLineOption part(
        QStringLiteral("screenshot-part"),
        tr("Only this part of the window, such as planPanel, viewTabs, compareView or answerBar."),
        QStringLiteral("name"));
    const QCommandLineOption action(
        QStringLiteral("screenshot-action"),
        tr("Trigger this action of the window first, such as actionMeasured, whose window is the "
           "part measuredWindow."),
        QStringLiteral("name"));
    const QCommandLineOption view(QStringLiteral("view"), tr("Show curves, table, layers or runs."),
                                  QStringLiteral("name"));
    const QCommandLineOption reportStart(QStringLiteral("report-start"),
                                         tr("Write \"usable\" when the window can be used and "
                                            "\"filled\" when it shows its run, then "
                                            "quit."));
    parser.addOptions({preset, run, start, screenshot, part, action, rows, runs, settings, theme,
                       size, view, reportStart});
    parser.process(application);
    Options options{.preset = parser.value(preset),
                    .run = parser.value(run),
                    .screenshot = parser.value(screenshot),
                    .part = parser.value(part),
                    .action = parser.value(action),
                    .runsFolder = parser.value(runs),
                    .settings = parser.value(settings),
                    .size = parser.value(size),
                    .view = parser.value(view),
                    .rows = parser.value(rows).toInt(),
                    .theme = themeOf(parser.value(theme)),
                    .start = parser.isSet(start),
                    .reportStart = parser.isSet(reportStart),
                    .problem = {}};
    if (parser.isSet(theme) && !options.theme)
        options.problem = tr("--theme is light or dark");
    return options;
}

void resizeWindow(qs::app::MainWindow& window, const QString& size)
{
    const int width = size.section(QLatin1Char('x'), 0, 0).toInt();
    const int height = size.section(QLatin1Char('x'), 1, 1).toInt();
    if (width > 0 && height > 0)
        window.resize(width, height);
}

}  // namespace

namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

void nameProgram()
{
    QCoreApplication::setApplicationName(QStringLiteral("quantscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("QuantScope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(QS_VERSION));
}

int runWindow(int argc, char** argv)
{
    if (qs::app::asksForText(argc, argv)) {
        const QCoreApplication application(argc, argv);
        nameProgram();
        static_cast<void>(parse(application));  // answers and ends
        return 0;
    }
    qs::app::EndSignals::hold();
    qs::app::SafeApplication application(argc, argv);
    const qs::app::EndSignals endSignals;
    QObject::connect(&endSignals, &qs::app::EndSignals::endRequested, &application,
                     [](int signal) { QCoreApplication::exit(128 + signal); });
    // Numbers in files are written and read in the C locale; Qt's own texts follow the user's.
    std::setlocale(LC_NUMERIC, "C");
    nameProgram();
    QApplication::setApplicationDisplayName(QStringLiteral("QuantScope"));

    const Options options = parse(application);
    if (!options.problem.isEmpty()) {
        std::fprintf(stderr, "quantscope: %s\n", qPrintable(options.problem));
        return kExitUsage;
    }
    qs::app::applyTheme(application,
                        options.theme.value_or(qs::app::Settings(options.settings).theme()));
    qs::app::MainWindow window({.paths = qs::core::locatePrograms(),
                                .settingsFile = options.settings,
                                .runsFolder = options.runsFolder.toStdString(),
                                .nvmlLibrary = qs::core::Nvml::kLibrary});
    QObject::connect(&application, &qs::app::SafeApplication::failed, &window,
                     &qs::app::MainWindow::showFault);
    resizeWindow(window, options.size);
    window.showView(options.view);
    window.show();
    if (options.preset.isEmpty())
        window.openFirstPreset();
    else
        window.openPreset(options.preset.toStdString());
    if (!options.run.isEmpty())
        window.openRun(options.run.toStdString());
    else if (options.preset.isEmpty() && !options.start)
        window.openFirstRun();
    if (options.start)
        window.startWhenReady();

    std::optional<qs::app::ScreenshotTaker> screenshot;
    if (!options.screenshot.isEmpty()) {
        screenshot.emplace(window, qs::app::ScreenshotWish{.file = options.screenshot,
                                                           .part = options.part,
                                                           .action = options.action,
                                                           .rows = options.rows});
        QObject::connect(&*screenshot, &qs::app::ScreenshotTaker::taken, &application,
                         [](bool saved) { QCoreApplication::exit(saved ? 0 : kExitFailed); });
    }
    std::optional<qs::app::StartReport> report;
    if (options.reportStart)
        report.emplace(window);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv)
{
    qs::core::openStandardStreams();
    // Both become errors of writing, with words.
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    qs::core::sayLastWords("quantscope", kExitFailed, kExitFailed);
    try {
        return runWindow(argc, argv);
    } catch (...) {
        std::fprintf(stderr, "quantscope: %s\n", qs::core::caughtError().message.c_str());
        return kExitFailed;
    }
}
