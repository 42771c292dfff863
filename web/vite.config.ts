// One script and one style sheet with fixed names. They are part of the document that is served or saved
// (src/serve/document.h), so they are no modules.
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
