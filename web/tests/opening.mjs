// How long a report takes until it can be used, in ms: node tests/opening.mjs REPORT.html
// From opening the file to the first drawn view, then to each other view; the median of five.
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const median = (times) => Math.round(times.sort((a, b) => a - b)[times.length >> 1]);
const opened = [];
const views = {};
for (let round = 0; round < 5; ++round) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const begin = performance.now();
  await page.goto(`file://${resolve(process.argv[2])}`);
  await page.waitForSelector("main[data-drawn]");
  opened.push(performance.now() - begin);
  for (const view of ["model", "rankings", "data", "audit"]) {
    const before = await page.getAttribute("main", "data-drawn");
    const start = performance.now();
    await page.evaluate((name) => { location.hash = `#${name}`; }, view);
    await page.waitForFunction((n) => document.querySelector("main").dataset.drawn !== n, before);
    (views[view] ??= []).push(performance.now() - start);
  }
  await page.close();
}
await browser.close();
console.log(`opened in ${median(opened)} ms; ` + Object.entries(views).map(([view, times]) => `${view} ${median(times)} ms`).join(", "));
