#include "app/gui/exports.h"

#include "app/gui/file_dialog.h"
#include "app/gui/path_text.h"
#include "core/report/report.h"
#include "widgets/background/in_background.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_export.h"
#include "widgets/plot/curve_view.h"

#include <QAction>
#include <QFileInfo>

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
    connect(actions.report, &QAction::triggered, this,
            [this] { askForReport("exportReportDialog", tr("Folder for the report"), true); });
    connect(actions.curves, &QAction::triggered, this,
            [this] { askForFigure(widgets::kPageMillimetres); });
    connect(actions.curvesColumn, &QAction::triggered, this,
            [this] { askForFigure(widgets::kColumnMillimetres); });
    connect(actions.pictures, &QAction::triggered, this, &Exports::askForPictures);
}

QString Exports::suggestedName(const QString& what) const
{
    QString name = QString::fromStdString(m_sources.store.data().folder.filename().string());
    if (name.isEmpty())
        name = QStringLiteral("quantscope");
    return QStringLiteral("%1-%2").arg(name, what);
}

void Exports::askForReport(const char* name, const QString& title, bool everything)
{
    askForFile(m_window, {.name = name, .title = title, .mode = QFileDialog::Directory},
               [this, everything](const QString& path) { writeReport(path, everything); });
}

void Exports::askForFigure(double widthMillimetres)
{
    askForFile(
        m_window,
        {.name = "exportCurvesDialog",
         .title = tr("Save the curves"),
         .filter = tr("Figures (*.png *.svg *.pdf)"),
         .mode = QFileDialog::AnyFile,
         .suggestion = suggestedName(QStringLiteral("curves.png"))},
        [this, widthMillimetres](const QString& path) { writeFigure(path, widthMillimetres); });
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

void Exports::writeFigure(const QString& path, double widthMillimetres)
{
    // Painting needs the GUI thread; encoding and writing do not.
    auto figure = m_sources.curves.paintFigure(
        {.format = formatOf(path),
         .widthMillimetres = widthMillimetres,
         .provenance = widgets::provenanceTexts(m_sources.store.data())});
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
