// Two ways to use a page, with the same words for what is done: with a mouse, and with the keyboard alone.
import { check, inspector } from "./harness.mjs";

// mouse clicks and fills what has an accessible name.
export function mouse(page) {
  const of = (role, name) => page.getByRole(role, { name }).first();
  return {
    page,
    skip: async () => {},
    press: (role, name) => of(role, name).click(),
    fill: (name, text) => page.getByLabel(name, { exact: true }).first().fill(text),
    choose: (name, option) => page.getByLabel(name, { exact: true }).first().selectOption({ label: option }),
  };
}

const most = 150; // how many times Tab is pressed before something is out of reach

// keyboard moves the focus by keys until what is wanted has it, and uses it there. Focus must be seen wherever it goes.
export function keyboard(page) {
  const focused = async () => {
    const tools = await inspector(page);
    const { result } = await tools.send("Runtime.evaluate", { expression: "document.activeElement" });
    if (!result.objectId) return { name: "", role: "" };
    const { nodes } = await tools.send("Accessibility.getPartialAXTree", { objectId: result.objectId, fetchRelatives: false });
    return { name: nodes[0]?.name?.value ?? "", role: nodes[0]?.role?.value ?? "" };
  };
  // seen tells why the focus cannot be seen; empty where it can.
  const seen = () => page.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return "nowhere";
    if (at.id === "main") return "";
    const about = `${at.tagName} ${at.id || at.textContent.trim().slice(0, 40)}`;
    let outlined = at;
    for (let n = 0; n < 3 && outlined && getComputedStyle(outlined).outlineStyle === "none"; n++) outlined = outlined.parentElement;
    const style = outlined && getComputedStyle(outlined);
    if (at.type === "datetime-local" && !at.matches(":focus-visible")) return ""; // its own button, drawn by Chromium
    if (!style || style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1.5) return `${about} has no outline`;
    const box = outlined.getBoundingClientRect();
    if (box.bottom <= 0 || box.top >= innerHeight || box.width < 2 || box.height < 2) return `${about} is out of sight`;
    const y = Math.min(Math.max((box.top + box.bottom) / 2, 1), innerHeight - 2);
    const over = document.elementFromPoint(Math.min((box.left + box.right) / 2, innerWidth - 2), y);
    if (over && !outlined.contains(over) && !over.contains(outlined)) return `${about} is behind ${over.tagName}.${over.className}`;
    return "";
  });
  const reach = async (roles, name, key = "Tab") => {
    let nowhere = 0;
    const passed = [];
    for (let n = 0; n < most; n++) {
      const at = await focused();
      if (roles.includes(at.role) && (name instanceof RegExp ? name.test(at.name) : at.name === name)) return;
      passed.push(`${at.role} ${at.name}`.slice(0, 40));
      await page.keyboard.press(key);
      const hidden = await seen();
      if (hidden === "nowhere") nowhere++;
      else if (hidden) check(false, "focus is seen", `${page.url()}: ${hidden}`);
      if (nowhere > 2) break;
    }
    throw new Error(`${name} cannot be reached by ${key} on ${page.url()}: ${passed.slice(-60).join(", ")}`);
  };
  return {
    page,
    // skip goes past the menu, as the first link of each page offers.
    async skip() {
      await reach(["link"], "Skip to content");
      await page.keyboard.press("Enter");
    },
    async press(role, name, key = "Tab") {
      await reach([role, ...(role === "button" ? ["DisclosureTriangle", "summary"] : [])], name, key);
      await page.keyboard.press(role === "radio" || role === "checkbox" ? "Space" : "Enter");
    },
    async fill(name, text, key = "Tab") {
      await reach(["textbox", "Date", "searchbox"], name instanceof RegExp ? name : new RegExp(`^${name.replace(/[^\w ]/g, ".")}( optional)?$`), key);
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(text);
    },
    async choose(name, option, key = "Tab") {
      await reach(["combobox"], name, key);
      for (let n = 0; n < 30; n++) {
        const now = await page.evaluate(() => document.activeElement.selectedOptions[0].textContent.trim());
        if (now === option) return;
        await page.keyboard.press("ArrowDown");
      }
      throw new Error(`${name} has no ${option}`);
    },
  };
}
