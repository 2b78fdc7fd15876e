import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

/** An import of one of Node's own modules as `tsc` writes it. */
const IMPORT = /^import (?:(\{[^}]*\})|(?:\* as )?([\w$]+)) from ['"](node:[\w/]+)['"];?$/gm

/** A `require` of one of Node's own modules, for which a bundle of ES modules has no function. */
const REQUIRE = new RegExp(`\\brequire\\(['"](?:node:)?(${builtinModules.join('|')})['"]\\)`, 'g')

/**
 * Takes Node's own modules by `process.getBuiltinModule`, not by `import`. For an import, Node reads every export of the
 * module, and some exports load further modules when they are read: an import of `node:http` loads the client of `fetch`.
 */
export function modulesOfNode(): Plugin {
  return {
    name: 'builtin-modules',
    setup: (steps) => {
      steps.onLoad({ filter: /\.m?js$/ }, async ({ path }) => ({
        contents: withoutImports(await readFile(path, 'utf8')),
        loader: 'js',
      }))
    },
  }
}

function withoutImports(code: string): string {
  const destructured = code.replaceAll(IMPORT, (line, names?: string) =>
    names ? line.replaceAll(/ as /g, ': ') : line,
  )
  return destructured
    .replaceAll(IMPORT, 'const $1$2 = globalThis.process.getBuiltinModule("$3");')
    .replaceAll(REQUIRE, 'globalThis.process.getBuiltinModule("node:$1")')
}
