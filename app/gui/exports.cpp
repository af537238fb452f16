#include "app/gui/exports.h"

#include "app/gui/figure_dialog.h"
#include "app/gui/file_dialog.h"
#include "app/gui/path_text.h"
#include "core/base/files.h"
#include "core/report/profiles/profile_registry.h"
#include "core/report/report.h"
#include "widgets/background/in_background.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/figure_script.h"
#include "widgets/plot/image_file.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QImage>
#include <QMenu>

#include <exception>
#include <utility>

namespace qs::app {

namespace {

widgets::ExportFormat formatOf(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QStringLiteral("svg"))
        return widgets::ExportFormat::Svg;
    return suffix == QStringLiteral("pdf") ? widgets::ExportFormat::Pdf
                                           : widgets::ExportFormat::Png;
}

}  // namespace

Exports::Exports(const Sources& sources, const ExportActions& actions, QWidget& window)
    : m_sources(sources), m_window(window)
{
    connect(actions.tables, &QAction::triggered, this,
            [this] { askForReport("exportTablesDialog", tr("Folder for the CSV files"), false); });
    connect(actions.report, &QAction::triggered, this, [this] {
        askForReport("exportReportDialog", tr("Folder for report.html and its tables"), true);
    });
    connect(actions.curves, &QAction::triggered, this,
            [this] { askForFigure({.widthMillimetres = widgets::kPageMillimetres}); });
    connect(actions.curvesColumn, &QAction::triggered, this,
            [this] { askForFigure({.widthMillimetres = widgets::kColumnMillimetres}); });
    connect(actions.figure, &QAction::triggered, this, &Exports::openFigureDialog);
    connect(actions.copyFigure, &QAction::triggered, this, [this] { copyFigure({}); });
    connect(actions.pictures, &QAction::triggered, this, &Exports::askForPictures);
    addProfiles(*actions.profiles);
    connect(&m_sources.pictures.tools(), &widgets::CompareTools::saveWanted, this,
            &Exports::askForImage);
}

QString Exports::suggestedName(const QString& what) const
{
    QString name = QString::fromStdString(m_sources.store.data().folder.filename().string());
    if (name.isEmpty())
        name = QStringLiteral("quantscope");
    return QStringLiteral("%1-%2").arg(name, what);
}

void Exports::addProfiles(QMenu& menu)
{
    menu.setToolTipsVisible(true);
    for (const core::ExportProfile& profile : core::exportProfiles()) {
        QAction* action = menu.addAction(QString::fromStdString(profile.title) + tr("…"));
        action->setObjectName(QStringLiteral("actionExport:") + QString::fromStdString(profile.id));
        action->setToolTip(widgets::plainTip(QString::fromStdString(profile.about)));
        connect(action, &QAction::triggered, this, [this, &profile] {
            askForFile(m_window,
                       {.name = "exportProfileDialog",
                        .title = tr("Folder for the files"),
                        .mode = QFileDialog::Directory,
                        .makesFolder = true},
                       [this, &profile](const QString& path) { writeProfile(path, profile); });
        });
    }
}

void Exports::writeProfile(const QString& folder, const core::ExportProfile& profile)
{
    inBackground(
        [data = m_sources.store.snapshot(), baseline = m_sources.store.baseline().toStdString(),
         &profile, folder = pathOf(folder)]() -> core::Status {
            const core::Analysis analysis = core::analyse(*data, baseline);
            QS_TRY(const std::vector<std::string> files,
                   core::writeProfile(profile, *data, analysis, folder));
            static_cast<void>(files);
            return {};
        },
        tr("Saved the files of %1 in %2").arg(QString::fromStdString(profile.title), folder));
}

void Exports::askForReport(const char* name, const QString& title, bool everything)
{
    askForFile(m_window,
               {.name = name, .title = title, .mode = QFileDialog::Directory, .makesFolder = true},
               [this, everything](const QString& path) { writeReport(path, everything); });
}

core::Result<widgets::CurveFigure> Exports::paint(widgets::CurveExport options) const
{
    const widgets::CurvePlot& plot = m_sources.plot();
    if (plot.curves().empty())
        return core::Error{core::ErrorCode::InvalidArgument, "no curves or points to export"};
    options.range = plot.visibleRange();
    return widgets::paintFigure(plot.curves(), plot.look(), options);
}

void Exports::openFigureDialog()
{
    auto* dialog =
        new FigureDialog([this](const auto& options) { return paint(options); }, &m_window);
    connect(dialog, &FigureDialog::saveWanted, this, &Exports::askForFigure);
    connect(dialog, &FigureDialog::copyWanted, this, &Exports::copyFigure);
    connect(dialog, &FigureDialog::scriptWanted, this, &Exports::askForScript);
    dialog->open();
}

void Exports::copyFigure(const widgets::CurveExport& options)
{
    const auto figure = paint(options);
    if (figure.ok())
        QApplication::clipboard()->setImage(figure.value().image);
    tell(figure.ok() ? core::Status() : core::Status(figure.error()), tr("Copied the plot"));
}

