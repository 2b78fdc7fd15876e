import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The third-party dependencies of a package. */
export function librariesOf(folder: string): readonly string[] {
  const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: { readonly [name: string]: string }
  }
  return Object.keys(json.dependencies).filter((name) => !name.startsWith('@braidwork/'))
}
