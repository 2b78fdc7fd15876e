import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './source-files.ts'

const BLOCK = /^```(?<language>\w+) ?(?<file>\S*)\n(?<code>.*?)^```$/gms
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** Node 20 runs TypeScript only with this. */
const LOADER = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href
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
 * TypeScript is compiled before the commands that run it.
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
  const ran: Ran[] = []
  let isChanged = false
  for (const [at, { language, file, code }] of blocks.entries()) {
    if (file) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), code)
      isChanged ||= language === 'ts'
    }
    const next = blocks[at + 1]
    if (language !== 'sh' || next?.language !== 'text') continue
    if (isChanged) ran.push({ command: 'tsc', printed: await tsc(folder), said: '' })
    isChanged = false
    for (const command of code.trim().split('\n')) {
      ran.push({ command, printed: await shell(command, folder), said: next.code })
    }
  }
  return ran
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
