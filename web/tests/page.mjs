// The page in a real browser: node tests/page.mjs REPORT.html HOSTILE.html WIDE.html COUNTS.html [LIVE-ADDRESS]
// (WIDE: an additive model of bags over a feature of many sizes with missing values, ranking what it
// was trained on. COUNTS: an additive model first, then a forest, over four features, one of counts,
// one of categories.)
// Every view opens, every interaction changes what it should, nothing is written to the console, axe
// finds nothing serious, and what a bundle holds is text, never markup.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [report, hostile, wide, counts, live] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const problems = [];
let tests = 0;
async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url()) && !(live && request.url().startsWith(live))) problems.push(`asks for ${request.url()}`); });
  await page.goto(address);
  await page.waitForSelector("main[data-drawn]");
  return page;
}
// Waits until the page has drawn again after the action.
async function redraw(page, action) {
  const before = await page.getAttribute("main", "data-drawn");
  await action();
  await page.waitForFunction((n) => document.querySelector("main").dataset.drawn !== n, before);
}
async function go(page, hash) {
  if (await page.evaluate((h) => location.hash === h, hash)) return;
  await redraw(page, () => page.evaluate((h) => { location.hash = h; }, hash));
}
async function test(name, body) {
  try { await body(); ++tests; } catch (error) { console.error(`FAILED ${name}\n${error.stack}`); process.exitCode = 1; }
  if (problems.length) { console.error(`FAILED ${name}: console: ${problems.splice(0).join("\n")}`); process.exitCode = 1; }
}
const file = `file://${report}`;
const page = await open(file);
const title = (id) => page.textContent(`#${id} h3`);

await test("every view opens, with titles, how to read, and no overflow, at both widths and in both themes", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      const view = await open(file, { viewport: { width, height: 850 }, colorScheme });
      for (const hash of ["#overview", "#model", "#model?m=1", "#rankings?q=1&d=1", "#rankings?q=1&d=1,2", "#data", "#audit", "#all"]) {
        await go(view, hash);
        await view.waitForTimeout(60);
        const found = await view.evaluate(() => ({
          theme: document.documentElement.dataset.theme,
          over: document.documentElement.scrollWidth - innerWidth,
          figures: document.querySelectorAll("figure[id]").length,
          untitled: [...document.querySelectorAll("figure[id]")].filter((f) => !f.querySelector("h3")?.textContent || !f.querySelector("svg")).map((f) => f.id),
          unread: [...document.querySelectorAll("main > div figure[id]")].filter((f) => !f.closest(".card") && !f.querySelector("figcaption")?.textContent.includes("How to read this")).map((f) => f.id),
        }));
        assert.equal(found.theme, colorScheme);
        assert.ok(found.over <= 0, `${hash} at ${width}: ${found.over} pixels too wide`);
        assert.ok(found.figures > 0, `${hash}: no figure`);
        assert.deepEqual(found.untitled, [], `${hash}: figures without title or drawing`);
        assert.deepEqual(found.unread, [], `${hash}: figures that do not say how to read them`);
      }
      await view.close();
    }
  }
});

