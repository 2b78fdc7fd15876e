import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './source-files.ts'

const BLOCK = /^```(?<language>\w+) ?(?<file>\S*)\n(?<code>.*?)^```$/gms
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** Node 20 runs TypeScript only with this. */
const LOADER = pathToFileURL(join(ROOT, 'test/helpers/typescript-loader.mjs')).href
/** Where the states of a guide's files are, a folder each. */
const STATES = 'states'
const COMPILER = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ['node'],
}

/** A block of code in a page. `file` is empty for one that has no name. */
export interface Block {
  readonly language: string
  readonly file: string
  readonly code: string
}

/** A command of a guide, what it printed, and what the guide says that it prints. */
export interface Ran {
  readonly command: string
  readonly printed: string
  readonly said: string
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(BLOCK)].map(({ groups = {} }) => {
    const { language = '', file = '', code = '' } = groups
    return { language, file, code }
  })
}

/**
 * Follows a guide in a folder of its own: writes each named block as a file, where a later block replaces an earlier one
 * of the same name, and runs each command of an `sh` block. The `text` block behind it is what each command prints.
 * TypeScript is compiled as it is when commands run it: all its states at once, since a compiler mostly reads the types
 * of packages. What the compiler printed comes first.
 */
export async function follow(markdown: string, links: { readonly [name: string]: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'))
  try {
    await install(folder, links)
    return await followIn(folder, blocksOf(markdown))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function install(folder: string, links: { readonly [name: string]: string }): Promise<void> {
  const packages = { braidwork: 'src/cli', '@braidwork': 'node_modules/@braidwork' }
  const types = { '@types': 'node_modules/@types' }
  for (const [name, path] of Object.entries({ ...packages, ...types, ...links })) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(ROOT, path), link)
  }
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }))
}

async function followIn(folder: string, blocks: readonly Block[]): Promise<Ran[]> {
  const states = await writeStates(folder, blocks)
  const ran: Ran[] = states === 0 ? [] : [{ command: 'tsc', printed: await tsc(folder), said: '' }]
  for (const [at, block] of blocks.entries()) {
    if (block.file) await write(folder, block)
    const said = block.language === 'sh' ? outputAt(blocks, at) : undefined
    if (said === undefined) continue
    for (const command of block.code.trim().split('\n')) {
      ran.push({ command, printed: await shell(command, folder), said })
    }
  }
  return ran
}

/** What the commands of a block print; `undefined` if no text follows it. */
function outputAt(blocks: readonly Block[], at: number): string | undefined {
  const next = blocks[at + 1]
  return next?.language === 'text' ? next.code : undefined
}

async function write(folder: string, { file, code }: Block): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), code)
}

/** Writes the files of TypeScript as they are at each run of commands, if they are others than before. */
async function writeStates(folder: string, blocks: readonly Block[]): Promise<number> {
  const files = new Map<string, Block>()
  let [states, isChanged] = [0, false]
  for (const [at, block] of blocks.entries()) {
    if (block.file && block.language === 'ts') {
      files.set(block.file, block)
      isChanged = true
    }
    if (block.language !== 'sh' || outputAt(blocks, at) === undefined || !isChanged) continue
    isChanged = false
    const state = join(folder, STATES, String(++states))
    for (const one of files.values()) await write(state, one)
  }
  return states
}

function tsc(folder: string): Promise<string> {
  return printedBy(process.execPath, [TSC], { cwd: folder, env: process.env })
}

function shell(command: string, cwd: string): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: `--import ${LOADER}` }
  const program = command.replace(/^node /, `"${process.execPath}" `)
  return printedBy('sh', ['-c', program], { cwd, env })
}

/** Both outputs of a program, standard output first. */
function printedBy(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((done) => {
    execFile(file, args, { ...options, timeout: 60_000 }, (_error, out, err) => done(out + err))
  })
}
