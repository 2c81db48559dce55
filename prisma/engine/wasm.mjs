import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";

/**
 * Instantiates the WebAssembly build of Prisma's schema engine.
 *
 * The package's own entry imports the `.wasm` file as a module, which Node refuses without a flag.
 */
export function loadSchemaEngine() {
  const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = new WebAssembly.Module(readFileSync(script.replace(/\.js$/, ".wasm")));
  const { exports } = new WebAssembly.Instance(module, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(exports);
  /** @type {() => void} */ (exports.__wbindgen_start)();
  return bindings.SchemaEngine;
}
