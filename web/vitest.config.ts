import { defineConfig } from 'vitest/config';

export default defineConfig({
  server: { fs: { allow: ['..'] } }, // the table of test/unit/elixir.c
  test: { include: ['test/*.test.ts'], environment: 'node' },
});
