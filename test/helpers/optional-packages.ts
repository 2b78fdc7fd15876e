import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

interface Manifest {
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } }
}

/** The packages that a package of the host may use and npm does not install with it. */
export function optionalPackages(): readonly string[] {
  const names = readdirSync(join(ROOT, 'src')).flatMap((folder) => {
    const text = readFileSync(join(ROOT, 'src', folder, 'package.json'), 'utf8')
    const { peerDependenciesMeta: peers = {} } = JSON.parse(text) as Manifest
    return Object.keys(peers).filter((name) => peers[name]?.optional)
  })
  return [...new Set(names)]
}
