#pragma once

#include "tests/app/window_fixture.h"

// The window and what it opens, for tests that go over all of it.
namespace qs::tests {

// Shows a large window with the tiny sweep as its draft and a shipped run in view; false if that
// hangs.
[[nodiscard]] inline bool showsExample(app::MainWindow& window, const WindowFixture& fixture)
{
    window.resize(1500, 900);
    window.show();
    if (!QTest::qWaitForWindowActive(&window))
        return false;
    window.openPreset(fixture.preset(tinyPreset()));
    return opensExample(window);
}

// The newest window of the program beside the main one, popups too; null if there is none.
inline QWidget* openedBeside(const app::MainWindow& window)
{
    for (QWidget* each : QApplication::topLevelWidgets()) {
        if (each != &window && each->isVisible())
            return each;
    }
    return nullptr;
}

}  // namespace qs::tests
