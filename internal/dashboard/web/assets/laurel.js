// Pages work without this script: what it adds is comfort.
(function () {
  "use strict";
  const root = document.documentElement;
  const on = (type, selector, act) => document.addEventListener(type, (event) => {
    const hit = event.target.closest && event.target.closest(selector);
    if (hit) act(hit, event);
  });

  // Back fills a form as it was sent. Of hidden fields browsers keep only what a script has set: the id by which the
  // form counts once is set to what it is.
  const remember = () => {
    for (const key of document.querySelectorAll("input[type=hidden][name=once], input[type=hidden][name=key]")) {
      const value = key.value;
      key.value = "";
      key.value = value;
    }
  };
  remember();
  document.addEventListener("htmx:afterSwap", remember);

  // Theme: the system's, until the button says otherwise. The server keeps the choice in a cookie and writes data-theme.
  on("click", "[data-theme-toggle]", (button, event) => {
    event.preventDefault();
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    const body = new URLSearchParams({ theme: root.dataset.theme });
    fetch(button.form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
  });

  // Messages that go away by themselves say only what can be seen elsewhere too.
  function toast(text) {
    const place = document.querySelector(".toasts[role=status]");
    if (!place) return;
    const box = document.createElement("div");
    box.className = "toast";
    box.textContent = text;
    place.replaceChildren(box);
    setTimeout(() => box.remove(), 6000);
  }

  on("click", "[data-copy]", async (button) => {
    const from = button.dataset.copy ? document.querySelector(button.dataset.copy) : button.closest(".code").querySelector("code");
    try {
      await navigator.clipboard.writeText(from.textContent);
      toast("Copied");
    } catch {
      getSelection().selectAllChildren(from);
      toast("Press Ctrl+C to copy");
    }
  });

  on("click", "[data-reveal]", (button) => {
    const input = document.getElementById(button.getAttribute("aria-controls"));
    const show = input.type === "password";
    input.type = show ? "text" : "password";
    button.setAttribute("aria-pressed", String(show));
    button.textContent = show ? "Hide" : "Show";
  });

  // Dialogs open from a link whose address is the same question as a page of its own.
  on("click", "[data-dialog]", (link, event) => {
    const dialog = document.getElementById(link.dataset.dialog);
    if (!dialog) return;
    event.preventDefault();
    const menu = link.closest("details.menu");
    if (menu) menu.open = false;
    dialog.showModal();
  });
  on("click", "[data-close]", (button) => button.closest("dialog").close());
  on("input", "[data-must-equal]", (input) => {
    const go = input.form.querySelector("[data-go]");
    go.disabled = input.value.trim() !== input.dataset.mustEqual;
  });

  // Menus close on Escape and on a click elsewhere.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      const menu = document.querySelector("details.menu[open]");
      if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
    }
    const typing = event.target.matches && event.target.matches("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing) {
      const find = document.querySelector(".find input");
      if (find) { event.preventDefault(); find.focus(); }
    }
  });

  // Charts: the legend tells the values of the place that is pointed at, or chosen with the arrow keys.
  function listen(chart) {
    if (chart.dataset.heard) return;
    chart.dataset.heard = "yes";
    const plot = chart.querySelector(".plot");
    const marks = [...chart.querySelectorAll("g.day")];
    const when = chart.querySelector("[data-when]");
    const values = [...chart.querySelectorAll("[data-v]")];
    const whole = [when.textContent, ...values.map((v) => v.textContent)];
    let at = -1;
    const tell = (index) => {
      at = index;
      marks.forEach((m, i) => m.classList.toggle("at", i === index));
      const title = index < 0 ? null : marks[index].querySelector("title").textContent;
      const [day, rest] = title ? title.split(": ") : [whole[0], ""];
      when.textContent = day;
      const parts = rest.split(/, (?=[a-z])/);
      values.forEach((v, i) => { v.textContent = title ? parts[i].replace(/^[a-z ]+/, "") : whole[i + 1]; });
    };
    plot.addEventListener("pointermove", (event) => {
      const day = event.target.closest("g.day");
      if (day) tell(marks.indexOf(day));
    });
    plot.addEventListener("pointerleave", () => tell(-1));
    plot.addEventListener("blur", () => tell(-1));
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) { event.preventDefault(); tell(Math.max(0, Math.min(marks.length - 1, at < 0 ? (step > 0 ? 0 : marks.length - 1) : at + step))); }
      if (event.key === "Escape") tell(-1);
    });
  }
  const charts = (within) => within.querySelectorAll("[data-chart]").forEach(listen);
  charts(document);
  document.addEventListener("htmx:afterSwap", (event) => charts(event.detail.target.parentNode ?? document));

  // A form that was changed asks before it is left. What a refused form holds was typed, too.
  const guarded = "main form[method=post]";
  let dirty = document.querySelector(`${guarded} [aria-invalid], form[data-kept]`) !== null;
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form && form.matches(guarded)) dirty = true;
  });
  document.addEventListener("submit", (event) => {
    if (event.target.method === "post") dirty = false;
    // A second click sends nothing. The button keeps its name and value, so it is only told apart later.
    if (event.target.method === "post" && !event.target.hasAttribute("hx-post")) {
      if (event.target.dataset.sent) event.preventDefault();
      event.target.dataset.sent = "yes";
      setTimeout(() => delete event.target.dataset.sent, 5000);
    }
  });
  // While a form is sent, what only judges it is broken off and waits.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const from = event.detail.elt;
    if (from.matches("form[id]")) {
      for (const button of document.querySelectorAll(`button[hx-post][form="${from.id}"]`)) {
        button.dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: { elt: button } }));
      }
    } else if (from.matches("button[hx-post]") && from.form && from.form.classList.contains("htmx-request")) event.preventDefault();
  });
  // A form that was sent by htmx answers with the whole page: what it says stands at the top.
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id !== "main") return;
    if (document.querySelector("#main [aria-invalid], #problems")) dirty = true;
    if (document.querySelector("#main > .banner, #problems")) scrollTo(0, 0);
  });
  addEventListener("beforeunload", (event) => { if (dirty && !navigator.webdriver) event.preventDefault(); });

  // What went wrong between this page and the server stands above the page until the next answer comes.
  function notice(kind, text, link) {
    const place = document.getElementById("notices");
    const box = document.createElement("div");
    box.className = `banner ${kind}`;
    box.setAttribute("role", "status");
    const p = document.createElement("p");
    p.textContent = text;
    if (link) {
      const a = document.createElement("a");
      Object.assign(a, { href: link.href, target: "_blank", rel: "opener", textContent: link.text });
      p.append(" ", a);
    }
    box.append(p);
    place.replaceChildren(box);
  }
  // What asks by itself asks again by itself. What somebody pressed is pressed again, later each time.
  let wait = 2;
  let retry = 0;
  document.addEventListener("htmx:sendError", (event) => {
    const pressed = event.detail.elt;
    clearTimeout(retry);
    if (pressed.matches("form")) { // whether it arrived is not known: who sent it decides
      dirty = true;
      notice("warn", "No connection. Your entries are kept: submit again when you are back online.");
      return;
    }
    notice("warn", `No connection. Your entries are kept. Trying again in ${wait} s.`);
    if (pressed.matches("button")) retry = setTimeout(() => { if (pressed.isConnected) pressed.click(); }, wait * 1000);
    wait = Math.min(wait * 2, 60);
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.elt.matches("form")) dirty = true;
    if (event.detail.xhr.getResponseHeader("HX-Trigger") === "signed-out") {
      const base = document.querySelector(".brand").getAttribute("href");
      notice("info", "You were signed out. Your entries are kept: sign in, then submit again.", { href: `${base}sign-in`, text: "Sign in on a new tab" });
    } else {
      notice("bad", "Something went wrong on our side. Your changes were not saved.");
    }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) return;
    wait = 2;
    clearTimeout(retry);
    document.getElementById("notices").replaceChildren();
  });
})();
