// One script, one style sheet, one font: fixed names, because the server answers with an ETag of the content, and
// no modules, so that the same bundle runs inside a report opened from disk.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  publicDir: 'public',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    outDir: process.env.STROBE_DIST ?? 'dist',
    emptyOutDir: true,
    target: 'es2021',
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: 'src/main.tsx',
      output: {
        format: 'iife',
        entryFileNames: 'page.js',
        assetFileNames: (a) => (a.names[0]?.endsWith('.css') ? 'page.css' : 'inter[extname]'),
      },
    },
  },
});
