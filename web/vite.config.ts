// One script, one style sheet, by fixed names: they stand inside the one document that is served or saved
// (src/serve/document.h), which is why they are no modules.
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
      input: 'src/app/main.tsx',
      output: {
        format: 'iife',
        entryFileNames: 'page.js',
        assetFileNames: (a) => (a.names[0]?.endsWith('.css') ? 'page.css' : 'inter[extname]'),
      },
    },
  },
});