const serious = (view) => view.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target + " " + (n.failureSummary ?? "")).join(" | ")}`));
await test("axe finds nothing serious, on a desk and on a phone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      const view = await open(file, { viewport: { width, height: 850 }, colorScheme });
      await view.evaluate(axe);
      for (const hash of ["#overview", "#model", "#model?m=1", "#rankings?q=0&d=1", "#rankings?q=0&d=1,2", "#data", "#audit", "#all"]) {
        await go(view, hash);
        await view.waitForTimeout(60);
        assert.deepEqual(await serious(view), [], `${hash} ${colorScheme} ${width}`);
      }
      await view.close();
    }
  }
});

await test("overview: another metric", async () => {
  await go(page, "#overview");
  const before = await title("quality");
  const names = await page.$$eval("#quality select option", (o) => o.map((x) => x.value));
  await redraw(page, () => page.selectOption("#quality select", names[1]));
  assert.notEqual(await title("quality"), before);
  assert.match(await page.evaluate(() => location.hash), /metric=/);
});

await test("model: importances, swarm, feature, colour", async () => {
  await go(page, "#model");
  await redraw(page, () => page.click('#importance button[data-value="mean_amount"]'));
  assert.match(await title("importance"), /over all documents/);
  await redraw(page, () => page.click('#summary button[data-value="all"]'));
  assert.match(await title("summary"), /over all documents/);
  const names = await page.$$eval('select[name="feature"] option', (o) => o.map((x) => x.value));
  await redraw(page, () => page.selectOption('select[name="feature"]', names[2]));
  assert.ok((await title("dependence")).includes(names[2]));
  assert.ok((await title("partial")).includes(names[2]));
  const colours = await page.$$eval('select[name="colour by"] option', (o) => o.map((x) => x.value));
  await redraw(page, () => page.selectOption('select[name="colour by"]', colours.at(-1)));
  assert.ok((await page.textContent("#dependence figcaption")).includes(colours.at(-1)));
});

await test("glass box: sort, find, scale, open one", async () => {
  await go(page, "#model?m=1");
  const order = () => page.$$eval(".cards h3", (t) => t.map((x) => x.textContent));
  const before = await order();
  await redraw(page, () => page.click('button[data-value="name"]'));
  const sorted = await order();
  assert.notDeepEqual(sorted, before);
  const ticks = () => page.$eval(".cards figure svg", (s) => s.textContent);
  const common = await ticks();
  await redraw(page, () => page.click('button[data-value="own"]'));
  assert.notEqual(await ticks(), common);
  await redraw(page, () => page.click(".cards h3 button"));
  assert.ok(await page.$("#chosen-effect svg"));
  const word = sorted[0].split(/[: ]/)[0];
  await redraw(page, async () => { await page.fill('input[aria-label="Find a feature"]', word); await page.press('input[aria-label="Find a feature"]', "Enter"); });
  assert.ok((await order()).every((t) => t.includes(word)));
});

await test("rankings: query, document, pictures, pair, what if, other model", async () => {
  await go(page, "#rankings");
  const first = await page.textContent("#query-name");
  await redraw(page, () => page.click(".picker li:nth-child(3) button"));
  assert.notEqual(await page.textContent("#query-name"), first);
  await page.fill(".picker input", "zzzz");
  assert.equal(await page.$$eval(".picker li", (l) => l.length), 0);
  await redraw(page, () => page.click("#documents tbody tr:nth-child(2) button"));
  assert.match(await title("why"), /is at rank 2/);
  const waterfall = await page.$eval("#why svg", (s) => s.outerHTML.length);
  for (const kind of ["force", "decision"]) {
    await redraw(page, () => page.click(`#why button[data-value="${kind}"]`));
    await page.waitForSelector("#why svg");
    assert.notEqual(await page.$eval("#why svg", (s) => s.outerHTML.length), waterfall);
  }
  const drawing = await page.$eval("#why svg", (s) => s.outerHTML);
  await redraw(page, () => page.selectOption('select[name="features by"]', "name"));
  await page.waitForSelector("#why svg");
  assert.notEqual(await page.$eval("#why svg", (s) => s.outerHTML), drawing);
  const answer = await page.textContent("#what-if-answer");
  const slider = page.locator("#what-if input[type=range]").nth(1);
  await slider.focus();
  await slider.press("Home");
  await slider.press("ArrowRight");
  const low = await page.textContent("#what-if-answer");
  await slider.press("End");
  const high = await page.textContent("#what-if-answer");
  assert.ok(low !== answer || high !== answer, "the score moves");
  assert.match(await page.evaluate(() => location.hash), /w=/);
  await page.click("#what-if .controls button");
  await page.waitForFunction((text) => document.querySelector("#what-if-answer")?.textContent === text, answer);
  assert.ok((await page.textContent("#counterfactual")).length > 30);
  assert.ok((await page.textContent("#list")).includes("validity"));
  await redraw(page, () => page.click("#documents tbody tr:nth-child(4) button"));
  assert.match(await title("pair"), /is above/);
  const order = await page.$$eval("#documents tbody th", (t) => t.map((x) => x.textContent));
  await redraw(page, () => page.selectOption('#header select[name="model"]', "1"));
  assert.notDeepEqual(await page.$$eval("#documents tbody th", (t) => t.map((x) => x.textContent)), order);
});

