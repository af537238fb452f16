#pragma once

#include "app/gui/window_actions.h"
#include "core/base/result.h"
#include "widgets/models/run_store.h"
#include "widgets/plot/curve_export.h"

#include <QObject>
#include <QString>

#include <functional>

class QMenu;
class QWidget;

namespace qs::core {
struct ExportProfile;
}  // namespace qs::core

namespace qs::widgets {
class CompareView;
class CurvePlot;
}  // namespace qs::widgets

namespace qs::app {

// What the window writes for others to read: tables, reports, figures. Asks where, draws on the GUI
// thread what only it can draw, and encodes and writes on a thread of the pool.
class Exports final : public QObject
{
    Q_OBJECT

public:
    struct Sources {
        widgets::RunStore& store;
        // The plot in view.
        std::function<const widgets::CurvePlot&()> plot;
        widgets::CompareView& pictures;
    };

    // Connects the export actions. Everything given must outlive the object.
    Exports(const Sources& sources, const ExportActions& actions, QWidget& window);

    // Something is still being written.
    [[nodiscard]] bool isWriting() const { return m_writing > 0; }

Q_SIGNALS:
    // "Saved summary.md and 4 tables in /home/…".
    void saved(const QString& message);
    void failed(const QString& problem);

private:
    void askForReport(const char* name, const QString& title, bool everything);
    void askForFigure(const widgets::CurveExport& options);
    void askForScript(const widgets::CurveExport& options);
    void openFigureDialog();
    void copyFigure(const widgets::CurveExport& options);
    [[nodiscard]] core::Result<widgets::CurveFigure> paint(widgets::CurveExport options) const;
    void askForPictures();
    void writeReport(const QString& folder, bool everything);
    void addProfiles(QMenu& menu);
    void writeProfile(const QString& folder, const core::ExportProfile& profile);
    void writeFigure(const QString& path, widgets::CurveExport options);
    void writeScript(const QString& path, const widgets::CurveExport& options);
    void writePictures(const QString& path);
    // One image, or a part of one.
    void askForImage(const QImage& image, const QString& name);
    // Runs `write` on the pool; `message` is for the user once it is done.
    void inBackground(std::function<core::Status()> write, const QString& message);
    void tell(const core::Status& status, const QString& message);
    [[nodiscard]] QString suggestedName(const QString& what) const;

    Sources m_sources;
    QWidget& m_window;
    int m_writing = 0;
};

}  // namespace qs::app
