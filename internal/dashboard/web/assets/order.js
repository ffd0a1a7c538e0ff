// Dragging on the pages of groups and of page sections. The buttons and the rules' settings do the same without this
// script.
(function () {
  "use strict";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const settings = { handle: "[data-grip]", draggable: "[data-id]", animation: still ? 0 : 150 };
  const send = (form, name, value) => {
    form.elements[name].value = value;
    form.requestSubmit();
  };
  for (const grip of document.querySelectorAll("[data-order] [data-grip], [data-rules] [data-grip], [data-parts] [data-grip]")) grip.hidden = false;

  // A drop sends the whole order with the one that it started from.
  for (const list of document.querySelectorAll("[data-order]")) {
    const form = document.querySelector(list.dataset.order);
    Sortable.create(list, {
      ...settings,
      onEnd() {
        const order = [...list.querySelectorAll(":scope > [data-id]")].map((item) => item.dataset.id).join(" ");
        if (order !== form.elements.was.value) send(form, "order", order);
      },
    });
  }

  // Parts of a form are sent in the order in which they stand in it, with the form.
  for (const list of document.querySelectorAll("[data-parts]")) {
    Sortable.create(list, {
      ...settings,
      onUpdate(event) { event.item.querySelector("input").dispatchEvent(new Event("input", { bubbles: true })); },
    });
  }

  // A rule that is dropped in another group joins it, as its last one; within its group the order is sent.
  for (const list of document.querySelectorAll("[data-rules]")) {
    const sorts = list.dataset.sorts ? document.querySelector(list.dataset.sorts) : null;
    Sortable.create(list, {
      ...settings,
      group: "rules",
      sort: sorts !== null,
      onAdd(event) { send(document.querySelector(list.dataset.rules), "rule", event.item.dataset.id); },
      onUpdate() {
        const order = [...list.querySelectorAll(":scope > [data-id]")].map((item) => item.dataset.id).join(" ");
        if (order !== sorts.elements.was.value) send(sorts, "order", order);
      },
    });
  }
})();
