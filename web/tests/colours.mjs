// Colours that mean something stay apart for every kind of colour vision, in both themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const css = readFileSync(new URL("../src/style.css", import.meta.url), "utf8");
const theme = (selector) => {
  const from = css.indexOf(`${selector} {`) + selector.length;
  const block = css.slice(from, css.indexOf("}", from));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]));
};
// Machado, Oliveira and Fernandes 2009, severity 1, of linear RGB.
const kVision = {
  "all colours": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const times = (matrix, v) => matrix.map((row) => Math.min(1, Math.max(0, row.reduce((sum, x, i) => sum + x * v[i], 0))));
function lab(rgb) {
  const [x, y, z] = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], rgb).map((c, i) => c / [0.9505, 1, 1.089][i]).map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const seen = (hex, vision) => lab(times(kVision[vision], linear(hex)));
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

let least = Infinity, leastGrade = Infinity;
for (const selector of [":root", ':root[data-theme="dark"]']) {
  const colour = theme(selector);
  for (const vision of Object.keys(kVision)) {
    const at = (name) => seen(colour[name], vision);
    least = Math.min(least, distance(at("up"), at("down")));
    assert.ok(distance(at("up"), at("down")) > 40, `${selector}, ${vision}: what raises and what lowers`);
    for (const name of ["up", "down"]) assert.ok(distance(at(name), at("page")) > 40, `${selector}, ${vision}: ${name} on the page`);
    for (const names of [["g0", "g1", "g2", "g3", "g4"], ["low", "middle", "high"]]) {
      const light = names.map((name) => at(name)[0]);
      const steps = light.slice(1).map((l, i) => l - light[i]);
      assert.ok(steps.every((s) => s > 0) || steps.every((s) => s < 0), `${selector}, ${vision}: ${names} go from light to dark`);
      names.slice(1).forEach((name, i) => { leastGrade = Math.min(leastGrade, distance(at(name), at(names[i]))); });
    }
  }
}
assert.ok(leastGrade > 10, `neighbours on a scale are ${leastGrade.toFixed(1)} apart`);
console.log(`colours: up and down are at least ${least.toFixed(0)} apart, neighbours on a scale ${leastGrade.toFixed(0)} (CIE Lab)`);
