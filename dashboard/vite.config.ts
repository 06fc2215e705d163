import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `HEADWATER=http://localhost:3000 npx vite dashboard` serves the sources, and hands the rest to that service. */
const service = process.env.HEADWATER ?? 'http://localhost:3000';

const SOURCES = join(import.meta.dirname, 'src');
const FIRST_PAGE = ['main.tsx', 'home/home-page.tsx'].map((name) => join(SOURCES, name));
let firstPage: Set<string> | undefined;

/**
 * What the first page needs is one file: in the thirty files that pages share, it is 7 % larger. Returns the name of the file for
 * a source of the first page, which takes what it uses of packages along; null for other modules.
 */
function firstPageChunk(id: string, context: { getModuleInfo(id: string): ModuleInfo | null }): string | null {
  if (firstPage === undefined) {
    firstPage = new Set(FIRST_PAGE);
    // A set is walked over while it grows.
    for (const each of firstPage) {
      const imported = context.getModuleInfo(each)?.importedIds ?? [];
      for (const id of imported) if (id.startsWith(SOURCES)) firstPage.add(id);
    }
  }
  return firstPage.has(id) ? 'first-page' : null;
}

interface ModuleInfo {
  importedIds: readonly string[];
}

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
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstPageChunk, debugName: 'first page' }] } } },
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
