import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const backend = 'http://127.0.0.1:8000';

/** What every page stands on; one file instead of many small ones, since each costs a round trip. */
const BASE = /node_modules[\\/](react|react-dom|scheduler|react-router|cookie|@tanstack[\\/](query-core|react-query)|i18next|react-i18next|use-sync-external-store|zustand|clsx|openapi-fetch)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](?!icons)/;
/** Parts that most pages share. Dialogs bring their primitives with them, and come when they are opened; what decides or edits is for people who are signed in. */
const KIT = /src[\\/](ui|api|model|i18n)[\\/](?!Dialog|Open|Typed|toggles|schema-form|schema-shape|headline|agent|use-agent|use-headline|use-error-text|zh)|lucide-react[\\/]dist[\\/]esm[\\/]icons/;

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    manifest: true,
    // A data: URI would need `font-src data:` and `img-src data:` in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'base', test: BASE, priority: 2 },
            { name: 'kit', test: KIT, minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': backend,
      '/health': backend,
      '/ws': { target: backend, ws: true },
    },
  },
  test: {
    css: false,
    // What only computes needs no page: *.test.ts runs without one, *.test.tsx in a page of its own.
    projects: [
      { extends: true, test: { name: 'computes', environment: 'node', include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'pages',
          environment: 'happy-dom',
          setupFiles: ['src/testing/setup.ts'],
          include: ['src/**/*.test.tsx'],
        },
      },
    ],
    // A shared machine may be slow; a test that waits for a state waits this long at most.
    testTimeout: 30_000,
  },
});
