#include "core/base/sha256.h"
#include "core/model/catalogue.h"
#include "core/run/program_trust.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/support/written_package.h"
#include "tests/support/written_script.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/convert_dialog.h"
#include "widgets/model/model_status.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <memory>

namespace qs::tst_convert_dialog {

using namespace widgets;
using tests::child;

namespace {

constexpr int kHangs = 60'000;  // milliseconds

}  // namespace

// Against a worker without an engine, which does as the name of the first input says.
class TestConvertDialog : public QObject
{
    Q_OBJECT

private:
    [[nodiscard]] std::string hash() const { return core::sha256File(m_program).value(); }

    // Opened as a person does: by the button under the model.
    ConvertDialog* open()
    {
        m_status = std::make_unique<ModelStatus>(nullptr);
        m_choices = std::make_unique<QSignalSpy>(m_status.get(), &ModelStatus::choiceMade);
        m_status->resize(500, 200);
        m_status->showInspection(std::make_shared<core::ModelInspection>(
            core::inspectModel(m_program.string(), {}, 42)));
        m_status->show();
        if (!QTest::qWaitForWindowExposed(m_status.get()))
            return nullptr;
        tests::click(*child<QPushButton>(*m_status, "modelConvert"));
        auto* dialog = m_status->findChild<ConvertDialog*>();
        if (dialog == nullptr || !QTest::qWaitForWindowActive(dialog))
            return nullptr;
        QLineEdit* known = child<QLineEdit>(*dialog, "convertHash");
        return QTest::qWaitFor([known] { return !known->text().isEmpty(); }, kHangs) ? dialog
                                                                                     : nullptr;
    }

    static void declare(ConvertDialog& dialog, const QString& text)
    {
        tests::click(*child<QLineEdit>(dialog, "convertInput0"));
        tests::type(text);
    }

private Q_SLOTS:
    void initTestCase()
    {
        tests::setUpWidgets();
        qputenv("QUANTSCOPE_WORKER", QS_FAKE_WORKER);
    }
    void init()
    {
        tests::failOnQtWarnings();
        m_folder = std::make_unique<tests::TestFolder>();
        m_program = *m_folder / "net.pt";
        m_archive = *m_folder / "net.pt2";
        QVERIFY(tests::writeScript(m_program));
        qputenv("QUANTSCOPE_CACHE", (*m_folder / "cache").c_str());
        m_trust = std::make_unique<core::ProgramTrust>(*m_folder / "cache/trusted_programs.json");
    }
    void cleanup()
    {
        m_status.reset();
        qunsetenv("QUANTSCOPE_CACHE");
    }
    void cleanupTestCase() { qunsetenv("QUANTSCOPE_WORKER"); }

    void nothingRunsBeforeTheInputsAreKnown()
    {
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        auto& convert = *child<QPushButton>(*dialog, "convertButton");
        QCOMPARE(child<QLineEdit>(*dialog, "convertHash")->text().toStdString(), hash());
        QVERIFY(dialog->findChild<QLineEdit*>(QStringLiteral("convertInput1")) != nullptr);
        QVERIFY(!convert.isEnabled());
        QCOMPARE(tests::focusName(), QStringLiteral("convertInput0"));
        declare(*dialog, QStringLiteral("floaty[1]"));
        QVERIFY(!convert.isEnabled());
        tests::click(convert);
        QVERIFY(!std::filesystem::exists(m_archive));
        QVERIFY(!m_trust->trusts(hash()));
    }

    void aCleanConversionOpensTheArchive()
    {
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        declare(*dialog, QStringLiteral("float32[batch,3,8,8]"));
        tests::click(*child<QPushButton>(*dialog, "convertButton"));
        QVERIFY(QTest::qWaitFor([this] { return !m_choices->isEmpty(); }, kHangs));
        QCOMPARE(m_choices->front().front().toString().toStdString(), m_archive.string());
        QCOMPARE(tests::readFile(m_archive), "converted from " + hash());
        // Trusted this once.
        QVERIFY(!m_trust->trusts(hash()));
    }

