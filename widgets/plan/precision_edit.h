#pragma once

#include "widgets/plan/precision_matrix.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace qs::widgets {

class ChoiceList;

// Which precisions are swept: one for the whole model, or pairs of one for each stage.
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
    void valuesEdited(const QStringList& values);

private:
    void setLinked(bool linked);
    void showEditor(bool linked);

    QStringList m_values;
    // In the order of Tab: what has the focus for all of them comes first.
    ChoiceList* m_list;
    PrecisionPairs* m_pairs;
    PrecisionMatrix* m_matrix;
    QCheckBox* m_linked;
    QLabel* m_legend;
};

}  // namespace qs::widgets
