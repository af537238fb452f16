#pragma once

#include "app/gui/run_controller.h"
#include "tests/app/window_fixture.h"
#include "tests/run/fake_plan.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <chrono>
#include <optional>
#include <string>

namespace qs::tests {

// A cell starts a process that loads PyTorch: seconds on a busy machine.
inline constexpr int kEngineMs = 90'000;
inline constexpr int kRunMs = 180'000;

// Tells the fake worker how long every cell takes.
class FakePace final
{
public:
    explicit FakePace(std::chrono::milliseconds cell)
    {
        qputenv(kVariable, QByteArray::number(static_cast<qlonglong>(cell.count())));
    }
    ~FakePace() { qunsetenv(kVariable); }
    FakePace(const FakePace&) = delete;
    FakePace& operator=(const FakePace&) = delete;

private:
    static constexpr const char* kVariable = "QS_FAKE_CELL_MILLISECONDS";
};

// A window with the tiny sweep as its draft.
struct OpenedWindow {
    WindowFixture fixture;
    std::optional<FakePace> pace;
    app::MainWindow window;
    QSignalSpy finished{&window.controller(), &app::RunController::runFinished};
    QPushButton* run = child<QPushButton>(window, "runButton");

    // With the real worker.
    explicit OpenedWindow(const std::string& batches = "[1, 2]") : window(fixture.options())
    {
        begin(batches);
    }
    // With one that measures nothing: after `cell` it answers with the inputs. Enough for what is
    // said of the window alone, and many times quicker.
    explicit OpenedWindow(std::chrono::milliseconds cell, const std::string& batches = "[1, 2]")
        : pace(cell), window(withFakeWorker(fixture.options()))
    {
        begin(batches);
    }
    // Once the engine has answered and the cells are counted.
    [[nodiscard]] bool getsReady() const
    {
        return QTest::qWaitFor([this] { return run->isEnabled(); }, kEngineMs);
    }
    // The run that goes on, the first of this window.
    [[nodiscard]] bool stopsNow() const
    {
        child<QAction>(window, "actionStopNow")->trigger();
        return QTest::qWaitFor([this] { return finished.count() == 1; }, kEngineMs);
    }

private:
    [[nodiscard]] static app::WindowOptions withFakeWorker(app::WindowOptions options)
    {
        options.paths.worker = fakeWorker();
        return options;
    }
    void begin(const std::string& batches)
    {
        window.show();
        window.openPreset(fixture.preset(tinyPreset(batches)));
    }
};

}  // namespace qs::tests