    // A package is tried and opened itself; how many inputs it has is seen as they are declared.
    void aPackageIsTriedAndOpened()
    {
        m_program = *m_folder / "package.pt2";
        tests::WrittenPackage().write(m_program);
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        QVERIFY(child<QLineEdit>(*dialog, "convertArchive")->isReadOnly());
        QVERIFY(dialog->findChild<QLineEdit*>(QStringLiteral("convertInput1")) == nullptr);
        declare(*dialog, QStringLiteral("float32[batch,8]"));
        tests::click(*child<QLineEdit>(*dialog, "convertInput1"));
        tests::type(QStringLiteral("int64[batch]"));
        QVERIFY(dialog->findChild<QLineEdit*>(QStringLiteral("convertInput2")) != nullptr);
        tests::click(*child<QPushButton>(*dialog, "convertButton"));
        QVERIFY(QTest::qWaitFor([this] { return !m_choices->isEmpty(); }, kHangs));
        QCOMPARE(m_choices->front().front().toString().toStdString(), m_program.string());
        QCOMPARE(tests::readFile(*m_folder / "package.package.json"), "converted from " + hash());
        // Agreed to for as long as this process lives: what is tried is run soon.
        QVERIFY(m_trust->trusts(hash()));
        QVERIFY(m_trust->all().empty());
    }

    void trustIsRememberedAndForgotten()
    {
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        QVERIFY(!child<QPushButton>(*dialog, "convertForget")->isEnabled());
        // Its box; the rest of the row is empty.
        auto& remember = *child<QCheckBox>(*dialog, "convertRemember");
        tests::clickAt(remember, remember.mapTo(dialog, QPoint(8, remember.height() / 2)));
        declare(*dialog, QStringLiteral("float32[batch,3,8,8]"));
        tests::click(*child<QPushButton>(*dialog, "convertButton"));
        QVERIFY(QTest::qWaitFor([this] { return !m_choices->isEmpty(); }, kHangs));
        QVERIFY(m_trust->trusts(hash()));
        dialog = open();
        QVERIFY(dialog != nullptr);
        auto& forget = *child<QPushButton>(*dialog, "convertForget");
        QVERIFY(forget.isEnabled());
        tests::click(forget);
        QVERIFY(!forget.isEnabled());
        QVERIFY(!m_trust->trusts(hash()));
    }

    void whatIsLessThanHopedForIsReadFirst_data()
    {
        QTest::addColumn<QString>("how");
        QTest::newRow("the batch is fixed") << QStringLiteral("fixed");
        QTest::newRow("nothing kept it from files or network") << QStringLiteral("unshut");
    }

    void whatIsLessThanHopedForIsReadFirst()
    {
        QFETCH(const QString, how);
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        declare(*dialog, how + QStringLiteral("=float32[batch,3,8,8]"));
        auto& convert = *child<QPushButton>(*dialog, "convertButton");
        tests::click(convert);
        QVERIFY(QTest::qWaitFor([&] { return std::filesystem::exists(m_archive); }, kHangs));
        QVERIFY(QTest::qWaitFor([&] { return convert.isEnabled(); }, kHangs));
        QVERIFY(m_choices->isEmpty());
        tests::click(convert);
        QCOMPARE(m_choices->size(), 1);
    }

    void aProgramThatCannotBeConvertedLeavesWhatWasThere()
    {
        tests::writeFile(m_archive, "of yesterday");
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        declare(*dialog, QStringLiteral("broken=float32[batch,3,8,8]"));
        auto& convert = *child<QPushButton>(*dialog, "convertButton");
        tests::click(convert);
        QVERIFY(!convert.isEnabled());
        QVERIFY(QTest::qWaitFor([&] { return convert.isEnabled(); }, kHangs));
        QVERIFY(m_choices->isEmpty());
        QCOMPARE(tests::readFile(m_archive), std::string("of yesterday"));
    }

    void cancelEndsTheWorker()
    {
        ConvertDialog* dialog = open();
        QVERIFY(dialog != nullptr);
        declare(*dialog, QStringLiteral("slow=float32[batch,3,8,8]"));
        tests::click(*child<QPushButton>(*dialog, "convertButton"));
        QTest::qWait(200);
        tests::press(Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([this] { return m_status->findChild<ConvertDialog*>() == nullptr; },
                                kHangs));
        m_status.reset();
        QVERIFY(!std::filesystem::exists(m_archive));
        // Nothing of it is left beside the program.
        for (const auto& entry : std::filesystem::directory_iterator(m_folder->path()))
            QVERIFY(!entry.path().filename().string().starts_with(".quantscope"));
    }

private:
    std::unique_ptr<tests::TestFolder> m_folder;
    std::filesystem::path m_program;
    std::filesystem::path m_archive;
    std::unique_ptr<core::ProgramTrust> m_trust;
    std::unique_ptr<ModelStatus> m_status;
    std::unique_ptr<QSignalSpy> m_choices;
};

const tests::GuiTest<TestConvertDialog> registered(__FILE_NAME__);

}  // namespace qs::tst_convert_dialog

#include "tst_convert_dialog.moc"
