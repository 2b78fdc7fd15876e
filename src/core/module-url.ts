/** Why a module finds no package that is installed beside it, and what to do. */
export const WITHOUT_URL =
  'The program is bundled as CommonJS, in which Node finds no package outside the bundle. Bundle it as an ES module.'

/**
 * Whether a module has an address from which it finds packages. One that a bundler put into a file of CommonJS has none.
 * @param url `import.meta.url` of the module
 */
export function hasUrl(url: string | undefined): url is string {
  return url !== undefined
}
