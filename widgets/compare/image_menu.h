#pragma once

class QMenu;

namespace qs::widgets {

class CompareView;

// What the keys of a comparison do, by name, with the keys: for those who do not know them. The
// view must outlive the menu.
void fillImageMenu(QMenu& menu, CompareView& view);

}  // namespace qs::widgets
