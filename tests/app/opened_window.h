#pragma once

#include "app/gui/run_controller.h"
#include "tests/app/window_fixture.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <string>

namespace qs::tests {

// A cell starts a process that loads PyTorch: seconds on a busy machine.
inline constexpr int kEngineMs = 90'000;
inline constexpr int kRunMs = 180'000;

// A window with the tiny sweep as its draft.
struct OpenedWindow {
    WindowFixture fixture;
    app::MainWindow window{fixture.options()};
    QSignalSpy finished{&window.controller(), &app::RunController::runFinished};
    QPushButton* run = child<QPushButton>(window, "runButton");

    explicit OpenedWindow(const std::string& batches = "[1, 2]")
    {
        window.show();
        window.openPreset(fixture.preset(tinyPreset(batches)));
    }
    // Once the engine has answered and the cells are counted.
    [[nodiscard]] bool getsReady() const
    {
        return QTest::qWaitFor([this] { return run->isEnabled(); }, kEngineMs);
    }
};

}  // namespace qs::tests
