#include "tests/app/window_fixture.h"
#include "tests/support/gui_test.h"
#include "tests/support/sample_run.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/curve_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFontComboBox>
#include <QImage>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>

#include <filesystem>

namespace qs::tst_figure_export {

using app::MainWindow;
using tests::child;

namespace {

constexpr int kFigureMs = 30'000;

// The window with a run, and the dialog for its figure.
struct Figure {
    tests::WindowFixture fixture;
    MainWindow window{fixture.withoutEngine()};
    QDialog* dialog = nullptr;

    Figure()
    {
        child<QAction>(window, "actionPlan")->setChecked(false);
        window.show();
        window.store().setRun(tests::sampleRun());
        QCoreApplication::processEvents();
        child<QAction>(window, "actionExportFigure")->trigger();
        dialog = child<QDialog>(window, "figureDialog");
    }
    [[nodiscard]] const widgets::CurvePlot& plot() const
    {
        return child<widgets::CurveView>(window, "curveView")->plot();
    }
    [[nodiscard]] QImage preview() const
    {
        return child<QLabel>(*dialog, "figurePreview")->pixmap(Qt::ReturnByValue).toImage();
    }
    // As a hand does it: click into the field, select all, type, leave it.
    void type(const char* name, const QString& text) const
    {
        auto* box = child<QDoubleSpinBox>(*dialog, name);
        tests::click(*box->findChild<QLineEdit*>());
        QTest::keySequence(box, QKeySequence::SelectAll);
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Tab);
    }
    [[nodiscard]] QImage copied() const
    {
        QApplication::clipboard()->clear();
        tests::click(*child<QPushButton>(*dialog, "figureCopy"));
        return QApplication::clipboard()->image();
    }
};

QStringList fieldsOf(const QString& line)
{
    return line.split(QLatin1Char(','));
}

}  // namespace

// The figure for a paper, by mouse and keys: what is chosen is what is copied and saved.
class TestFigureExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpApplication(); }
    void init() { tests::failOnQtWarnings(); }
    void cleanup() { QTRY_VERIFY(QApplication::topLevelWidgets().isEmpty()); }

    void widthFontAndLegend();
    void copiesWithoutTheDialog();
    void scriptAndData();
};

void TestFigureExport::widthFontAndLegend()
{
    const Figure figure;
    constexpr double kDotsPerMillimetre = 300.0 / 25.4;
    QImage before = figure.preview();
    QVERIFY(!before.isNull());
    const auto changed = [&] {
        const QImage now = figure.preview();
        const bool differs = now != before;
        before = now;
        return differs;
    };
    QVERIFY(qAbs(figure.copied().width() - 88.9 * kDotsPerMillimetre) <= 2.0);
    figure.type("figureWidth", QStringLiteral("120"));
    QVERIFY(changed());
    QVERIFY(qAbs(figure.copied().width() - 120.0 * kDotsPerMillimetre) <= 2.0);
    // A width of no journal is "other", and that of one is named.
    const auto* column = child<QComboBox>(*figure.dialog, "figureColumn");
    QCOMPARE(column->currentIndex(), column->count() - 1);
    figure.type("figureWidth", QStringLiteral("89"));
    QCOMPARE(column->currentData().toDouble(), 89.0);
    // A title takes room of its own above the plot.
    const QSize untitled = figure.copied().size();
    auto* title = child<QLineEdit>(*figure.dialog, "figureTitle");
    tests::click(*title);
    QTest::keyClicks(title, QStringLiteral("int8 on one GPU"));
    QVERIFY(changed());
    QVERIFY(figure.copied().height() > untitled.height());
    QCOMPARE(figure.copied().width(), untitled.width());
    static_cast<void>(changed());
    figure.type("figurePoints", QStringLiteral("12"));
    QVERIFY(changed());
    auto* legend = child<QComboBox>(*figure.dialog, "figureLegend");
    tests::click(*legend);
    QTRY_VERIFY(legend->view()->isVisible());
    QTest::keyClick(legend->view(), Qt::Key_End);
    QTest::keyClick(legend->view(), Qt::Key_Return);
    QTRY_COMPARE(legend->currentData().toInt(), static_cast<int>(widgets::LegendPlace::None));
    QVERIFY(changed());
    figure.dialog->close();
}

void TestFigureExport::copiesWithoutTheDialog()
{
    const Figure figure;
    figure.dialog->close();
    QApplication::clipboard()->clear();
    child<QAction>(figure.window, "actionCopyFigure")->trigger();
    QVERIFY(!QApplication::clipboard()->image().isNull());
}

void TestFigureExport::scriptAndData()
{
    Figure figure;
    tests::click(*child<QPushButton>(*figure.dialog, "figureScript"));
    const std::filesystem::path file = figure.fixture / "figure.py";
    tests::acceptDialog(*child<QFileDialog>(figure.window, "exportScriptDialog"), file);
    QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(file), kFigureMs);
    // Each mark of the view, number for number and in its order.
    const QStringList lines =
        QString::fromStdString(tests::readFile(figure.fixture / "figure_data.csv"))
            .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    qsizetype at = 1;
    for (const widgets::Curve& curve : figure.plot().curves().curves) {
        for (const widgets::CurvePoint& point : curve.points) {
            QVERIFY(at < lines.size());
            const QStringList fields = fieldsOf(lines[at++]);
            QCOMPARE(fields[1], curve.name);
            QCOMPARE(fields[2], point.cellId);
            QCOMPARE(fields[3].toDouble(), point.x);
            QCOMPARE(fields[4].toDouble(), point.y);
        }
    }
    QVERIFY(at > 10);
    // The axes as they stand.
    const QString python = QString::fromStdString(tests::readFile(file));
    const QRectF range = figure.plot().visibleRange();
    const QRegularExpression limits(
        QStringLiteral("set_([xy])lim\\(([-0-9.e+]+), ([-0-9.e+]+)\\)"));
    int found = 0;
    for (auto match = limits.globalMatch(python); match.hasNext(); ++found) {
        const QRegularExpressionMatch each = match.next();
        const bool across = each.captured(1) == QStringLiteral("x");
        QCOMPARE(each.captured(2).toDouble(), across ? range.left() : range.top());
        QCOMPARE(each.captured(3).toDouble(), across ? range.right() : range.bottom());
    }
    QCOMPARE(found, 2);
    QVERIFY(python.contains(figure.plot().curves().yLabel));
    QProcess compiler;
    compiler.start(QStandardPaths::findExecutable(QStringLiteral("python3")),
                   {QStringLiteral("-m"), QStringLiteral("py_compile"),
                    QString::fromStdString(file.string())});
    QVERIFY(compiler.waitForFinished(kFigureMs));
    QVERIFY2(compiler.exitCode() == 0, compiler.readAllStandardError().constData());
    figure.dialog->close();
}

const tests::GuiTest<TestFigureExport> registered(__FILE_NAME__);

}  // namespace qs::tst_figure_export

#include "tst_figure_export.moc"
