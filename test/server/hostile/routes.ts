import { sourceFiles } from '../../helpers/source-files.ts'

/** An address of the server, `:id` in it standing for anything. */
export interface Route {
  readonly method: string
  readonly path: string
  /** The parameters that are asked for in its file, those of pages, and some that nobody asks for. */
  readonly parameters: readonly string[]
}

const OTHERS = ['limit', 'before', '__proto__', 'x']

/** Every address that the server has, as its routes say them. */
export const ROUTES: readonly Route[] = sourceFiles('src/server/routes').flatMap(({ text }) => {
  const asked = [...text.matchAll(/\bquery\('(\w+)'\)/g)].map(([, name = '']) => name)
  const parameters = [...new Set([...asked, ...OTHERS])]
  return [...text.matchAll(/\bapp\.(get|post|put|patch|delete)\('([^']+)'/g)].map(
    ([, method = '', path = '']) => ({ method: method.toUpperCase(), path, parameters }),
  )
})