await test("amounts of an explainer that draws samples have standard errors, exact ones none", async () => {
  const errors = () => page.$$eval("#why-document .errors path, #why-document .errors line, #why-pair .errors path, #why-pair .errors line", (lines) => lines.length);
  for (const [hash, id] of [["#rankings?q=1&d=1", "why"], ["#rankings?q=1&d=1,2", "pair"]]) {
    await go(page, hash);
    await page.waitForSelector(`#${id} svg`);
    assert.equal(await errors(), 0, hash);
    await redraw(page, () => page.selectOption('select[name="explained by"]', "kernel-shap"));
    await page.waitForSelector(`#${id} svg .errors`);
    assert.ok((await errors()) > 3, hash);
    assert.match(await page.textContent(`#${id} figcaption`), /two standard errors/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#${id} .buttons button:text-is("CSV")`)]);
    const rows = readFileSync(await download.path(), "utf8").trim().split("\n");
    assert.match(rows[0], /,standard_error$/);
    assert.ok(Number(rows[1].split(",").at(-1)) > 0);
  }
});

await test("a feature of 0 and 1 has two places, no line between them", async () => {
  await go(page, "#model");
  const feature = await page.evaluate(() => {
    const { features, models } = JSON.parse(document.getElementById("bundle").textContent);
    return features[models[0].dependence.find((d) => features[d.feature].is_switch).feature].name;
  });
  await redraw(page, () => page.selectOption('select[name="feature"]', feature));
  await page.waitForSelector("#partial svg");
  assert.equal(await page.$$eval("#partial svg circle", (c) => c.length), 2);
  assert.match(await page.textContent("#partial figcaption"), /A dot is the mean score/);
});

await test("what if agrees with the model: no change, no difference", async () => {
  await go(page, "#rankings?q=0&d=1");
  const number = page.locator("#what-if input[type=number]").first();
  const value = await number.inputValue();
  await number.fill(String(Number(value) + 1));
  await number.fill(value);
  assert.match(await page.textContent("#what-if-answer"), /\((0\.000|\+0\.000|\u22120\.000)\)/);
});

await test("data: kinds of outliers, traces, training data", async () => {
  await go(page, "#data");
  const before = await title("hourglass");
  const rows = await page.$$eval("#outliers tbody tr", (r) => r.length);
  await redraw(page, () => page.click('#hourglass button[data-value="low"]'));
  assert.ok((await title("hourglass")) !== before || (await page.$$eval("#outliers tbody tr", (r) => r.length)) !== rows);
  const queries = await page.$$eval("#traces select option", (o) => o.map((x) => x.value));
  if (queries.length > 1) {
    await redraw(page, () => page.selectOption("#traces select", queries[1]));
    assert.ok((await title("traces")).includes(queries[1]));
  }
  const grades = await title("grades");
  await redraw(page, () => page.click('button[data-value="train"]'));
  assert.notEqual(await title("grades"), grades);
});

await test("audit: another measure", async () => {
  await go(page, "#audit");
  const before = await title("explainers");
  await redraw(page, () => page.selectOption("#explainers select", "completeness"));
  assert.notEqual(await title("explainers"), before);
});

await test("a link leads to the same view, and back goes back", async () => {
  const link = `${file}#rankings?q=2&d=0,3`;
  const other = await open(link);
  assert.match(await other.textContent("#pair h3"), /is above/);
  await redraw(other, () => other.click('nav a[href^="#audit"]'));
  await redraw(other, () => other.goBack());
  assert.match(await other.textContent("#pair h3"), /is above/);
  await other.close();
});

await test("SVG and CSV of a figure", async () => {
  await go(page, "#overview");
  for (const kind of ["SVG", "CSV"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#quality .buttons button:text-is("${kind}")`)]);
    const text = readFileSync(await download.path(), "utf8");
    if (kind === "SVG") { assert.match(text, /^<svg/); assert.doesNotMatch(text, /var\(--/); } else assert.match(text, /^ranking,what,mean,low,high\n/);
  }
});

await test("CSV of tables", async () => {
  const csv = async (hash, id, header) => {
    await go(page, hash);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.tabled:has(#${id}) > .buttons button`)]);
    assert.equal(download.suggestedFilename(), `${id}.csv`);
    const lines = readFileSync(await download.path(), "utf8").trim().split("\n");
    assert.equal(lines[0], header);
    return lines;
  };
  await csv("#overview", "comparison", "ranking,what,metric,mean,difference,low,high,p_corrected,significant,better,worse");
  const rows = await csv("#rankings?q=1&d=1", "documents", "query,rank,document,grade,score,places_gained");
  assert.equal(rows.length - 1, await page.$$eval("#documents tbody tr", (r) => r.length));
  assert.match(rows[1], /^[^,]+,1,[^,]+,[0-4],-?[0-9.e-]+,-?[0-9]+$/);
  for (const rank of [2, 3, 4]) {  // one that can be first
    await go(page, "#rankings?q=1");
    await redraw(page, () => page.click(`#documents tbody tr:nth-child(${rank}) button`));
    if (await page.$("#changes")) break;
  }
  await csv(await page.evaluate(() => location.hash), "changes", "query,document,feature,from,to,spreads");
  await csv("#rankings?q=1&d=1", "sets", "query,explainer,features,validity,completeness,stability");
  await csv("#data", "outliers", "document,query,grade,looks_like,share_of_trees,differs_in");
  await csv("#data", "groups", "queries,number,trees,glass");
  await csv("#audit", "measures", "explainer,measure,mean,standard_error,queries,is_best,is_clearly_best");
  await go(page, "#data");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('#hourglass .buttons button:text-is("CSV")')]);
  assert.match(readFileSync(await download.path(), "utf8"), /^query,document,grade,/);
});

// A4 less its borders, as a browser lays it out.
await test("on paper: dark on white whatever the theme, nothing cut, no controls", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const view = await open(file, { viewport: { width: 720, height: 1000 }, colorScheme });
    await view.emulateMedia({ media: "print", colorScheme });
    for (const hash of ["#overview", "#model?m=1", "#rankings?q=1&d=1", "#data", "#audit", "#all"]) {
      await go(view, hash);
      await view.waitForTimeout(60);
      const found = await view.evaluate(() => ({
        ink: getComputedStyle(document.body).color, page: getComputedStyle(document.body).backgroundColor,
        over: document.documentElement.scrollWidth - innerWidth,
        cut: [...document.querySelectorAll(".scroll")].filter((s) => s.getBoundingClientRect().width > 0 && s.querySelector("table").getBoundingClientRect().right > innerWidth + 1).map((s) => s.getAttribute("aria-label")),
        controls: [...document.querySelectorAll("nav, button:not(.link), .picker")].filter((e) => e.getClientRects().length > 0 && !e.closest(".whatif, #what-if, #counterfactual, #list")).length,
      }));
      assert.equal(found.ink, "rgb(27, 34, 41)");
      assert.equal(found.page, "rgb(255, 255, 255)");
      assert.deepEqual(found.cut, [], `${hash}: tables that are cut`);
      assert.ok(found.over <= 0, `${hash}: ${found.over} pixels too wide`);
      assert.equal(found.controls, 0, hash);
    }
    await view.close();
  }
});

