/** The browser whose languages decide the words of the page. Node 20 has none. */
if (!Reflect.has(globalThis, 'navigator')) {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-US'] } })
}
