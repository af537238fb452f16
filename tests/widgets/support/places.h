#pragma once

#include "tests/widgets/support/settle.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPointer>

#include <cstddef>
#include <utility>
#include <vector>

namespace qs::tests {

// Where everything that one aims at stands.
class PlacesOfPart final
{
public:
    // `least`: of fewer than these it says that nothing is looked at.
    explicit PlacesOfPart(QWidget& part, std::size_t least) : m_part(part), m_least(least)
    {
        take();
    }

    // The first that stands elsewhere now; empty: none.
    [[nodiscard]] QString moved() const
    {
        settle(kLayoutMs);
        for (const auto& [widget, place] : m_places) {
            if (widget == nullptr)
                return QStringLiteral("one that is gone");
            if (widget->mapTo(&m_part, QPoint()) != place)
                return QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                       widget->objectName();
        }
        return m_places.size() >= m_least ? QString() : QStringLiteral("nothing is looked at");
    }

private:
    void take()
    {
        settle(kLayoutMs);
        m_places.clear();
        for (QWidget* widget : m_part.findChildren<QWidget*>()) {
            const bool aimedAt = qobject_cast<QLineEdit*>(widget) != nullptr ||
                                 qobject_cast<QComboBox*>(widget) != nullptr ||
                                 qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
                                 qobject_cast<QAbstractButton*>(widget) != nullptr;
            // Chips come and go with the values that they are.
            if (aimedAt && widget->isVisible() &&
                !widget->objectName().startsWith(QStringLiteral("chip:")))
                m_places.emplace_back(widget, widget->mapTo(&m_part, QPoint()));
        }
    }
    static constexpr int kLayoutMs = 20;  // layouts follow in events of their own

    QWidget& m_part;
    std::size_t m_least;
    std::vector<std::pair<QPointer<QWidget>, QPoint>> m_places;
};

}  // namespace qs::tests
