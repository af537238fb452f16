// What the Layers tab takes from a run, and what it gives to the draft.
#include "core/measure/layer_report.h"
#include "core/record/layer_reports.h"
#include "core/sweep/cell_member.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/gui_test.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/keyboard.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/layers_view.h"
#include "widgets/model/sensitivity_view.h"
#include "widgets/plot/sensitivity_plot.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeView>

#include <algorithm>
#include <fstream>

namespace qs::tst_measured_layers {

using namespace widgets;

namespace {

// Width 64, two blocks a side.
constexpr const char* kSmall = "vitok:w64_d2_h4/1x8x16";
constexpr const char* kOther = "vitok:w64_d3_h4/1x8x16";
constexpr const char* kLayer = "decoder_blocks.1.ffn.fc1";

Inspection smallModel()
{
    return std::make_shared<core::ModelInspection>(core::inspectModel(kSmall, {}, 42));
}

core::Preset presetOf(std::vector<std::string> layers)
{
    core::Preset preset;
    preset.defaults.model = kSmall;
    preset.defaults.precision = {"int8dq"};
    preset.defaults.sizes.set("image_size", 64);
    preset.axes.push_back({"layers", std::move(layers)});
    return preset;
}

core::PlannedCell cellOf(const std::string& id, const std::string& precision,
                         const std::string& layers, std::int64_t bytes)
{
    core::PlannedCell cell;
    cell.id = id;
    cell.config.model = kSmall;
    cell.config.precision = {precision};
    cell.config.layers = layers;
    cell.referenceId = "ref";
    cell.weightBytes = bytes;
    cell.trained = true;
    return cell;
}

// int8dq of all layers and of three blocks alone, with a loss each.
core::RunData measuredRun(const std::filesystem::path& folder)
{
    core::RunData data;
    data.folder = folder;
    data.plan.cells = {cellOf("ref", "bf16", "all", 1000), cellOf("whole", "int8dq", "all", 500),
                       cellOf("a", "int8dq", "only:decoder_blocks.0", 900),
                       cellOf("b", "int8dq", "only:decoder_blocks.1", 900),
                       cellOf("c", "int8dq", "only:encoder_blocks.0", 800)};
    for (const core::PlannedCell& cell : data.plan.cells)
        tests::addRow(data, cell.id, 0, {0.5, 0.5, 0.5});
    const std::pair<const char*, double> losses[] = {
        {"whole", 0.1}, {"a", 0.01}, {"b", 0.05}, {"c", 0.02}};
    for (const auto& [cell, loss] : losses) {
        tests::addQuality(data, cell, "ref", 0, 1.0 - loss);
    }
    return data;
}

void writeReport(const core::RunData& data, const std::string& cell,
                 std::optional<double> solverLoss = std::nullopt)
{
    core::LayerReport report;
    report.samples = 4;
    report.layers.push_back({.stage = "decoder",
                             .module = kLayer,
                             .scheme = "int8dq",
                             .weightShape = {256, 64},
                             .bytesBefore = 32768,
                             .bytesAfter = 16640,
                             .scale = {0.001, 0.002, 0.004, 256},
                             .codes = 16384,
                             .saturated = 4096,
                             .underflown = 8192,
                             .weightError = 0.005,
                             .localError = 0.0075,
                             .cumulativeError = 0.02});
    if (solverLoss) {
        report.layers.back().solverLoss = solverLoss;
        report.layers.back().solverSeconds = 1.5;
        report.layers.back().deadColumns = 3;
        report.layers.back().roundedToNearest = false;
    }
    const std::filesystem::path file =
        data.folder / "cells" / core::outputPlace(cell) / core::kLayerReportFile;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << core::toJson(report).dump();
}

// Below its stage and block.
QModelIndex indexOf(const QAbstractItemModel& model, const QString& path,
                    const QModelIndex& parent = {})
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (index.data(Qt::ToolTipRole).toString() == path)
            return index;
        if (const QModelIndex found = indexOf(model, path, index); found.isValid())
            return found;
    }
    return {};
}

