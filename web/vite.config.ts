// One HTML file with everything in it; see tools/check_page.mjs for where it goes.
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: "es2022", modulePreload: false, reportCompressedSize: false },
});
