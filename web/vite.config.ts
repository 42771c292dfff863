// One script and one style sheet with fixed names. They are part of the document that is served or saved
// (src/serve/document.h), so they are no modules. `--mode layers` builds the script that is run later.
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
      input: mode === 'layers' ? 'src/draw/layers.ts' : 'src/app/main.tsx',
      output: {
        format: 'iife',
        entryFileNames: mode === 'layers' ? 'layers.js' : 'page.js',
        assetFileNames: (a) => (a.names[0]?.endsWith('.css') ? 'page.css' : 'inter[extname]'),
      },
    },
  },
}));
