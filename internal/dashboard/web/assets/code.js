// Fields for code: Tab indents, Escape then Tab leaves. Without this script they are plain fields.
(function () {
  "use strict";
  for (const field of document.querySelectorAll("textarea[data-code]")) {
    const help = document.getElementById(field.dataset.code);
    if (help) help.hidden = false;
    let leaving = false;
    field.addEventListener("blur", () => { leaving = false; });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { leaving = true; return; }
      if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || leaving) {
        if (event.key !== "Shift") leaving = false;
        return;
      }
      event.preventDefault();
      // execCommand is the one way to insert that can be undone with Ctrl+Z
      if (!document.execCommand("insertText", false, "  ")) field.setRangeText("  ", field.selectionStart, field.selectionEnd, "end");
    });
  }
})();
