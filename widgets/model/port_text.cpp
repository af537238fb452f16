#include "widgets/model/port_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace qs::widgets {

namespace {

struct PortWords {
    Q_DECLARE_TR_FUNCTIONS(PortText)
};

QString typeText(const core::TensorType& type, bool batched)
{
    QStringList extents;
    for (const std::int64_t extent : type.shape)
        extents << (batched && extents.isEmpty() ? PortWords::tr("batch")
                                                 : QString::number(extent));
    const std::string_view dtype = core::name(type.dtype);
    return QStringLiteral("%1 [%2]").arg(
        QString::fromUtf8(dtype.data(), static_cast<qsizetype>(dtype.size())),
        extents.join(QStringLiteral(", ")));
}

}  // namespace

QString inputTypeText(const core::TensorType& type, const core::InputSpec& input)
{
    const QString text = typeText(type, input.batched);
    return input.whole ? PortWords::tr("%1, %2 … %3")
                             .arg(text, QString::number(input.lowest, 'f', 0),
                                  QString::number(input.highest, 'f', 0))
                       : text;
}

QString outputTypeText(const std::string& output, const core::TensorType* type)
{
    const QString name = QString::fromStdString(output);
    return type == nullptr ? name : PortWords::tr("%1: %2").arg(name, typeText(*type, false));
}

QString outputKindText(core::OutputKind kind)
{
    switch (kind) {
    case core::OutputKind::Image:
        return PortWords::tr("image");
    case core::OutputKind::Logits:
        return PortWords::tr("logits of tokens");
    case core::OutputKind::Tokens:
        return PortWords::tr("token ids");
    case core::OutputKind::Classes:
        return PortWords::tr("scores of classes");
    case core::OutputKind::Embedding:
        return PortWords::tr("embedding");
    case core::OutputKind::Tensor:
        return PortWords::tr("any tensor");
    }
    return {};
}

}  // namespace qs::widgets
