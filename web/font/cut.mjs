// Writes the font of the page: node cut.mjs INTER.woff2 OUT.woff2
// It has all characters of the given font, as they look, in the weights that the page uses and with the features that
// browsers apply by themselves or the style asks for: two thirds of the bytes. Characters that it lacks come from fonts
// of the reader's system.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import woff2 from 'wawoff2';

const BY_BROWSERS = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'rvrn'];
const BY_STYLE = ['tnum', 'cv05', 'ss03']; // src/style/base.css
const WEIGHTS = [400, 700];

// of hb.h and hb-subset.h
const WRITABLE = 2;
const LAYOUT_FEATURES = 6;
const KEEP_OUTLINE_OF_UNKNOWN = 0x40; // the box for a character that no font has

const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
const { instance } = await WebAssembly.instantiate(readFileSync(wasm));
const hb = instance.exports;
hb._initialize();
const memory = () => Buffer.from(hb.memory.buffer);
const tag = (name) => Buffer.from(name).readUInt32BE();

function faceOf(font) {
  const at = hb.malloc(font.length);
  memory().set(font, at);
  return hb.hb_face_create(hb.hb_blob_create(at, font.length, WRITABLE, 0, 0), 0);
}

function wanted(face) {
  const input = hb.hb_subset_input_create_or_fail();
  const characters = hb.hb_subset_input_unicode_set(input);
  hb.hb_set_clear(characters);
  hb.hb_set_invert(characters);
  const features = hb.hb_subset_input_set(input, LAYOUT_FEATURES);
  hb.hb_set_clear(features);
  for (const name of [...BY_BROWSERS, ...BY_STYLE]) hb.hb_set_add(features, tag(name));
  hb.hb_subset_input_set_flags(input, KEEP_OUTLINE_OF_UNKNOWN);
  if (!hb.hb_subset_input_set_axis_range(input, face, tag('wght'), ...WEIGHTS, WEIGHTS[0]))
    throw new Error('the font has no weights');
  return input;
}

const [from, to] = process.argv.slice(2);
const face = faceOf(await woff2.decompress(readFileSync(from)));
const cut = hb.hb_subset_or_fail(face, wanted(face));
if (!cut) throw new Error(`${from}: HarfBuzz does not cut this font`);
const blob = hb.hb_face_reference_blob(cut);
const at = hb.hb_blob_get_data(blob, 0);
writeFileSync(to, await woff2.compress(memory().subarray(at, at + hb.hb_blob_get_length(blob))));