void Exports::askForScript(const widgets::CurveExport& options)
{
    askForFile(m_window,
               {.name = "exportScriptDialog",
                .title = tr("Save a script for matplotlib"),
                .filter = tr("Python (*.py)"),
                .mode = QFileDialog::AnyFile,
                .suggestion = suggestedName(QStringLiteral("figure.py"))},
               [this, options](const QString& path) { writeScript(path, options); });
}

void Exports::writeScript(const QString& path, const widgets::CurveExport& options)
{
    const widgets::CurvePlot& plot = m_sources.plot();
    // Asked for was the script: its data must not replace a table of that name.
    std::filesystem::path csv = pathOf(path);
    csv.replace_filename(csv.stem().string() + "_data.csv");
    widgets::CurveExport seen = options;
    seen.range = plot.visibleRange();
    const widgets::FigureScript script =
        widgets::figureScript(plot.curves(), plot.look(), seen, textOf(csv.filename()));
    inBackground(
        [script, csv, file = pathOf(path)] {
            const core::Status written = core::writeFileAtomically(csv, script.csv.toStdString());
            return written.ok() ? core::writeFileAtomically(file, script.python.toStdString())
                                : written;
        },
        tr("Saved %1 and %2").arg(path, textOf(csv.filename())));
}

void Exports::askForFigure(const widgets::CurveExport& options)
{
    askForFile(m_window,
               {.name = "exportCurvesDialog",
                .title = tr("Save the curves"),
                .filter = tr("Figures (*.png *.svg *.pdf)"),
                .mode = QFileDialog::AnyFile,
                .suggestion = suggestedName(QStringLiteral("curves.png"))},
               [this, options](const QString& path) { writeFigure(path, options); });
}

void Exports::askForPictures()
{
    askForFile(m_window,
               {.name = "exportPicturesDialog",
                .title = tr("Save the comparison"),
                .filter = tr("Images (*.png)"),
                .mode = QFileDialog::AnyFile,
                .suggestion = suggestedName(QStringLiteral("pictures.png"))},
               [this](const QString& path) { writePictures(path); });
}

void Exports::writeReport(const QString& folder, bool everything)
{
    core::ReportOptions options;
    options.folder = pathOf(folder);
    options.json = everything;
    options.summary = everything;
    options.html = everything;
    const QString message =
        everything ? tr("Saved summary.md, report.html, report.json, cells.csv, measurements.csv, "
                        "samples.csv and environment.json in %1")
                         .arg(folder)
                   : tr("Saved cells.csv, measurements.csv, samples.csv and environment.json in %1")
                         .arg(folder);
    inBackground(
        [data = m_sources.store.snapshot(), baseline = m_sources.store.baseline().toStdString(),
         options] { return core::writeReport(*data, core::analyse(*data, baseline), options); },
        message);
}

void Exports::writeFigure(const QString& path, widgets::CurveExport options)
{
    // Painting needs the GUI thread; encoding and writing do not.
    options.format = formatOf(path);
    options.provenance = widgets::provenanceTexts(m_sources.store.data());
    auto figure = paint(std::move(options));
    if (!figure.ok()) {
        tell(figure.error(), {});
        return;
    }
    inBackground([figure = std::move(figure).value(),
                  file = pathOf(path)] { return widgets::writeFigure(figure, file); },
                 tr("Saved %1").arg(path));
}

void Exports::writePictures(const QString& path)
{
    m_sources.pictures.exportPng(pathOf(path), [this, path](const core::Status& status) {
        tell(status, tr("Saved %1").arg(path));
    });
}

void Exports::askForImage(const QImage& image, const QString& name)
{
    QString plain = name;
    for (const char16_t letter : {u'/', u'\\', u':', u' ', u'·'})
        plain.replace(QChar(letter), QLatin1Char('_'));
    askForFile(m_window,
               {.name = "exportImageDialog",
                .title = tr("Save the image"),
                .filter = tr("Images (*.png)"),
                .mode = QFileDialog::AnyFile,
                .suggestion = plain + QStringLiteral(".png")},
               [this, image](const QString& path) {
                   inBackground([image, path] { return widgets::writePng(image, pathOf(path)); },
                                tr("Saved %1").arg(path));
               });
}

void Exports::inBackground(std::function<core::Status()> write, const QString& message)
{
    ++m_writing;
    const auto guardedWrite = [write = std::move(write)]() -> core::Status {
        try {
            return write();
        } catch (const std::exception& failure) {
            return core::Error{core::ErrorCode::Internal, failure.what()};
        }
    };
    widgets::inBackground(this, guardedWrite, [this, message](const core::Status& status) {
        --m_writing;
        tell(status, message);
    });
}

void Exports::tell(const core::Status& status, const QString& message)
{
    if (status.ok())
        Q_EMIT saved(message);
    else
        Q_EMIT failed(QString::fromStdString(status.error().message));
}

}  // namespace qs::app

#include "moc_exports.cpp"
