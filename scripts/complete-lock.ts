/**
 * Completes package-lock.json, or the lock file that is named, after an install from a registry without packages for
 * other platforms: npm omits those from the lock file, and `npm ci` then refuses it. The packages that depend on them
 * give exact versions, so the versions are certain; the checksums stay unknown.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

interface Entry {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly [field: string]: unknown
}

interface Lock {
  packages: { [path: string]: Entry }
}

const ROOT = join(import.meta.dirname, '..')
const PATH = process.argv[2] ?? join(ROOT, 'package-lock.json')
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony']
const SYSTEM = new RegExp(`\\b(${[...SYSTEMS, 'sunos', 'win32', 'windows'].join('|')})\\b`)
const PROCESSOR = /\b(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasm32)\b/
const EXACT = /^\d+\.\d+\.\d+/

/** The lock entry of a package for another platform. Its name contains the platform. */
function entryOf(name: string, version: string, asker: Entry): Entry {
  const system = SYSTEM.exec(name)?.[1]
  const processor = PROCESSOR.exec(name)?.[1]
  const library = name.includes('musl') ? 'musl' : 'glibc'
  return {
    version,
    ...(processor ? { cpu: [processor] } : {}),
    ...(asker.dev ? { dev: true } : {}),
    ...(system === 'linux' ? { libc: [library] } : {}),
    optional: true,
    ...(system ? { os: [system === 'windows' ? 'win32' : system] } : {}),
  }
}

const lock = JSON.parse(readFileSync(PATH, 'utf8')) as Lock
const added: { [path: string]: Entry } = {}
for (const [path, asker] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(asker.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    const isLocked = lock.packages[key] ?? lock.packages[`${path}/${key}`]
    if (!isLocked && EXACT.test(version)) added[key] = entryOf(name, version, asker)
  }
}
const all = Object.entries({ ...lock.packages, ...added })
lock.packages = Object.fromEntries(all.sort(([left], [right]) => left.localeCompare(right, 'en')))
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  `${Object.keys(added).length} packages of other platforms added to ${relative(ROOT, PATH)}`,
)
