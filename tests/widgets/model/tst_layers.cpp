#include "tests/support/image_shape.h"
#include "tests/widgets/support/children.h"
#include "tests/widgets/support/mouse.h"
#include "tests/widgets/support/screens.h"
#include "widgets/model/layers_view.h"

#include "core/graph/cost.h"
#include "core/lower/compile_mode.h"
#include "tests/support/gui_test.h"
#include "widgets/table/severity_delegate.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

namespace qs::tst_layers {

using namespace widgets;

namespace {

// Width 64, two blocks a side, codes of 16 values: the head of 12 values suits no int8 product.
constexpr const char* kSmall = "vitok:w64_d2_h4/1x8x16";

Inspection inspectionOf(const std::string& reference)
{
    return std::make_shared<core::ModelInspection>(core::inspectModel(reference, {}, 42));
}

core::Preset presetOf(std::vector<std::string> precisions, std::vector<std::string> layers = {})
{
    core::Preset preset;
    preset.defaults.model = kSmall;
    preset.defaults.sizes.set("image_size", 64);
    preset.axes = {{"precision", std::move(precisions)}};
    if (!layers.empty())
        preset.axes.push_back({"layers", std::move(layers)});
    return preset;
}

LayerTree treeOf(const std::vector<std::string>& schemes, const std::string& layers,
                 std::int64_t imageSize = 64)
{
    const auto family = inspectionOf(kSmall)->family;
    return makeLayerTree(*family, core::makeRecipe(*family, schemes, layers).value(),
                         {1, {{"image_size", imageSize}}});
}

const LayerNode* find(const LayerNode& node, const std::string& path)
{
    if (node.path == path)
        return &node;
    for (const LayerNode& child : node.children) {
        if (const LayerNode* found = find(child, path))
            return found;
    }
    return nullptr;
}

}  // namespace

class TestLayers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { tests::setUpWidgets(); }
    void init() { tests::failOnQtWarnings(); }

    void sumsAreThoseOfTheModel()
    {
        const Inspection model = inspectionOf(kSmall);
        const LayerTree tree = treeOf({"int8dq"}, "all");
        QCOMPARE(tree.stages.size(), std::size_t{2});
        const core::Recipe recipe = core::makeRecipe(*model->family, {"int8dq"}, "all").value();
        std::int64_t bytes = 0;
        for (std::size_t i = 0; i < tree.stages.size(); ++i) {
            std::int64_t parameters = 0;
            for (const core::WeightSpec& weight : model->family->stages()[i].weights)
                parameters += weight.elementCount();
            QCOMPARE(tree.stages[i].parameters, parameters);
            QCOMPARE(tree.stages[i].flops,
                     core::costOf(
                         model->family
                             ->buildStage(i, qs::tests::imageShape(1, 64), core::DType::BFloat16)
                             .value())
                         .flops());
            bytes += tree.stages[i].bytesAfter;
        }
        QCOMPARE(bytes, core::residentWeightBytes(*model->family, recipe));
        int matched = 0;
        for (const core::LayerRow& row : core::layerTable(*model->family, recipe))
            matched += row.matched ? 1 : 0;
        QCOMPARE(tree.stages[0].matchedLayers + tree.stages[1].matchedLayers, matched);
    }

    void blocksHoldTheirModules()
    {
        const LayerTree tree = treeOf({"int8dq"}, "mlp -first1");
        const LayerNode& decoder = tree.stages[1];
        QCOMPARE(decoder.name, std::string("decoder"));
        const LayerNode* block = find(decoder, "decoder_blocks.1");
        QVERIFY(block != nullptr && !block->children.empty());
        const LayerNode* layer = find(*block, "decoder_blocks.1.ffn.fc1");
        QVERIFY(layer != nullptr && layer->isLinear());
        QCOMPARE(layer->name, std::string("ffn.fc1"));
        QVERIFY(layer->role == core::LayerRole::Mlp);
        const auto attends = [](const LayerNode& each) {
            return each.role == core::LayerRole::Attention;
        };
        QVERIFY(std::any_of(block->children.begin(), block->children.end(), attends));
        QVERIFY2(!block->role, "a block has several");
        QCOMPARE(layer->matchedLayers, 1);
        QCOMPARE(layer->scheme, std::string("int8dq"));
        QVERIFY(layer->bytesAfter < layer->bytesBefore);
        QVERIFY(layer->flops > 0.0);
        const LayerNode* skipped = find(decoder, "decoder_blocks.0.ffn.fc1");
        QCOMPARE(skipped->matchedLayers, 0);
        QCOMPARE(skipped->reason, std::string("in the first 1 blocks"));
        QCOMPARE(skipped->bytesAfter, skipped->bytesBefore);
    }