await test("a curve over many sizes shows rows, intervals and what a missing value adds", async () => {
  const view = await open(`file://${wide}#model?effect=size`);
  const drawn = await view.evaluate(() => ({
    text: document.querySelector("#chosen svg").textContent, columns: document.querySelectorAll("#chosen svg rect").length,
    ticks: [...document.querySelectorAll('#chosen svg g text')].map((t) => t.textContent),
  }));
  assert.match(drawn.text, /missing/);
  assert.ok(drawn.ticks.includes("100"), `${drawn.ticks}`);  // a logarithmic axis
  assert.ok(drawn.columns > 30);
  const csvOf = async () => {
    const [download] = await Promise.all([view.waitForEvent("download"), view.click('#chosen .buttons button:text-is("CSV")')]);
    return readFileSync(await download.path(), "utf8").trim().split("\n");
  };
  assert.match((await csvOf()).at(-1), /^missing,missing,/);
  const surface = await view.$$eval(".cards h3 button", (b) => b.map((x) => x.textContent).find((t) => t.includes(" x ")));
  await redraw(view, () => view.click(`.cards h3 button:text-is("${surface}")`));
  const rows = await csvOf();
  assert.match(rows[0], /from,.* to,.* from,.* to,adds,error,rows$/);
  assert.ok(rows.some((row) => row.includes("missing,missing")), "cells of missing values are in the table");
  assert.ok(rows.slice(1).some((row) => Number(row.split(",")[5]) > 0), "errors of a surface");
  assert.match(await view.textContent("#chosen figcaption"), /where rows are/);
  await view.close();
});

