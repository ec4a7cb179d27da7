import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server of the page says in its <base> where the page lives.
  base: './',
  logLevel: 'warn',
  publicDir: false,
  resolve: {
    // As zones.ts imports it.
    alias: { './zone-table.ts': fileURLToPath(new URL('src/base/zone-table.ts', import.meta.url)) },
  },
  // Named after its file, so that a style is found by its class.
  css: {
    modules: { generateScopedName: (name, file) => `${path.basename(file, '.module.css')}-${name}` },
  },
  // Built for production whatever NODE_ENV says: tests look at the page that users get.
  define: { 'process.env.NODE_ENV': '"production"' },
  esbuild: { jsx: 'automatic', jsxDev: false, jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2022',
    // The Content-Security-Policy allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    // Fewer and larger parts are compressed better, and each request costs its headers.
    rollupOptions: { output: { experimentalMinChunkSize: 3_000 } },
  },
});
