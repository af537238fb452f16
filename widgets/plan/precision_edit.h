#pragma once

#include "widgets/plan/reason_texts.h"
#include "widgets/plan/swept_schemes.h"

#include <QPointer>
#include <QWidget>

class QCheckBox;

namespace qs::widgets {

class PrecisionMatrix;
class PrecisionPairs;
class SchemeGrid;
class SchemeLines;
class VariantPanel;

// Which precisions are swept: some for the whole model, or pairs of one for each stage; and which
// variants of them, with other parameters.
class PrecisionEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit PrecisionEdit(QWidget* parent = nullptr);

    void setValues(const QStringList& values);
    void setReasons(const Reasons& reasons);
    // Names of the stages of the model; pairs need two.
    void setStages(const QStringList& stages);

Q_SIGNALS:
    // `what` completes "Undo …"; typing: more of the same will come.
    void valuesEdited(const QStringList& values, const QString& what, bool typing);

private:
    void build();
    void connectParts();
    void setLinked(bool linked);
    void showEditor();
    void refresh();
    void tell(const QString& what, bool typing);
    void openOptions(std::size_t entry, const QRect& place);
    void optionsClosed(std::size_t offered);

    SweptSchemes m_swept;
    QStringList m_values;
    // In the order of Tab: what has the focus for all of them comes first.
    SchemeGrid* m_grid;
    PrecisionPairs* m_pairs;
    PrecisionMatrix* m_matrix;
    SchemeLines* m_lines;
    QCheckBox* m_linked;
    QPointer<VariantPanel> m_panel;  // while it is open
};

}  // namespace qs::widgets