// Of the last stage.
int blocksOf(const LayerTreeModel& model)
{
    const auto& children = model.tree().stages.back().children;
    return static_cast<int>(std::count_if(children.begin(), children.end(), [](const auto& node) {
        return node.path.starts_with("decoder_blocks.");
    }));
}

// The modules that a filter meets.
std::set<std::string> metBy(const std::string& filter)
{
    const Inspection model = smallModel();
    const auto recipe = core::makeRecipe(*model->family, {"int8wo"}, filter);
    std::set<std::string> met;
    for (const core::LayerRow& row : core::layerTable(*model->family, recipe.value())) {
        if (row.matched)
            met.insert(row.module);
    }
    return met;
}

}  // namespace

class TestMeasuredLayers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void theReportOfTheRunStandsInTheTree()
    {
        const tests::TestFolder folder;
        const core::RunData data = measuredRun(folder.path());
        writeReport(data, "whole");
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"all", "mlp"}));
        view.resize(1000, 700);
        view.show();
        QTRY_VERIFY(!view.isLoading());
        auto* tree = tests::child<QTreeView>(view, "layerTree");
        QVERIFY(tree->isColumnHidden(LayerTreeModel::LocalError));
        store.setRun(data);
        QTRY_VERIFY(!tree->isColumnHidden(LayerTreeModel::LocalError));
        const QModelIndex layer = indexOf(*tree->model(), QString::fromLatin1(kLayer));
        QVERIFY(layer.isValid());
        const auto text = [&](int column) {
            return layer.siblingAtColumn(column).data().toString();
        };
        QCOMPARE(text(LayerTreeModel::Scale), QStringLiteral("0.00200"));
        QCOMPARE(text(LayerTreeModel::Saturated), QStringLiteral("25.0 %"));
        QCOMPARE(text(LayerTreeModel::Underflown), QStringLiteral("50.0 %"));
        QCOMPARE(text(LayerTreeModel::WeightError), QStringLiteral("0.500 %"));
        QCOMPARE(text(LayerTreeModel::LocalError), QStringLiteral("0.750 %"));
        QCOMPARE(text(LayerTreeModel::CumulativeError), QStringLiteral("2.00 %"));
        // Another filter of the draft has not been measured.
        auto* layers = tests::child<QComboBox>(view, "layersFilterChoice");
        tests::click(*layers);
        tests::press(Qt::Key_Down);
        tests::press(Qt::Key_Return);
        QTRY_VERIFY(tree->isColumnHidden(LayerTreeModel::LocalError));
        tests::screenshot(view, QStringLiteral("layers-measured"));
    }

    // The draft may be of another model: nobody may take it for the run.
    void layersAreThoseOfTheRunInView()
    {
        const tests::TestFolder folder;
        core::RunData data = measuredRun(folder.path());
        for (core::PlannedCell& cell : data.plan.cells)
            cell.config.model = kOther;
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"mlp"}));
        view.resize(1000, 700);
        view.show();
        auto* of = tests::child<QComboBox>(view, "layersOf");
        QVERIFY(!of->isEnabled());
        QTRY_VERIFY(!view.isLoading() && view.layers().tree().stages.size() == 2);
        QCOMPARE(blocksOf(view.layers()), 2);
        store.setRun(data);
        QTRY_COMPARE(blocksOf(view.layers()), 3);
        QCOMPARE(of->currentData().value<LayersOf>(), LayersOf::Run);
        // Filters are those of the run, ticks and sweeps of parts would be for the draft.
        const auto* filters = tests::child<QComboBox>(view, "layersFilterChoice");
        QCOMPARE(filters->findText(QStringLiteral("mlp")), -1);
        QVERIFY(filters->findText(QStringLiteral("only:decoder_blocks.1")) >= 0);
        QTRY_VERIFY(!tests::child<QWidget>(view, "sensitivityBlocks")->isEnabled());
        auto* tree = tests::child<QTreeView>(view, "layerTree");
        tests::clickAt(
            *tree, tree->viewport()->mapTo(tree->window(),
                                           tree->visualRect(tree->model()->index(0, 0)).center()));
        tests::press(Qt::Key_Space);
        QVERIFY(!tests::child<QPushButton>(view, "layersUseTicked")->isEnabled());
        // Editing the draft changes nothing of it; a person can look at the draft, and back.
        view.setPreset(presetOf({"all", "mlp"}));
        QCOMPARE(filters->findText(QStringLiteral("mlp")), -1);
        for (const auto& [key, blocks] : {std::pair(Qt::Key_Down, 2), std::pair(Qt::Key_Up, 3)}) {
            tests::click(*of);
            tests::press(key);
            tests::press(Qt::Key_Return);
            QTRY_COMPARE(blocksOf(view.layers()), blocks);
        }
        store.setRun(core::RunData());
        QTRY_COMPARE(blocksOf(view.layers()), 2);
        QVERIFY(!of->isEnabled());
    }

    void aModelThatIsNotHereIsSaid()
    {
        const tests::TestFolder folder;
        core::RunData data = measuredRun(folder.path());
        for (core::PlannedCell& cell : data.plan.cells)
            cell.config.model = "/gone/weights.safetensors";
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"all"}));
        view.resize(1000, 700);
        view.show();
        QTRY_VERIFY(!view.isLoading());
        store.setRun(data);
        auto* empty = tests::child<QLabel>(view, "layersEmpty");
        QTRY_VERIFY(!view.isLoading() &&
                    empty->text().contains(QStringLiteral("/gone/weights.safetensors")));
        QVERIFY(empty->isVisible());
        QVERIFY(!tests::child<QTreeView>(view, "layerTree")->isVisible());
        QVERIFY(tests::child<QLabel>(view, "layersSummary")->text().isEmpty());
    }

    void whatASolverLeftStandsInColumnsOfItsOwn()
    {
        for (const bool solved : {false, true}) {
            const tests::TestFolder folder;
            const core::RunData data = measuredRun(folder.path());
            writeReport(data, "whole", solved ? std::optional(0.125) : std::nullopt);
            RunStore store;
            LayersView view(store);
            view.setModel(smallModel());
            view.setPreset(presetOf({"all"}));
            view.show();
            QTRY_VERIFY(!view.isLoading());
            auto* tree = tests::child<QTreeView>(view, "layerTree");
            store.setRun(data);
            QTRY_VERIFY(!tree->isColumnHidden(LayerTreeModel::LocalError));
            QCOMPARE(tree->isColumnHidden(LayerTreeModel::SolverLoss), !solved);
            QCOMPARE(tree->isColumnHidden(LayerTreeModel::SolverSeconds), !solved);
            QCOMPARE(tree->isColumnHidden(LayerTreeModel::DeadColumns), !solved);
            const QModelIndex layer = indexOf(*tree->model(), QString::fromLatin1(kLayer));
            QCOMPARE(layer.siblingAtColumn(LayerTreeModel::SolverLoss).data().toString(),
                     solved ? QStringLiteral("0.125") : QString());
            QCOMPARE(layer.siblingAtColumn(LayerTreeModel::SolverSeconds).data().toString(),
                     solved ? QStringLiteral("1.50 s") : QString());
            QCOMPARE(layer.siblingAtColumn(LayerTreeModel::DeadColumns).data().toString(),
                     solved ? QStringLiteral("3") : QString());
        }
    }

    // The report lies with an eager cell, the kernels are those of a fused one.
    void kernelsOfFusedCellsStandInAColumnOfTheirOwn()
    {
        const tests::TestFolder folder;
        core::RunData data = measuredRun(folder.path());
        writeReport(data, "whole");
        core::PlannedCell fused = cellOf("fused", "int8dq", "all", 500);
        fused.config.compile = "fused";
        data.plan.cells.push_back(fused);
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"all"}));
        view.show();
        QTRY_VERIFY(!view.isLoading());
        auto* tree = tests::child<QTreeView>(view, "layerTree");
        store.setRun(data);
        QTRY_VERIFY(!tree->isColumnHidden(LayerTreeModel::Executed));
        QVERIFY(tree->isColumnHidden(LayerTreeModel::Fused));
        core::StageCompile stage;
        stage.stage = "decoder";
        stage.kernels = {{.kernel = "qs_product_int8_128x96",
                          .module = "decoder_blocks.0.ffn.fc1",
                          .operations = {"_int_mm", "silu"},
                          .calls = 2}};
        core::Measurement& row = tests::addRow(data, "fused", 0, {0.5, 0.5});
        row.config = fused.config;
        row.result.compiles = {stage};
        store.setRun(core::RunData());
        store.setRun(data);
        QTRY_VERIFY(!tree->isColumnHidden(LayerTreeModel::Fused));
        const QModelIndex kernel = indexOf(*tree->model(), QString::fromLatin1(kLayer))
                                       .siblingAtColumn(LayerTreeModel::Fused);
        QCOMPARE(kernel.data().toString(), QStringLiteral("qs_product_int8_128x96"));
        QVERIFY(kernel.data(Qt::ToolTipRole).toString().contains(QStringLiteral("_int_mm, silu")));
        tests::screenshot(view, QStringLiteral("layers-fused"));
    }

    void aReportOfAnotherModelIsNotShown()
    {
        const tests::TestFolder folder;
        core::RunData data = measuredRun(folder.path());
        writeReport(data, "whole");
        QVERIFY(measuredLayers(data, {kSmall, "int8dq", "all"}).has_value());
        QVERIFY(!measuredLayers(data, {"demo", "int8dq", "all"}).has_value());
        QVERIFY(!measuredLayers(data, {kSmall, "int8wo", "all"}).has_value());
        QVERIFY(!measuredLayers(data, {kSmall, "int8dq", "mlp"}).has_value());
    }

    void tickedLayersBecomeAFilter()
    {
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"mlp"}));
        view.resize(1000, 700);
        view.show();
        QTRY_VERIFY(!view.isLoading());
        auto* use = tests::child<QPushButton>(view, "layersUseTicked");
        QVERIFY(!use->isEnabled());
        auto* tree = tests::child<QTreeView>(view, "layerTree");
        tree->expandAll();
        const QModelIndex layer = indexOf(*tree->model(), QString::fromLatin1(kLayer));
        QCOMPARE(layer.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        tree->scrollTo(layer);
        tests::clickAt(*tree,
                       tree->viewport()->mapTo(tree->window(), tree->visualRect(layer).center()));
        tests::press(Qt::Key_Space);
        QCOMPARE(layer.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QCOMPARE(layer.parent().data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
        QSignalSpy wanted(&view, &LayersView::filterWanted);
        QTRY_VERIFY(use->isEnabled());
        tests::click(*use);
        QCOMPARE(wanted.size(), 1);
        const QString filter = wanted.front().front().toString();
        std::set<std::string> expected = metBy("mlp");
        QCOMPARE(expected.erase(kLayer), std::size_t{1});
        QVERIFY2(metBy(filter.toStdString()) == expected, qPrintable(filter));
        // The draft takes it: what it meets is shown at once, and nothing is left to be added.
        view.setPreset(presetOf({"mlp", filter.toStdString()}));
        QCOMPARE(tests::child<QComboBox>(view, "layersFilterChoice")->currentText(), filter);
        QTRY_VERIFY(!use->isEnabled());
    }

    void noTicksOfAStageWhoseNamesAreThoseOfAnother()
    {
        const auto layer = [](const char* stage, const char* path) {
            LayerNode node;
            node.stage = stage;
            node.name = node.path = path;
            node.linearLayers = node.matchedLayers = 1;
            return node;
        };
        LayerTree tree;
        for (const char* stage : {"encoder", "decoder"}) {
            LayerNode& node = tree.stages.emplace_back();
            node.stage = node.name = stage;
            node.linearLayers = 2;
            node.children = {layer(stage, "0.fc1"), layer(stage, "0.fc2")};
        }
        LayerTicks ticks;
        ticks.follow(tree);
        QCOMPARE(ticks.filter(tree), std::string("only:0.fc1,0.fc2"));
        ticks.tick(tree.stages[0], false);
        QCOMPARE(ticks.stateOf(tree.stages[0]), Qt::Unchecked);
        QCOMPARE(ticks.filter(tree), std::string("all -regex:./only:0.fc1,0.fc2"));
        QVERIFY(!ticks.areThoseOf(tree));
        ticks.tick(tree.stages[0].children[1], true);
        QCOMPARE(ticks.filter(tree), std::string("only:0.fc2/only:0.fc1,0.fc2"));
    }

    void theWorstPartsAreKept()
    {
        const tests::TestFolder folder;
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"all"}));
        view.resize(1000, 800);
        view.show();
        QTRY_VERIFY(!view.isLoading());
        auto* kept = tests::child<QSpinBox>(view, "sensitivityKept");
        QVERIFY(!kept->isVisible());
        store.setRun(measuredRun(folder.path()));
        QTRY_VERIFY(kept->isVisible());
        QCOMPARE(kept->maximum(), 3);
        auto* plot = tests::child<SensitivityPlot>(view, "sensitivityPlot");
        QTRY_VERIFY(plot->height() >= 120);
        tests::screenshot(view, QStringLiteral("layers-sensitivity"));
        // Losses over bytes: b .05/100, then a .01/100 and c .02/200.
        tests::clickAt(*plot, plot->mapTo(plot->window(), plot->placeOf(0).toPoint()));
        QCOMPARE(store.selectedCell(), QStringLiteral("b"));
        QSignalSpy wanted(&view, &LayersView::filterWanted);
        auto* add = tests::child<QPushButton>(view, "sensitivityAdd");
        tests::click(*add);
        QCOMPARE(wanted.takeFirst().front().toString(),
                 QStringLiteral("all -only:decoder_blocks.1"));
        tests::click(*kept);
        tests::press(Qt::Key_Up);
        tests::press(Qt::Key_Up);
        tests::click(*add);
        QCOMPARE(wanted.takeFirst().front().toString(),
                 QStringLiteral("all -only:decoder_blocks.{0-1},encoder_blocks.0"));
    }

    void aSweepOfEachBlockIsOffered()
    {
        RunStore store;
        LayersView view(store);
        view.setModel(smallModel());
        view.setPreset(presetOf({"all"}));
        view.resize(1000, 700);
        view.show();
        QTRY_VERIFY(!view.isLoading());
        core::Preset sweep;
        connect(&view, &LayersView::sweepWanted, this,
                [&](const core::Preset& preset) { sweep = preset; });
        tests::click(*tests::child<QPushButton>(view, "sensitivityBlocks"));
        QCOMPARE(sweep.axes.size(), std::size_t{1});
        QCOMPARE(sweep.axes.front().name, std::string("layers"));
        QCOMPARE(sweep.axes.front().values.size(), std::size_t{5});  // all, and four blocks
        tests::click(*tests::child<QPushButton>(view, "sensitivityLayers"));
        QCOMPARE(sweep.axes.front().values.size(), std::size_t{17});
    }
};

const tests::GuiTest<TestMeasuredLayers> registered(__FILE_NAME__);

}  // namespace qs::tst_measured_layers

#include "tst_measured_layers.moc"
