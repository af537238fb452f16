#include "widgets/plan/layer_scope_edit.h"

#include "core/quant/layer_filter.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/message_line.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

QList<ChoiceList::Choice> scopes()
{
    return {
        {QStringLiteral("all"), LayerScopeEdit::tr("all in blocks"),
         LayerScopeEdit::tr(
             "Every linear layer of the blocks; embeddings and heads stay in the working dtype")},
        {QStringLiteral("mlp"), LayerScopeEdit::tr("MLP"),
         LayerScopeEdit::tr("Only the linear layers of the MLPs")},
        {QStringLiteral("attention"), LayerScopeEdit::tr("attention"),
         LayerScopeEdit::tr("Only the linear layers of attention")},
        {QStringLiteral("every"), LayerScopeEdit::tr("every linear layer"),
         LayerScopeEdit::tr("Every linear layer, including embeddings and heads")}};
}

QString normalised(const QString& text)
{
    return text.simplified();
}

}  // namespace

LayerScopeEdit::LayerScopeEdit(QWidget* parent)
    : QWidget(parent),
      m_list(new ChoiceList(scopes(), this)),
      m_own(new QLineEdit(this)),
      m_message(newMessageLine(QStringLiteral("ownLayersMessage"), this))
{
    m_list->setObjectName(QStringLiteral("layersList"));
    m_own->setObjectName(QStringLiteral("ownLayers"));
    m_own->setAccessibleName(tr("Custom layer filter"));
    m_own->setPlaceholderText(tr("custom, e.g. mlp -first2"));
    m_own->setToolTip(
        tr("all, mlp, attention, every or regex:EXPRESSION, then -firstN or -lastN to exclude the "
           "first or last N blocks of each stage. Press Enter to add it"));
    setFocusProxy(m_list);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_list);
    layout->addWidget(m_own);
    layout->addWidget(m_message);
    connect(m_list, &ChoiceList::valuesEdited, this, &LayerScopeEdit::valuesEdited);
    connect(m_own, &QLineEdit::textEdited, this, &LayerScopeEdit::check);
    connect(m_own, &QLineEdit::returnPressed, this, &LayerScopeEdit::add);
}

void LayerScopeEdit::setValues(const QStringList& values)
{
    m_list->setValues(values);
}

void LayerScopeEdit::setReasons(const std::map<std::string, std::string>& reasons)
{
    m_list->setReasons(reasons);
}

void LayerScopeEdit::check()
{
    const QString text = normalised(m_own->text());
    const auto filters = core::parseLayerFilters(text.toStdString());
    const bool wrong = !text.isEmpty() && !filters.ok();
    showMessage(*m_message, wrong ? QString::fromStdString(filters.error().message) : QString());
    m_own->setAccessibleDescription(m_message->text());
}

void LayerScopeEdit::add()
{
    const QString text = normalised(m_own->text());
    if (!core::parseLayerFilters(text.toStdString()).ok())
        return;
    QStringList values = m_list->values();
    if (!values.contains(text))
        values << text;
    m_own->clear();
    check();
    m_list->setValues(values);
    Q_EMIT valuesEdited(values);
}

}  // namespace qs::widgets

#include "moc_layer_scope_edit.cpp"
