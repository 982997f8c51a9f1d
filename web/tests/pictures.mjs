// The pictures of README and docs/guide, from the report of `make demo`:
//   node tests/pictures.mjs ../build/demo/report.html ../docs/guide
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [report, folder] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
// A view as it is at this width, from its beginning; `until`: up to the end of this element.
async function picture(name, hash, { width = 1100, from = "main", until, colorScheme = "light" } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, deviceScaleFactor: 1.25 });
  await page.goto(`file://${resolve(report)}${hash}`);
  await page.waitForSelector("main[data-drawn]");
  await page.waitForTimeout(300);
  const box = await page.evaluate(([first, last]) => {
    const a = document.querySelector(first).getBoundingClientRect(), b = document.querySelector(last).getBoundingClientRect();
    const isPart = first !== "#header";  // else as wide as the page
    return { x: isPart ? Math.max(0, a.left - 12) : 0, y: Math.max(0, a.top + scrollY - (isPart ? 8 : 0)), width: isPart ? Math.min(innerWidth, a.width + 24) : innerWidth, height: b.bottom - a.top + (isPart ? 8 : 0) };
  }, [from, until ?? from]);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, clip: { ...box, height: Math.ceil(box.height) + 12 } });
  await page.close();
}
await picture("report-overview", "#overview", { from: "#header", until: "#comparison" });
await picture("report-curves", "#model?m=1", { from: "#header", until: ".cards .card:nth-child(12)" });
await picture("report-rankings", "#rankings?q=1&d=2", { from: "#header", until: "#why-document" });
await picture("report-what-if", "#rankings?q=1&d=2&w=8:9.99;24:60", { from: "#what-if", until: "#counterfactual" });
await picture("report-pair", "#rankings?q=1&d=0,3", { from: "#why-pair" });
await picture("report-data", "#data", { from: "#hourglass", until: "#traces" });
await picture("report-audit", "#audit", { from: "#header", until: "#validity-k" });
await picture("report-dark-phone", "#rankings?q=1&d=2", { width: 390, from: "#why-document", colorScheme: "dark" });
await browser.close();
