import { defineConfig } from 'vite'

/** The page as static files, which name each other by relative addresses: a server may have a base path. */
export default defineConfig({
  root: new URL('site/', import.meta.url).pathname,
  base: './',
  build: {
    outDir: new URL('dist/site/', import.meta.url).pathname,
    emptyOutDir: true,
    assetsDir: 'page',
    // Nothing is inlined: the content security policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
})
