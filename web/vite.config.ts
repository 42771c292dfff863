// One script and one style sheet with fixed names. They are part of the document that is served or saved
// (src/serve/document.h), so they are no modules. `--mode NAME` builds a script that is run later.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vite';

/** Leaves out the algorithms of dagre's graphs that its layout does not use: 3 kB. The layout takes those that it uses
    out of one object, which a call fills with all. */
const onlyLayout = {
  name: 'only-layout',
  transform(code: string, id: string) {
    if (!id.includes('dagre.esm')) return null;
    const [call, fill, all, list] = code.match(/;(\w+)\((\w+),\{([^}]*\bfloydWarshall:[^}]*)\}\)/) ?? [];
    const uses = code.match(new RegExp(`var\\{([^}]*)\\}=${all}\\b`));
    if (!call || !uses) throw new Error('dagre is not built as it was: see onlyLayout');
    const used = uses[1]!.split(',').map((use) => use.split(':')[0]);
    const kept = list!.split(',').filter((entry) => used.includes(entry.split(':')[0]));
    return { code: code.replace(call, `;${fill}(${all},{${kept.join(',')}})`), map: null };
  },
};

/** Scripts that are run later, by name. They take the modules of src/app/shared.ts from the page. */
const later = (folder: string) => ({
  input: `src/${folder}/body.tsx`,
  taken: (id: string) => /^preact\b/.test(id) || (/^\/.*\/src\//.test(id) && !id.includes(`/src/${folder}/`)),
});
const LATER: Record<string, ReturnType<typeof later>> = {
  graph: later('draw/graph'),
  diff: later('views/diff'),
};
function nameOnPage(id: string): string {
  const name = id.startsWith('/') ? relative(`${__dirname}/src`, id).replace(/\.\w+$/, '') : id;
  if (!readFileSync('src/app/shared.ts', 'utf8').includes(`'${name}':`))
    throw new Error(`src/app/shared.ts does not share ${name}`);
  return `strobePage["${name}"]`;
}

export default defineConfig(({ mode }) => ({
  base: './',
  publicDir: 'public',
  plugins: [onlyLayout],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    outDir: process.env.STROBE_DIST ?? 'dist',
    target: 'es2021',
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: LATER[mode]?.input ?? 'src/app/main.tsx',
      external: LATER[mode]?.taken,
      output: {
        format: 'iife',
        globals: nameOnPage,
        entryFileNames: LATER[mode] ? `${mode}.js` : 'page.js',
        assetFileNames: (a) => (a.names[0]?.endsWith('.css') ? 'page.css' : 'inter[extname]'),
      },
    },
  },
}));