await test("data that the model was trained on is said to be so, at the number itself", async () => {
  const view = await open(`file://${wide}`);
  assert.match(await view.textContent(".facts .seen"), /measured on its training data/);
  assert.match(await view.textContent(".warnings li:first-child"), /is measured on the data it was trained on/);
  await view.close();
  await go(page, "#overview");
  assert.equal(await page.$(".facts .seen"), null);
});

await test("counts from 0 have an axis of log(1 + x) and a column of the zeros", async () => {
  const view = await open(`file://${counts}#model?effect=number_of_reviews`);
  const drawn = await view.evaluate(() => {
    const svg = document.querySelector("#chosen svg"), at = (e) => e.getBoundingClientRect();
    const ticks = [...svg.querySelectorAll('text')].filter((t) => /^(0|10|100|1000)$/.test(t.textContent) && at(t).top > at(svg).bottom - 50);
    const columns = [...svg.querySelectorAll("rect")].map(at).sort((a, b) => a.left - b.left);
    return { ticks: ticks.map((t) => [t.textContent, (at(t).left + at(t).right) / 2]), first: columns[0].right, tallest: columns.every((c) => c.height <= columns[0].height) };
  });
  const place = Object.fromEntries(drawn.ticks);
  assert.ok(place[10] - place[0] > 60 && Math.abs(place[1000] - place[100] - (place[100] - place[10])) < 25, JSON.stringify(drawn));
  assert.ok(drawn.first < place[0] && drawn.tallest, "zeros stand before the axis, and are most");
  assert.match(await view.textContent("#chosen figcaption"), /The column before the axis: the \d+ % of rows at exactly 0/);
  assert.match(await view.textContent("main"), /rows of a cell spread evenly over it; where an axis/);
  await view.close();
});

await test("an additive model first: its recorded rounds, and the outliers of the forest behind it", async () => {
  const view = await open(`file://${counts}`);
  assert.match(await view.textContent("#curve-curves h3"), /quality while it was trained/);
  assert.match(await view.textContent("#curve-curves svg"), /rounds/);
  assert.match(await view.textContent('[id="curve-the forest"] svg'), /trees/);
  await go(view, "#data");
  assert.match(await view.textContent("main"), /The trees of the forest were followed/);
  assert.match(await view.textContent("main"), /Only the trees of the forest were followed: choosing curves/);
  await view.close();
  const bare = await open(`file://${wide}`);
  assert.match(await bare.textContent("main"), /No learning curve of wide/);
  await bare.close();
});

