#pragma once

#include <QApplication>
#include <QString>
#include <QTest>

#include <memory>
#include <string_view>

// Several classes of tests are one program: each says so in its file,
//     const tests::GuiTest<TestAnswer> registered(__FILE_NAME__);
// and is run by the name of that file: "widget_tests tst_answer [what Qt Test takes]".
namespace qs::tests {

// Puts what begins one class of tests on the program's list.
class GuiTestEntry
{
public:
    explicit GuiTestEntry(std::string_view fileName);
    virtual ~GuiTestEntry() = default;
    GuiTestEntry(const GuiTestEntry&) = delete;
    GuiTestEntry& operator=(const GuiTestEntry&) = delete;

    // Without the ending of the file.
    [[nodiscard]] std::string_view name() const { return m_name; }
    // Runs it in an application of its own; answers the exit code.
    [[nodiscard]] virtual int run(int argc, char** argv) const = 0;

private:
    std::string_view m_name;
};

template <typename Test, typename Application = QApplication>
class GuiTest final : public GuiTestEntry
{
public:
    using GuiTestEntry::GuiTestEntry;

    [[nodiscard]] int run(int argc, char** argv) const override
    {
        Application application(argc, argv);
        // What Qt keeps for an application is not shared with the other tests of the program.
        QApplication::setApplicationName(
            QString::fromUtf8(name().data(), qsizetype(name().size())));
        Test test;
        return QTest::qExec(&test, argc, argv);
    }
};

}  // namespace qs::tests
