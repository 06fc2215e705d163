import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `HEADWATER=http://localhost:3000 npx vite dashboard` serves the sources, and hands the rest to that service. */
const service = process.env.HEADWATER ?? 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    assetsDir: 'dashboard',
    target: 'es2022',
    // The policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/auth', '/files/', '/exports/', '/openapi.json', '/headwater', '/docs', '/health'].map((path) => [
        path,
        service,
      ]),
    ),
  },
});
