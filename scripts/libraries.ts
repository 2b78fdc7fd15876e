import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The dependencies of a package that others wrote. */
export function librariesOf(folder: string): readonly string[] {
  const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: { readonly [name: string]: string }
  }
  return Object.keys(json.dependencies).filter((name) => !name.startsWith('@braidwork/'))
}
