import { sourceFiles } from '../../helpers/source-files.ts'

/** An address of the server, `:id` in it standing for anything. */
export interface Route {
  readonly method: string
  readonly path: string
  /** The parameters that are asked for in its file, those of pages, and some that nobody asks for. */
  readonly parameters: readonly string[]
}

const OTHERS = ['limit', 'before', '__proto__', 'x']

const namesIn = (text: string) =>
  [...text.matchAll(/\bquery\('(\w+)'\)/g)].map(([, name = '']) => name)

const FILES = sourceFiles('src/server/routes')
/** Those that several routes read by one function. */
const SHARED = namesIn(FILES.find(({ text }) => text.includes('function chatPlace'))?.text ?? '')

/** Every address that the server has, as its routes say them. */
export const ROUTES: readonly Route[] = FILES.flatMap(({ text }) => {
  const shared = text.includes('chatPlace(') ? SHARED : []
  const parameters = [...new Set([...namesIn(text), ...shared, ...OTHERS])]
  return [...text.matchAll(/\bapp\.(get|post|put|patch|delete)\('([^']+)'/g)].map(
    ([, method = '', path = '']) => ({ method: method.toUpperCase(), path, parameters }),
  )
})
