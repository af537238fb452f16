#pragma once

// The only file that includes QCustomPlot. Its header (2.1.0) is written with Qt's lower-case
// keywords, which QT_NO_KEYWORDS keeps out of this tree; they exist here for as long as the include
// lasts.
#include <QObject>

#if defined(QT_NO_KEYWORDS)
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <qcustomplot.h>
#pragma GCC diagnostic pop

#if defined(QT_NO_KEYWORDS)
#undef signals
#undef slots
#undef emit
#undef foreach
#endif