await test("categories that training did not see have their texts; none ranks alone", async () => {
  const view = await open(`file://${counts}`);
  assert.match(await view.textContent(".warnings"), /documents have categories of brand that training did not see: 'teal'/);
  assert.doesNotMatch(await view.textContent("#comparison"), /brand alone/);
  const at = await view.evaluate(() => {
    const { features, documents } = JSON.parse(document.getElementById("bundle").textContent);
    const d = features.find((f) => f.name === "brand").unknown[0].document;
    const q = documents.first.findLastIndex((first) => first <= d);
    return { q, d: d - documents.first[q] };
  });
  await go(view, `#rankings?q=${at.q}&d=${at.d}`);
  await view.waitForSelector("#why svg");
  assert.match(await view.textContent("main"), /teal/);
  for (const hash of ["#overview", "#model", "#model?m=1", "#data", `#rankings?q=${at.q}&d=${at.d}`]) {
    await go(view, hash);
    await view.waitForTimeout(50);
    assert.doesNotMatch(await view.textContent("main"), /#\d/, hash);
  }
  await view.close();
});

await test("the audit names half of few features, and random wins no title", async () => {
  const view = await open(`file://${counts}#audit`);
  assert.match(await view.textContent("main"), /named at most 2 of 4 features/);
  const named = await view.$$eval("#measures tbody tr", (rows) => rows.map((r) => [...r.children].map((c) => c.textContent)).find((r) => r[0] === "features named"));
  assert.ok(named.slice(1).every((n) => Number(n) > 0 && Number(n) <= 2), `${named}`);
  assert.doesNotMatch(await view.textContent("main"), /Impurity|frequency are/);
  for (const measure of await view.$$eval("#explainers select option", (o) => o.map((x) => x.value))) {
    await go(view, `#audit?measure=${measure}`);
    assert.doesNotMatch(await view.textContent("#explainers h3"), /^random/);
  }
  await go(page, "#audit");
  assert.match(await page.textContent("main"), /are what the decisions in the trees themselves credit/);
  // The axis holds the intervals.
  for (const address of [page, view]) {
    await go(address, "#audit");
    assert.ok(await address.evaluate(() => {
      const svg = document.querySelector("#validity-k svg"), at = (e) => e.getBoundingClientRect();
      const lines = [...svg.querySelectorAll('g[stroke="var(--zero)"] path')].map(at), box = at(svg);
      return lines.length > 0 && lines.every((l) => l.top >= box.top + 18 && l.bottom <= box.bottom - 42);
    }));
  }
  await view.close();
});

await test("on a phone a waterfall shortens names, not values; the bars of the ranking have a heading", async () => {
  const view = await open(`${file}#rankings?q=1&d=1`, { viewport: { width: 390, height: 850 } });
  await view.waitForSelector("#why svg");
  const labels = await view.$$eval("#why svg text", (t) => t.map((x) => x.textContent));
  const values = await view.evaluate(() => document.querySelector("#why details summary") && [...document.querySelectorAll("#why details")].length);
  assert.ok(values > 0);
  assert.ok(labels.some((text) => text.includes(" = ")), `${labels}`);
  assert.deepEqual(labels.filter((text) => text.includes(" = ") && text.endsWith("\u2026")), []);
  await view.close();
  await go(page, "#rankings?q=1");
  assert.deepEqual(await page.$$eval("#documents thead tr > *", (h) => h.filter((x) => !x.textContent).length), 0);
});

await test("by keyboard: to the content, a view, a document, a theme", async () => {
  const view = await open(file);
  await view.keyboard.press("Tab");
  assert.equal(await view.evaluate(() => document.activeElement.className), "skip");
  await view.focus("nav a:nth-child(3)");
  await redraw(view, () => view.keyboard.press("Enter"));
  assert.equal(await view.getAttribute("main", "data-view"), "rankings");
  await view.focus("#documents tbody tr:nth-child(1) button");
  await redraw(view, () => view.keyboard.press("Enter"));
  assert.ok(await view.$("#why"));
  assert.equal(await view.evaluate(() => document.activeElement.getAttribute("aria-pressed")), "true");
  const theme = await view.evaluate(() => document.documentElement.dataset.theme);
  await view.focus(".theme");
  await view.keyboard.press("Space");
  assert.notEqual(await view.evaluate(() => document.documentElement.dataset.theme), theme);
  await view.close();
});

await test("script in names is text", async () => {
  const view = await open(`file://${hostile}`);
  for (const hash of ["#overview", "#model", "#rankings?q=0&d=0", "#rankings?q=0&d=0,1", "#data", "#audit"]) {
    await go(view, hash);
    await view.waitForTimeout(50);
    assert.equal(await view.evaluate(() => window.hacked), undefined, hash);
    assert.equal(await view.$$eval("main img, main script, main iframe", (e) => e.length), 0, hash);
  }
  await go(view, "#rankings?q=0&d=0");
  assert.ok((await view.textContent("#documents")).includes("<img src=x onerror=window.hacked=1>"));
  await view.close();
});

if (live) {
  await test("live: what the file does not hold is asked of the server", async () => {
    const view = await open(`${live}#rankings?q=0`);
    const asked = [];
    const bodies = [];
    view.on("request", (request) => { if (request.method() === "POST") { asked.push(new URL(request.url()).pathname); bodies.push(request.postDataJSON()); } });
    assert.match(await view.textContent("#header"), /live/);
    const rows = await view.$$eval("#documents tbody tr", (r) => r.length);
    await redraw(view, () => view.click(`#documents tbody tr:nth-child(${rows}) button`));
    const answer = await view.textContent("#what-if-answer");
    assert.match(answer, new RegExp(`rank ${rows} of ${rows}`));
    const slider = view.locator("#what-if input[type=range]").first();
    await slider.focus();
    await slider.press("Home");
    await slider.press("End");
    await view.waitForFunction((text) => document.querySelector("#what-if-answer").textContent !== text, answer);
    assert.match(await view.textContent("#what-if-answer"), /\u2192/);
    await view.click("#counterfactual button");
    await view.waitForFunction(() => /rank/.test(document.querySelector("#counterfactual-answer")?.textContent ?? ""), undefined, { timeout: 20000 });
    await view.click("#list button");
    await view.waitForFunction(() => /validity/.test(document.querySelector("#order-answer")?.textContent ?? ""), undefined, { timeout: 20000 });
    await view.waitForSelector('#ask select option[value="kernel-shap"]', { state: "attached" });
    await view.selectOption("#ask select", "kernel-shap");
    await view.click("#ask button:text-is('Explain')");
    await view.waitForSelector("#asked svg", { timeout: 20000 });
    assert.match(await view.textContent("#asked h3"), /kernel-shap/);
    await redraw(view, () => view.click("#documents tbody tr:nth-child(1) button"));
    await view.waitForSelector("#ask select option", { state: "attached" });
    await view.click("#ask button:text-is('Explain')");
    await view.waitForFunction(() => /above|names/.test(document.querySelector("#asked-place")?.textContent ?? ""), undefined, { timeout: 20000 });
    assert.ok(bodies.filter((body) => body.document).every((body) => /^place:\d+$/.test(body.document)), JSON.stringify(bodies));
    assert.deepEqual([...new Set(asked)].sort(), ["/v1/counterfactual", "/v1/explain", "/v1/pair", "/v1/score"]);
    await view.close();
  });

  await test("live: axe finds nothing serious, the phone has no overflow", async () => {
    const view = await open(`${live}#rankings?q=0&d=1`, { viewport: { width: 390, height: 850 } });
    await view.click("#list button");
    await view.waitForFunction(() => /validity/.test(document.querySelector("#order-answer")?.textContent ?? ""), undefined, { timeout: 20000 });
    await view.waitForSelector("#ask select option", { state: "attached" });
    assert.ok(await view.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await view.evaluate(axe).catch(() => view.addScriptTag({ content: axe }));
    assert.deepEqual(await serious(view), []);
    await view.close();
  });
}
await browser.close();
console.log(process.exitCode ? "the page has failures" : `page: ${tests} tests passed`);
