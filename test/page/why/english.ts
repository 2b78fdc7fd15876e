/** The browser whose languages decide the words of the page. Node 20 has none. */
if (globalThis.navigator === undefined) {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-US'] } })
}
