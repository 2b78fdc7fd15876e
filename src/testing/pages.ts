import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The package that has the guides, for a copy of this one without them. */
const HOME = 'https://www.npmjs.com/package/braidwork'

/**
 * Where a person finds a place of the docs, such as `hooks.md#init`: in the pages of this package, from the working
 * folder.
 */
export function placeOf(about: string, folder: string | undefined = pagesFolder()): string {
  const [page = ''] = about.split('#')
  if (folder === undefined || !existsSync(join(folder, page))) return `docs/${about} in ${HOME}`
  const below = relative(process.cwd(), join(folder, about))
  return below.startsWith('..') ? join(folder, about) : below
}

function pagesFolder(): string | undefined {
  try {
    const { resolve } = createRequire(import.meta.url)
    return join(dirname(resolve('@braidwork/testing/package.json')), 'docs')
  } catch {
    // A bundler has put this package into a file of another one.
    return undefined
  }
}
