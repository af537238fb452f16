#pragma once

#include "app/gui/main_window.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QStyleFactory>
#include <QTest>

#include <string>
#include <utility>

namespace qs::tests {

// A sweep that a processor does in seconds: a tiny untrained ViTok on two generated pictures of 32
// pixels.
inline std::string tinyPreset(const std::string& batches = "[1, 2]")
{
    return R"({
  "schema_version": 1,
  "name": "Tiny sweep",
  "description": "Six cells of a tiny model.",
  "defaults": {"model": "vitok:w64_d1_h2-w48_d2_h3/1x8x16", "device": "cpu", "precision": "bf16",
               "compile": "none", "image_size": 32},
  "axes": {"precision": ["bf16", "fp32", "int8dq"], "batch": )" +
           batches + R"(},
  "rounds": 1,
  "noise_floor": false,
  "measurement": {"minimum_warmup_seconds": 0.01, "maximum_warmup_seconds": 0.05,
                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.05,
                  "minimum_samples": 3, "maximum_samples": 5},
  "pictures": {"source": "procedural", "count": 2}
})";
}

// Two cells on whatever model and images a person gives.
inline std::string shortSweep()
{
    return R"({
  "schema_version": 1,
  "name": "Good enough?",
  "defaults": {"model": "vitok:w64_d1_h2-w48_d2_h3/1x8x16", "device": "cpu", "precision": "bf16",
               "compile": "none", "image_size": 64},
  "axes": {"precision": ["bf16", "int8dq"]},
  "rounds": 1,
  "noise_floor": false,
  "measurement": {"minimum_warmup_seconds": 0.01, "maximum_warmup_seconds": 0.05,
                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.05,
                  "minimum_samples": 3, "maximum_samples": 5}
})";
}

// A place for everything that a window writes, so that no test touches the user's settings or runs.
class WindowFixture
{
public:
    [[nodiscard]] app::WindowOptions options() const
    {
        core::ProgramPaths paths = core::locatePrograms();
        paths.trustFile = m_folder / "agreed_paths.json";
        return {.paths = std::move(paths),
                .settingsFile = QString::fromStdString((m_folder / "settings.ini").string()),
                .runsFolder = m_folder / "runs",
                .nvmlLibrary = core::Nvml::kLibrary};
    }
    [[nodiscard]] app::WindowOptions withoutEngine() const
    {
        app::WindowOptions without = options();
        without.paths.worker = "/nonexistent/quantscope-worker";
        return without;
    }
    [[nodiscard]] std::filesystem::path preset(const std::string& text) const
    {
        const std::filesystem::path path = m_folder / "preset.json";
        writeFile(path, text);
        return path;
    }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const
    {
        return m_folder / name;
    }

private:
    TestFolder m_folder;
};

// For what hangs.
inline constexpr int kHangsMs = 60'000;

// Of the shipped runs.
inline std::filesystem::path exampleRun(const std::string& name = "demo_h200")
{
    return core::locatePrograms().resources / "example_runs" / name;
}

// Opens a run and waits until the window shows it; false if that hangs.
[[nodiscard]] inline bool opens(app::MainWindow& window, const std::filesystem::path& folder)
{
    window.openRun(folder);
    return QTest::qWaitFor(
        [&] { return window.store().data().folder == folder && window.isSettled(); }, kHangsMs);
}

// A shipped run, with its answer chosen and its images in view.
[[nodiscard]] inline bool opensExample(app::MainWindow& window,
                                       const std::string& name = "demo_h200")
{
    return opens(window, exampleRun(name)) &&
           QTest::qWaitFor([&] { return !window.store().selectedCell().isEmpty(); }, kHangsMs) &&
           QTest::qWaitFor([&] { return window.isSettled(); }, kHangsMs);
}

// Types a path into an open file dialog and presses its button.
inline void acceptDialog(QFileDialog& dialog, const std::filesystem::path& path)
{
    child<QLineEdit>(dialog, "fileNameEdit")->setText(QString::fromStdString(path.string()));
    auto* buttons = child<QDialogButtonBox>(dialog, "buttonBox");
    for (QAbstractButton* button : buttons->buttons()) {
        if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
            button->click();
    }
}

// Fusion is the only style that looks the same everywhere.
inline void setUpApplication()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
}

}  // namespace qs::tests
