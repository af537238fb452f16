#pragma once

#include "core/base/result.h"
#include "widgets/plot/curve_export.h"

#include <QDialog>
#include <QImage>

#include <functional>

class QComboBox;
class QDoubleSpinBox;
class QFontComboBox;
class QLabel;
class QLineEdit;

namespace qs::app {

// Makes a figure for a paper: width, type, title and place of the legend, with a preview.
class FigureDialog final : public QDialog
{
    Q_OBJECT

public:
    using Paint = std::function<core::Result<widgets::CurveFigure>(const widgets::CurveExport&)>;

    explicit FigureDialog(Paint paint, QWidget* parent = nullptr);

    [[nodiscard]] widgets::CurveExport options() const;

Q_SIGNALS:
    void saveWanted(const qs::widgets::CurveExport& options);
    void copyWanted(const qs::widgets::CurveExport& options);
    void scriptWanted(const qs::widgets::CurveExport& options);

protected:
    bool eventFilter(QObject* label, QEvent* event) override;

private:
    void build();
    void preview();
    // As large as the place for it.
    void showImage();

    Paint m_paint;
    QImage m_image;  // the figure; null if there is none
    QComboBox* m_column = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QFontComboBox* m_family = nullptr;
    QDoubleSpinBox* m_points = nullptr;
    QComboBox* m_legend = nullptr;
    QLineEdit* m_title = nullptr;
    QLabel* m_preview = nullptr;
};

}  // namespace qs::app
