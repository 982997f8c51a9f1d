// Elements, numbers as text, tables and figures: what every view is made of.

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | undefined | ((event: any) => void)>;

// Text is always text: nothing of a bundle is read as HTML.
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}
function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
}

export const kMinus = "\u2212";
export function fixed(value: number | undefined | null, digits = 3): string {
  if (value === undefined || value === null || Number.isNaN(value)) return "\u2013";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? kMinus + text : text;
}
export function signed(value: number | undefined | null, digits = 3): string {
  const text = fixed(value, digits);
  return value !== undefined && value !== null && value > 0 && Number(text) !== 0 ? "+" + text : text;
}
// A feature's value: as few digits as tell it.
// JSON has null for a number that is not one.
export function plain(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "missing";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", kMinus);
  const size = Math.abs(value);
  const text = size >= 1e6 || (size < 1e-3 && size > 0) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
  return text.replace("-", kMinus);
}
// The same of a feature whose values may be categories: by name. What the model knows no category
// for has its text only in the documents.
interface Valued { is_category: boolean; categories: string[]; unknown: { document: number; text: string }[] }
export function valueText(feature: Valued, value: number | null | undefined, document?: number): string {
  if (!feature.is_category || value === null || value === undefined || Number.isNaN(value)) return plain(value);
  const code = Math.trunc(value);
  if (feature.categories.length === 0) return String(code);
  return feature.categories[code] ?? feature.unknown.find((u) => u.document === document)?.text ?? "one not seen in training";
}
export function count(value: number): string { return value.toLocaleString("en-US"); }
export function share(value: number, digits = 0): string { return (100 * value).toFixed(digits) + " %"; }
export function pText(p: number | undefined | null): string {
  if (p === undefined || p === null || Number.isNaN(p)) return "\u2013";
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}
// So many digits that the largest of the amounts has three.
export function digitsFor(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return largest === 0 ? 2 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(largest))));
}

export type Cell = string | number | Node;
// `heads`: names its row, as the first column does unless another one is named.
export interface ColumnSpec { name: string; number?: boolean; help?: string; heads?: boolean; picture?: boolean }
export interface TableSpec {
  caption: string;              // for screen readers
  id?: string;
  tall?: boolean;               // scrolls within the page
  chosen?: (row: number) => boolean;
  csv?: false | (() => Records);  // the numbers behind it; unless told, the texts of its cells
}
// `rows` are cells in the order of the columns.
export function table(columns: ColumnSpec[], rows: Cell[][], spec: TableSpec): HTMLElement {
  const head = Math.max(0, columns.findIndex((column) => column.heads));
  const body = rows.map((row, r) => h("tr", { class: spec.chosen?.(r) ? "chosen" : undefined }, row.map((cell, c) =>
    c === head && !columns[c].number ? h("th", { scope: "row" }, cell) : h("td", { class: columns[c].number ? "number" : undefined, "aria-hidden": columns[c].picture ? "true" : undefined }, cell))));
  const scroll = h("div", { class: spec.tall ? "scroll tall" : "scroll", tabindex: 0, role: "region", "aria-label": spec.caption },
    h("table", { id: spec.id },
      h("caption", { class: "hidden" }, spec.caption),
      h("thead", {}, h("tr", {}, columns.map((column) => 
        h("th", { scope: "col", class: column.number ? "number" : undefined, title: column.help }, column.name)))),
      h("tbody", {}, body)));
  if (spec.csv === false) return scroll;
  const records = spec.csv ?? (() => rows.map((row) => Object.fromEntries(columns.flatMap((column, c) => (column.picture ? [] : [[column.name, textOf(row[c])]])))));
  const name = spec.id ?? spec.caption.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60);
  return h("div", { class: "tabled" }, h("div", { class: "buttons" }, csvButton(name, spec.caption, records)), scroll);
}
const textOf = (cell: Cell): string => (cell instanceof Node ? cell.textContent ?? "" : String(cell)).replaceAll(kMinus, "-");

function csvButton(name: string, title: string, records: () => Records): HTMLElement {
  return h("button", { type: "button", class: "quiet", "aria-label": `CSV: ${title}`, click: () => save(`${name}.csv`, "text/csv", csvText(records())) }, "CSV");
}

export function select(label: string, options: { value: string; text: string }[], value: string, change: (value: string) => void, name = label): HTMLElement {
  const element = h("select", { name, change: () => change(element.value) },
    options.map((option) => h("option", { value: option.value, selected: option.value === value }, option.text)));
  return h("label", { class: "control" }, h("span", {}, label), element);
}

export function choice(label: string, options: { value: string; text: string }[], value: string, change: (value: string) => void): HTMLElement {
  return h("div", { class: "choice", role: "group", "aria-label": label }, h("span", { class: "label" }, label),
    options.map((option) => h("button", {
      type: "button", "aria-pressed": option.value === value ? "true" : "false", click: () => change(option.value), "data-value": option.value,
    }, option.text)));
}

