// Elements of the page: made with createElement and textContent only, so that no name is ever taken for markup.

/** An element. `attributes`: on* are listeners, `value`, `checked`, `disabled`, `open` are set as properties. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (["value", "checked", "disabled", "open", "selected"].includes(key)) made[key] = value;
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

/** Puts new content into an element. */
export function fill(target, ...children) {
  target.replaceChildren(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ""));
}

export function byId(id) {
  return document.getElementById(id);
}

/** A button that does one thing. */
export function button(text, action, attributes = {}) {
  return el("button", { type: "button", onclick: action, ...attributes }, text);
}

let labelled = 0;

/** A form field under its label; the field is what is returned by `.field`. */
export function field(text, input, hint = "") {
  const id = `field-${++labelled}`;
  input.id = id;
  const told = hint ? el("span", { class: "hint", id: `${id}-hint` }, hint) : null;
  if (told) input.setAttribute("aria-describedby", `${id}-hint`);
  return el("div", { class: "field" }, el("label", { for: id }, text), input, told);
}

/** A number field; empty is allowed where `empty` says what it means. */
export function numberInput({ value = "", min = 0, max = null, empty = "", required = !empty } = {}) {
  return el("input", { type: "number", inputmode: "numeric", step: 1, min, max, required, placeholder: empty,
    class: empty === "no maximum" ? "open-end" : null, value: String(value) });
}

/** A select; `options` are [value, text]. What was chosen stays chosen while it is still there. */
export function choice(options, chosen = "", attributes = {}) {
  const made = el("select", attributes);
  setOptions(made, options, chosen);
  return made;
}

export function setOptions(select, options, chosen = select.value) {
  const wanted = options.map(([value, text]) => `${value}\n${text}`).join("\n\n");
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  }
  const values = options.map(([value]) => value);
  select.value = values.includes(chosen) ? chosen : (values[0] ?? "");
  select.disabled = values.length === 0;
}

/** What is wrong with a field stands below it until it is typed in again; the first one gets the focus. */
function tellProblem(event) {
  const input = event.target;
  if (!input.closest(".field")) return;
  event.preventDefault();
  const id = `${input.id}-problem`;
  document.getElementById(id)?.remove();
  const empty = input.placeholder ? ` Left empty: ${input.placeholder}.` : "";
  input.after(el("span", { class: "problem", id, role: "alert" }, `${input.validationMessage}${empty}`));
  const before = input.getAttribute("aria-describedby");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
  if (!input.form.contains(document.activeElement) || document.activeElement.validity?.valid !== false) input.focus();
  input.addEventListener("input", () => {
    document.getElementById(id)?.remove();
    input.removeAttribute("aria-invalid");
    if (before) input.setAttribute("aria-describedby", before);
    else input.removeAttribute("aria-describedby");
  }, { once: true });
}

/** A form whose submission does one thing; the page never sends it anywhere. */
export function form(attributes, action, ...children) {
  const onsubmit = (event) => {
    event.preventDefault();
    action();
  };
  const made = el("form", { ...attributes, onsubmit }, ...children);
  made.addEventListener("invalid", tellProblem, true);
  return made;
}

/** Opens a modal dialog with the focus on its title, or on `focus`; its close buttons have `data-close`. */
export function openDialog(dialog, { focus = null } = {}) {
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  (focus ?? dialog.querySelector("h2"))?.focus();
}

/** Every dialog closes by its button, and by a click beside it. */
export function prepareDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    });
  }
}

export function counted(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}
