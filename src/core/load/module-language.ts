import { throwSiteOf } from '../throw-site.ts'

const LOADER = 'start node with "--import tsx"'

/** What each code of Node's loader means, and what to do. */
const REASONS: { readonly [code: string]: (said: string) => string } = {
  ERR_UNKNOWN_FILE_EXTENSION: (said) => endingFault(/"(\.\w{1,20})"/.exec(said)?.[1] ?? ''),
  ERR_INVALID_TYPESCRIPT_SYNTAX: (said) => said,
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: (said) =>
    `${said}: Node only takes types out of TypeScript; write it without enums, namespaces and parameter properties, build the plugin to JavaScript, or ${LOADER}`,
}

function endingFault(ending: string): string {
  if (/^\.[cm]?ts$/.test(ending) || ending === '')
    return `Node ${process.versions.node} does not run TypeScript; build the plugin to JavaScript, use Node 22.18 or newer, or ${LOADER}`
  const reason = `Node runs no files that end in "${ending}"`
  if (ending === '.tsx' || ending === '.jsx')
    return `${reason}; if there is no JSX in it, call it ".${ending.slice(1, 3)}", or build it to JavaScript`
  return `${reason}; a plugin is a module in JavaScript, TypeScript or Python, such as ".js", ".ts" or ".py"`
}

/** What Node says of the syntax of ES modules in a CommonJS module. */
const ES_SYNTAX = ['Cannot use import statement outside a module', "Unexpected token 'export'"]

/**
 * Says what to do about a module in a language, or in a kind of module, that Node does not run. Undefined for all other
 * errors.
 */
export function languageFault(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  if (thrown instanceof SyntaxError && ES_SYNTAX.includes(thrown.message)) {
    return `${thrown.message}: Node takes the file for CommonJS; set "type": "module" in the package.json beside it or above it`
  }
  const reason = REASONS['code' in thrown ? String(thrown.code) : '']
  const place = throwSiteOf(thrown)
  return reason?.(place === undefined ? thrown.message : `${thrown.message} (${place})`)
}
