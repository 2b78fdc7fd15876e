import { pathToFileURL } from 'node:url'

/** A folder as servers are told of it. */
export function rootOf(path: string): { readonly uri: string; readonly name: string } {
  return { uri: pathToFileURL(path).href, name: path }
}
