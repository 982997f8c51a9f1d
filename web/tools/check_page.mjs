// Compares the page that was just built with the one in the repository, or puts it there (--write).
import { readFileSync, writeFileSync } from "node:fs";

const built = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
const target = new URL("../../glassrank/report/page/page.html", import.meta.url);
const places = built.split('"GLASSRANK_BUNDLE"').length - 1;
if (places !== 1) throw new Error(`the page has ${places} places for a bundle, not 1`);
if (/<script[^>]+src=|<link\b/.test(built.replace(/<script[\s\S]*?<\/script>/g, (s) => s.slice(0, s.indexOf(">") + 1)))) {
  throw new Error("the page loads something from outside");
}
if (process.argv.includes("--write")) {
  writeFileSync(target, built);
  console.log(`page.html: ${(built.length / 1e3).toFixed(0)} kB`);
} else if (readFileSync(target, "utf8") !== built) {
  console.error("glassrank/report/page/page.html is not what web/ builds: cd web && npm install --no-save && npm run build");
  process.exit(1);
} else {
  console.log("page.html is current");
}
