import "./style.css";
import { audit } from "./audit";
import { Bundle, Store, readBundle } from "./bundle";
import { Setting } from "./context";
import { dataView } from "./data";
import { Child, h, select } from "./dom";
import { modelView } from "./model";
import { overview } from "./overview";
import { rankings } from "./rankings";
import { View, address, go, kViews, readState } from "./state";

const kTitles: Record<View, string> = { overview: "Overview", model: "Model", rankings: "Rankings", data: "Data", audit: "Audit", all: "All views" };
const kDraw: Record<View, (setting: Setting) => HTMLElement | Promise<HTMLElement>> = { overview, model: modelView, rankings, data: dataView, audit, all: allViews };

async function allViews(setting: Setting): Promise<HTMLElement> {
  const root = h("div", {});
  for (const view of kViews) root.append(h("section", { class: "view", "aria-label": kTitles[view] }, await kDraw[view](setting)));
  return root;
}

// The reader's choice, else the system's; a page opened from a disk may be refused storage.
function theme(): string {
  try { const kept = localStorage.getItem("glassrank-theme"); if (kept) return kept; } catch { /* no storage */ }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
function setTheme(name: string): void {
  document.documentElement.dataset.theme = name;
  const button = document.querySelector(".theme");
  if (button) button.textContent = name === "dark" ? "Light" : "Dark";
}

function header(bundle: Bundle, setting: Setting, view: View): void {
  const controls: Child[] = [];
  if (bundle.models.length > 1) controls.push(select("model", bundle.models.map((m, i) => ({ value: String(i), text: m.name })), String(setting.model), (v) => go({ m: v === "0" ? null : v, effect: null, feature: null })));
  controls.push(h("button", { type: "button", class: "theme", "aria-label": "Light or dark", click: () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("glassrank-theme", next); } catch { /* no storage */ }
    setTheme(next);
  } }, "Dark"));
  const kept = new URLSearchParams();
  if (setting.model > 0) kept.set("m", String(setting.model));
  document.getElementById("header")!.replaceChildren(
    h("div", { class: "bar" }, h("h1", {}, bundle.title), h("span", { class: "meta" }, [bundle.date, `glassrank ${bundle.version}`, bundle.is_live ? "live" : ""].filter(Boolean).join(" \u00b7 ")), h("div", { class: "controls", style: "margin:0" }, controls)),
    h("nav", { "aria-label": "Views" }, kViews.map((name) => h("a", { href: address(name, kept), "aria-current": name === view ? "page" : undefined }, kTitles[name]))));
  setTheme(document.documentElement.dataset.theme!);
}

async function start(): Promise<void> {
  document.documentElement.dataset.theme = theme();
  const main = document.getElementById("main")!;
  const bundle = readBundle();
  if (!bundle) { main.replaceChildren(h("p", {}, "This is the page of glassrank report without a report in it.")); return; }
  const store = new Store(bundle);
  await store.open();
  document.getElementById("footer")!.replaceChildren(h("p", {}, `Made by glassrank ${bundle.version}${bundle.date ? ` on ${bundle.date}` : ""}. The same by hand: `, h("code", {}, bundle.command)),
    h("p", { class: "for-screens" }, h("a", { href: "#all" }, "All views on one page"), ", to print or save."));
  let drawn = "";
  let number = 0;
  const draw = async (): Promise<void> => {
    const { view, params } = readState();
    const mine = ++number;
    const asked = Number(params.get("m") ?? 0);
    const setting: Setting = { bundle, store, params, model: asked > 0 && asked < bundle.models.length ? asked : 0 };
    document.title = `${kTitles[view]} \u00b7 ${bundle.title}`;
    const content = await kDraw[view](setting);
    if (mine !== number) return;  // another view was asked for meanwhile
    const active = document.activeElement as HTMLElement | null;
    const focus = active && main.contains(active) ? [active.tagName, active.getAttribute("name") ?? active.textContent, active.getAttribute("aria-label")] : null;
    const scroll = window.scrollY;
    header(bundle, setting, view);
    main.replaceChildren(content);
    main.dataset.view = view;
    main.dataset.drawn = String(Number(main.dataset.drawn ?? 0) + 1);
    if (drawn === view) {
      window.scrollTo(0, scroll);
      // The control that was used keeps the focus.
      if (focus) for (const element of main.querySelectorAll<HTMLElement>(focus[0]!)) {
        if ((element.getAttribute("name") ?? element.textContent) === focus[1] && element.getAttribute("aria-label") === focus[2]) { element.focus({ preventScroll: true }); break; }
      }
    } else {
      if (drawn) { window.scrollTo(0, 0); main.focus({ preventScroll: true }); }
      drawn = view;
    }
  };
  window.addEventListener("hashchange", () => void draw());
  await draw();
}
void start();