    void regionsAreFoundByTheirOperations()
    {
        const LayerTree tree = treeOf({"bf16"}, "all");
        const auto regionsOf = [&](const char* path) {
            return find(tree.stages[1], path)->regions;
        };
        QVERIFY(regionsOf("decoder_blocks.1") == std::set{core::RegionKind::Block});
        QVERIFY(regionsOf("decoder_blocks.1.ffn.fc1") == std::set{core::RegionKind::Mlp});
        LayerTreeModel model;
        model.setTree(tree);
        const QModelIndex block =
            model
                .match(model.index(0, 0, model.index(1, 0)), Qt::DisplayRole,
                       QStringLiteral("decoder_blocks.1"), 1, Qt::MatchExactly)
                .value(0);
        QCOMPARE(block.siblingAtColumn(LayerTreeModel::Regions).data().toString(),
                 QStringLiteral("block"));
    }

    void whatRanInAnotherPrecisionIsRed()
    {
        const LayerTree tree = treeOf({"int8dq"}, "all");
        LayerTreeModel model;
        model.setTree(tree);
        const auto cell = [&](const char* path, int column) {
            return model
                .match(model.index(0, LayerTreeModel::Name, model.index(1, 0)), Qt::ToolTipRole,
                       QString::fromLatin1(path), 1, Qt::MatchExactly | Qt::MatchRecursive)
                .value(0)
                .siblingAtColumn(column);
        };
        core::LayerReport report;
        for (const char* path : {"decoder_blocks.0.ffn.fc1", "decoder_blocks.0.ffn.fc2"})
            report.layers.push_back({.stage = "decoder",
                                     .module = path,
                                     .scheme = "int8dq",
                                     .weightShape = {},
                                     .executed = "int8"});
        report.layers.back().mismatch = true;
        report.layers.back().executed = "bf16";
        model.setReport(report);
        const QModelIndex asAsked = cell("decoder_blocks.0.ffn.fc1", LayerTreeModel::Executed);
        const QModelIndex astray = cell("decoder_blocks.0.ffn.fc2", LayerTreeModel::Executed);
        QVERIFY(!asAsked.data().toString().isEmpty());
        QVERIFY(!asAsked.data(Qt::ForegroundRole).isValid());
        for (const bool dark : {false, true}) {
            const QPalette palette = dark ? tests::darkPalette() : tests::lightPalette();
            QApplication::setPalette(palette);
            QCOMPARE(astray.data(Qt::ForegroundRole).value<QColor>(),
                     severityColor(Severity::Error, palette));
            QVERIFY(
                !astray.siblingAtColumn(LayerTreeModel::Scale).data(Qt::ForegroundRole).isValid());
        }
        QApplication::setPalette(tests::lightPalette());
        model.setReport({});
        QVERIFY(!astray.data(Qt::ForegroundRole).isValid());
    }

    void ticksBecomeRegions()
    {
        const LayerTree tree = treeOf({"bf16"}, "all");
        LayerTicks ticks;
        const auto tick = [&](int stage, const char* path, bool ticked) {
            ticks.tick(*find(tree.stages[std::size_t(stage)], path), ticked);
        };
        QCOMPARE(ticks.regions(tree), std::string("none"));
        // A module of which all layers are ticked, a layer alone, and a block.
        for (const char* path : {"decoder_blocks.0.ffn.fc1", "decoder_blocks.0.ffn.fc2"})
            tick(1, path, true);
        QCOMPARE(ticks.regions(tree), std::string("regions:at=decoder_blocks.0.ffn"));
        tick(1, "decoder_blocks.0.ffn.fc2", false);
        tick(0, "encoder_blocks.1", true);
        QCOMPARE(ticks.regions(tree),
                 std::string("regions:at=decoder_blocks.0.ffn.fc1+encoder_blocks.1"));
        QVERIFY(core::parseCompileMode(ticks.regions(tree)).ok());
        tick(0, "encoder_blocks.0", true);
        tick(1, "decoder_blocks.0.ffn.fc1", false);
        QCOMPARE(ticks.regions(tree), std::string("regions:at=encoder_blocks.{0-1}"));
    }

