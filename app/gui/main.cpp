#include "app/gui/end_signals.h"
#include "app/gui/main_window.h"
#include "app/gui/safe_application.h"
#include "app/gui/screenshot_taker.h"
#include "app/gui/start_report.h"
#include "app/gui/theme.h"
#include "app/gui/window/window_size.h"
#include "app/source_commit.h"
#include "core/base/caught.h"
#include "core/base/standard_streams.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QStringList>

#include <signal.h>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

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
    QString rows;
    QString theme;
    QStringList items;
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

struct TextOption {
    const char* name;
    const char* about;
    const char* value;
    QString Options::*text;
};
constexpr TextOption kTextOptions[] = {
    {"preset", QT_TRANSLATE_NOOP("main", "Open this preset."), "file", &Options::preset},
    {"run", QT_TRANSLATE_NOOP("main", "Open this run folder."), "folder", &Options::run},
    {"screenshot",
     QT_TRANSLATE_NOOP("main", "Save a screenshot of the window when everything is loaded and no "
                               "run is in progress, then quit."),
     "file", &Options::screenshot},
    {"screenshot-part",
     QT_TRANSLATE_NOOP("main", "Save only this part of the window, such as planPanel, viewTabs, "
                               "compareView or answerBar."),
     "name", &Options::part},
    {"screenshot-action",
     QT_TRANSLATE_NOOP(
         "main",
         "Trigger this action first, such as actionMeasured, which opens the part measuredWindow."),
     "name", &Options::action},
    {"screenshot-rows",
     QT_TRANSLATE_NOOP("main", "Save the screenshot once this many rows are measured."), "number",
     &Options::rows},
    {"runs", QT_TRANSLATE_NOOP("main", "Create new run folders in this folder."), "folder",
     &Options::runsFolder},
    {"settings", QT_TRANSLATE_NOOP("main", "Keep the settings in this file."), "file",
     &Options::settings},
    {"theme", QT_TRANSLATE_NOOP("main", "light or dark; default: the theme chosen in the window."),
     "name", &Options::theme},
    {"size", QT_TRANSLATE_NOOP("main", "Size of the window, such as 1366x768."), "WxH",
     &Options::size},
    {"view",
     QT_TRANSLATE_NOOP("main", "Show curves, pareto, time, table, layers, compile or runs."),
     "name", &Options::view}};

Options parse(const QCoreApplication& application)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("main", text); };
    QCommandLineParser parser;
    parser.setApplicationDescription(tr("Compares quantization modes of PyTorch models."));
    parser.addHelpOption();
    parser.addVersionOption();
    for (const TextOption& option : kTextOptions)
        parser.addOption({QString::fromLatin1(option.name), tr(option.about),
                          QString::fromLatin1(option.value)});
    const QCommandLineOption start(QStringLiteral("start"), tr("Start the sweep at once."));
    const QCommandLineOption reportStart(QStringLiteral("report-start"),
                                         tr("Print \"usable\" when the window responds and "
                                            "\"filled\" when it shows its run, then quit."));
    parser.addOptions({start, reportStart});
    parser.addPositionalArgument(QStringLiteral("items"),
                                 tr("What to open, as if it were dropped on the window: presets, "
                                    "run folders, models, images."),
                                 QStringLiteral("[items...]"));
    parser.process(application);
    Options options;
    for (const TextOption& option : kTextOptions)
        options.*option.text = parser.value(QString::fromLatin1(option.name));
    options.items = parser.positionalArguments();
    options.start = parser.isSet(start);
    options.reportStart = parser.isSet(reportStart);
    if (parser.isSet(QStringLiteral("theme")) && !themeOf(options.theme))
        options.problem = tr("--theme must be light or dark");
    if (parser.isSet(QStringLiteral("size")) && !qs::app::sizeOf(options.size))
        options.problem = tr("--size must be width and height in pixels, such as 1366x768");
    return options;
}

// With what was asked for in it.
void showWindow(qs::app::MainWindow& window, const Options& options)
{
    if (const auto size = qs::app::sizeOf(options.size))
        qs::app::giveSize(window, *size);
    window.beginWithView(options.view);
    window.show();
    if (options.preset.isEmpty())
        window.openFirstPreset();
    else
        window.openPreset(options.preset.toStdString());
    if (!options.run.isEmpty())
        window.openRun(options.run.toStdString());
    else if (options.preset.isEmpty() && options.items.isEmpty() && !options.start)
        window.openFirstRun();
    std::vector<std::filesystem::path> items;
    for (const QString& item : options.items)
        items.emplace_back(QFileInfo(item).absoluteFilePath().toStdString());
    window.openItems(items);
    if (options.start)
        window.startWhenReady();
}

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

void nameProgram()
{
    QCoreApplication::setApplicationName(QStringLiteral("quantscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("QuantScope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(QS_VERSION));
}

// Ends the program once the picture is taken that the options ask for.
void takeScreenshot(qs::app::MainWindow& window, const Options& options,
                    std::optional<qs::app::ScreenshotTaker>& screenshot)
{
    if (options.screenshot.isEmpty())
        return;
    screenshot.emplace(window, qs::app::ScreenshotWish{.file = options.screenshot,
                                                       .part = options.part,
                                                       .action = options.action,
                                                       .rows = options.rows.toInt()});
    QObject::connect(&*screenshot, &qs::app::ScreenshotTaker::taken, qApp,
                     [](bool saved) { QCoreApplication::exit(saved ? 0 : kExitFailed); });
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
    qs::app::applyTheme(
        application, themeOf(options.theme).value_or(qs::app::Settings(options.settings).theme()));
    qs::app::MainWindow window({.paths = qs::core::locatePrograms(),
                                .settingsFile = options.settings,
                                .runsFolder = options.runsFolder.toStdString(),
                                .commit = QString::fromLatin1(qs::app::sourceCommit()),
                                .nvmlLibrary = qs::core::Nvml::kLibrary});
    QObject::connect(&application, &qs::app::SafeApplication::failed, &window,
                     &qs::app::MainWindow::showFault);
    showWindow(window, options);
    std::optional<qs::app::ScreenshotTaker> screenshot;
    takeScreenshot(window, options, screenshot);
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