export function say(text: string): void { document.getElementById("status")!.textContent = text; }

export type Records = Record<string, string | number | boolean | null | undefined>[];
export function csvText(records: Records): string {
  if (records.length === 0) return "";
  const keys = Object.keys(records[0]);
  const cell = (value: unknown): string => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [keys.map(cell).join(","), ...records.map((record) => keys.map((key) => cell(record[key])).join(","))].join("\n") + "\n";
}
function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// The drawing with its colours and fonts written out, so that it looks the same elsewhere.
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const key of ["fill", "stroke", "color", "font-family", "font-size", "font-weight", "font-variant-numeric", "text-anchor"]) {
      const value = style.getPropertyValue(key);
      if (value) to[i].setAttribute(key, value);
    }
    to[i].removeAttribute("class");
    to[i].removeAttribute("style");
  });
  copy.querySelectorAll("style").forEach((style) => style.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const page = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  page.setAttribute("width", "100%");
  page.setAttribute("height", "100%");
  page.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(page);
  return new XMLSerializer().serializeToString(copy);
}

export interface FigureSpec {
  id: string;
  title: string;  // what it shows
  how: string;    // how to read it
  draw: (width: number) => Element;
  records?: () => Records;  // the numbers behind it
  controls?: Child;
  wide?: boolean;
  hasTable?: boolean;  // beside it: no other one is needed
}
const redraws = new WeakMap<Element, () => void>();
const watcher = new ResizeObserver((entries) => {
  for (const entry of entries) redraws.get(entry.target)?.();
});

// Plot sets axis labels on the very last line: what hangs below it, as of "_", would be cut.
const kBelow = 4;
function makeRoomBelow(svg: SVGElement): void {
  const width = Number(svg.getAttribute("width")), height = Number(svg.getAttribute("height"));
  if (!(width > 0 && height > 0)) return;
  svg.setAttribute("height", String(height + kBelow));
  svg.setAttribute("viewBox", `0 0 ${width} ${height + kBelow}`);
}

export function figure(spec: FigureSpec): HTMLElement {
  const place = h("div", { class: "plot" });
  let last = 0;
  const draw = (): void => {
    const width = Math.floor(place.clientWidth);
    if (width === 0 || width === last) return;
    last = width;
    const drawing = spec.draw(width);
    // Plot names its groups ("dot", "tip"), which have no role that takes a name; the figure has one.
    for (const group of drawing.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
    const svg = drawing instanceof SVGSVGElement ? drawing : drawing.querySelector("svg");
    if (svg) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", spec.title);
      makeRoomBelow(svg);
    }
    place.replaceChildren(drawing);
  };
  redraws.set(place, draw);
  watcher.observe(place);
  const buttons: Child[] = [h("button", {
    type: "button", class: "quiet", "aria-label": `SVG: ${spec.title}`,
    click: () => { const svg = place.querySelector("svg"); if (svg) save(`${spec.id}.svg`, "image/svg+xml", svgText(svg as SVGSVGElement)); },
  }, "SVG")];
  let details: HTMLElement | null = null;
  if (spec.records) {
    const records = spec.records;
    buttons.push(csvButton(spec.id, spec.title, records));
    const body = h("div");
    if (!spec.hasTable) details = h("details", { class: "numbers", toggle: () => { if (body.childElementCount === 0) body.append(recordsTable(records(), spec.title)); } },
      h("summary", {}, "As a table"), body);
  }
  return h("figure", { id: spec.id, class: spec.wide ? "wide" : undefined },
    h("div", { class: "head" }, h("h3", {}, spec.title), h("div", { class: "buttons" }, buttons)),
    spec.controls ? h("div", { class: "controls" }, spec.controls) : null,
    place,
    h("figcaption", {}, h("b", {}, "How to read this: "), spec.how),
    details);
}
const kMostRows = 200;
function recordsTable(records: Records, caption: string): HTMLElement {
  if (records.length === 0) return h("p", {}, "Nothing to list.");
  const keys = Object.keys(records[0]);
  const columns = keys.map((key) => ({ name: key.replaceAll("_", " "), number: records.every((r) => typeof r[key] === "number" || r[key] === null || r[key] === undefined) }));
  const shown = records.slice(0, kMostRows).map((record) => keys.map((key) => {
    const value = record[key];
    return typeof value === "number" ? plain(value) : value === null || value === undefined ? "\u2013" : String(value);
  }));
  return h("div", {}, table(columns, shown, { caption, csv: false }), records.length > kMostRows ? h("p", {}, `The first ${kMostRows} of ${count(records.length)}; CSV has all.`) : null);
}