    // Prefill and decode of a language model have the same modules.
    void stagesWithTheSameModulesHaveModesOfTheirOwn()
    {
        const auto family = inspectionOf("llama:w64_d2_h4_k2_f96_v128")->family;
        const LayerTree tree =
            makeLayerTree(*family, core::makeRecipe(*family, {"bf16"}, "all").value(), {1, {}});
        LayerTicks ticks;
        ticks.tick(*find(tree.stages[0], "model.layers.1"), true);
        QCOMPARE(ticks.regions(tree), std::string("regions:at=model.layers.1/none"));
        ticks.tick(*find(tree.stages[1], "model.layers.1"), true);
        QCOMPARE(ticks.regions(tree), std::string("regions:at=model.layers.1"));
    }

    void whatCannotBeARegionIsSaid()
    {
        RunStore store;
        LayersView view(store);
        view.resize(760, 420);
        view.show();
        core::Preset preset = presetOf({"bf16"});
        preset.defaults.model = "llama:w64_d2_h4_k2_f96_v128";
        view.setModel(inspectionOf(preset.defaults.model));
        view.setPreset(preset);
        QTRY_VERIFY(!view.isLoading());
        const QSignalSpy wanted(&view, &LayersView::compileWanted);
        const QString before = tests::child<QLabel>(view, "layersSummary")->text();
        QTest::mouseClick(tests::child<QPushButton>(view, "layersCompileTicked"), Qt::LeftButton);
        QTRY_VERIFY(tests::child<QLabel>(view, "layersSummary")->text() != before);
        QCOMPARE(wanted.size(), 0);  // blocks write to the cache
    }

    void pairsGiveEachStageItsOwn()
    {
        const LayerTree tree = treeOf({"bf16", "int8wo"}, "all");
        QCOMPARE(tree.stages[0].scheme, std::string("bf16"));
        QCOMPARE(tree.stages[0].bytesAfter, tree.stages[0].bytesBefore);
        QCOMPARE(tree.stages[1].scheme, std::string("int8wo"));
        QVERIFY(tree.stages[1].bytesAfter < tree.stages[1].bytesBefore);
    }

    void aShapeThatCannotBeBuiltLeavesTheLayers()
    {
        const LayerTree tree = treeOf({"bf16"}, "all", 63);
        QVERIFY(!tree.problem.empty());
        QCOMPARE(tree.stages.size(), std::size_t{2});
        QCOMPARE(tree.stages[0].flops, 0.0);
        QVERIFY(tree.stages[0].parameters > 0);
    }

