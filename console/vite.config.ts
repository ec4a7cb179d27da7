import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server of the page says in its <base> where the page lives.
  base: './',
  logLevel: 'warn',
  publicDir: false,
  // Named after its file, so that a style is found by its class.
  css: {
    modules: { generateScopedName: (name, file) => `${path.basename(file, '.module.css')}-${name}` },
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2022',
    // The Content-Security-Policy allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
});