    void isAQtModel()
    {
        LayerTreeModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTree(treeOf({"int8dq"}, "all"));
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex encoder = model.index(0, 0);
        QCOMPARE(encoder.data().toString(), QStringLiteral("encoder"));
        QVERIFY(model.rowCount(encoder) > 2);
        QCOMPARE(model.parent(model.index(1, 0, encoder)), encoder);
        for (int column = 0; column < LayerTreeModel::ColumnCount; ++column)
            QVERIFY(
                !model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        model.setTree({});
        QCOMPARE(model.rowCount(), 0);
    }

    void followsTheEditor()
    {
        RunStore store;
        LayersView view(store);
        view.resize(760, 420);
        view.show();
        auto* empty = view.findChild<QLabel*>(QStringLiteral("layersEmpty"));
        QVERIFY(empty->isVisible());
        view.setModel(inspectionOf(kSmall));
        view.setPreset(presetOf({"bf16", "int8dq", "bf16/int8dq"}, {"all", "mlp"}));
        QTRY_VERIFY(!view.isLoading());
        auto* precision = view.findChild<QComboBox*>(QStringLiteral("layersPrecision"));
        QCOMPARE(precision->currentText(), QStringLiteral("int8dq"));  // the first that quantizes
        auto* summary = view.findChild<QLabel*>(QStringLiteral("layersSummary"));
        QVERIFY2(summary->text().startsWith(QStringLiteral("16 of 20 linear layers match")),
                 qPrintable(summary->text()));
        auto* layers = view.findChild<QComboBox*>(QStringLiteral("layersFilterChoice"));
        layers->setCurrentIndex(1);
        Q_EMIT layers->activated(1);
        QTRY_VERIFY(summary->text().startsWith(QStringLiteral("8 of 20")));
        // The choice is kept while the sweep has it.
        view.setPreset(presetOf({"int8dq"}, {"all", "mlp", "attention"}));
        QTRY_VERIFY(!view.isLoading());
        QCOMPARE(layers->currentText(), QStringLiteral("mlp"));
        view.setPreset(presetOf({"bf16"}));
        QTRY_VERIFY(summary->text().contains(QStringLiteral("16 of 20")));
    }

    void theMenuOfTheTreeDoesWhatTheButtonsDo()
    {
        RunStore store;
        LayersView view(store);
        view.resize(760, 420);
        view.show();
        view.setModel(inspectionOf(kSmall));
        view.setPreset(presetOf({"int8dq"}));
        QTRY_VERIFY(!view.isLoading());
        const auto* use = tests::child<QAction>(view, "layersUseTickedAction");
        auto* compile = tests::child<QAction>(view, "layersCompileTickedAction");
        QVERIFY2(!use->isEnabled(), "what is ticked is what the recipe meets");
        QVERIFY(!tests::child<QPushButton>(view, "layersUseTicked")->isEnabled());
        QVERIFY(compile->isEnabled());
        const QSignalSpy wanted(&view, &LayersView::compileWanted);
        QTimer clicks;  // the menu waits for it
        connect(&clicks, &QTimer::timeout, &clicks, [&] {
            if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget()))
                QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(compile).center());
        });
        clicks.start(10);
        const auto* tree = tests::child<QTreeView>(view, "layerTree");
        QTest::mouseClick(view.windowHandle(), Qt::RightButton, {},
                          tests::middleOf(*tree->viewport()));
        QTRY_COMPARE(wanted.size(), 1);
    }

    // In a narrow window the bar takes another row; no word of it is cut.
    void theBarIsWholeWhereItIsNarrow()
    {
        RunStore store;
        LayersView view(store);
        view.resize(430, 420);
        view.show();
        view.setModel(inspectionOf(kSmall));
        view.setPreset(presetOf({"bf16", "int8dq", "bf16/float8dq-row"}, {"all", "mlp -first1"}));
        QTRY_VERIFY(!view.isLoading());
        for (const char* name : {"layersPrecision", "layersFilterChoice", "layersUseTicked",
                                 "layersCompileTicked", "layersSearch"}) {
            const auto* part = tests::child<QWidget>(view, name);
            QTRY_VERIFY2(part->width() >= std::min(part->sizeHint().width(), part->maximumWidth()),
                         name);
            QVERIFY2(part->mapTo(&view, part->rect().bottomRight()).x() < view.width(), name);
        }
        const auto* search = tests::child<QLineEdit>(view, "layersSearch");
        QVERIFY(search->width() >
                search->fontMetrics().horizontalAdvance(search->placeholderText()));
    }

    void searchFindsReasons()
    {
        RunStore store;
        LayersView view(store);
        view.show();
        view.setModel(inspectionOf(kSmall));
        view.setPreset(presetOf({"int8dq"}));
        QTRY_VERIFY(!view.isLoading());
        auto* tree = view.findChild<QTreeView*>(QStringLiteral("layerTree"));
        auto* search = view.findChild<QLineEdit*>(QStringLiteral("layersSearch"));
        search->setText(QStringLiteral("outside the blocks"));
        QCOMPARE(tree->model()->rowCount(), 2);
        QCOMPARE(tree->model()->rowCount(tree->model()->index(0, 0)), 2);  // patch_embed, to_code
        search->setText(QStringLiteral("no such layer"));
        QCOMPARE(tree->model()->rowCount(), 0);
    }

    void badWishesAreSaid()
    {
        RunStore store;
        LayersView view(store);
        view.show();
        view.setModel(inspectionOf(kSmall));
        view.setPreset(presetOf({"magic"}));
        auto* empty = view.findChild<QLabel*>(QStringLiteral("layersEmpty"));
        QTRY_VERIFY(empty->isVisible() && empty->text().contains(QStringLiteral("magic")));
        view.setModel(inspectionOf("/nowhere"));
        QTRY_VERIFY(empty->text().contains(QStringLiteral("not recognised")));
        view.setModel(nullptr);
        QTRY_VERIFY(empty->isVisible());
    }

    void looksRight()
    {
        for (const bool dark : {false, true}) {
            const QPalette palette = dark ? tests::darkPalette() : tests::lightPalette();
            QApplication::setPalette(palette);
            RunStore store;
            LayersView view(store);
            view.setModel(inspectionOf(kSmall));
            view.setPreset(presetOf({"int8dq"}));
            view.resize(760, 460);
            view.show();
            QTRY_VERIFY(!view.isLoading());
            auto* tree = view.findChild<QTreeView*>(QStringLiteral("layerTree"));
            tree->expand(tree->model()->index(1, 0, tree->model()->index(0, 0)));
            const QImage image = tests::screenshot(view, dark ? QStringLiteral("layers-dark")
                                                              : QStringLiteral("layers-light"));
            QCOMPARE(image.width(), qRound(760 * view.devicePixelRatioF()));
        }
        QApplication::setPalette(tests::lightPalette());
    }
};

const tests::GuiTest<TestLayers> registered(__FILE_NAME__);

}  // namespace qs::tst_layers

#include "tst_layers.moc"
