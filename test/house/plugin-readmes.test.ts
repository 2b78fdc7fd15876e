import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'
import { expect } from 'chai'
import { pluginPythonOf } from '../../src/python/venvs/venvs.ts'
import { sampled } from '../helpers/cases.ts'
import { pythonOf } from '../helpers/python.ts'

/** The shipped plugins whose programs need no server: all but the providers of model APIs. */
const FOLDERS = [
  'providers/scripted',
  'providers/smollm',
  ...['extensions', 'features', 'tools'].flatMap((group) =>
    readdirSync(group).map((name) => `${group}/${name}`),
  ),
]
  .filter((folder) => existsSync(join(folder, 'package.json')))
  // Its program needs packages that users install themselves.
  .filter((folder) => folder !== 'tools/llm-tools')

const MODULES: readonly (readonly [name: string, path: string])[] = [
  ['braidwork', 'src/core/index.ts'],
  ['braidwork/agent', 'src/agent/index.ts'],
  ...FOLDERS.map((folder) => [nameOf(folder), join(folder, 'index.ts')] as const),
]

function nameOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string }).name
}

/** Those in Python are named, and not imported. */
function isPython(folder: string): boolean {
  return existsSync(join(folder, 'plugin.py'))
}

/** The first program of a README, and what it says that it prints. */
function exampleOf(readme: string): { readonly code: string; readonly output: string } {
  const [, code = '', output = ''] = /```ts\n(.*?)```\n```text\n(.*?)```/s.exec(readme) ?? []
  return { code, output }
}

/** The program with its packages taken from their sources here. */
function localize(code: string): string {
  const named = FOLDERS.filter(isPython).reduce(
    (text, folder) => text.replace(`'${nameOf(folder)}'`, `'${resolve(folder)}'`),
    code.replaceAll('console.log(', 'globalThis.printed('),
  )
  return MODULES.reduce(
    (text, [name, path]) => text.replace(`from '${name}'`, `from '${pathToFileURL(path)}'`),
    named,
  )
}

/** What a program prints, as `console.log` would. */
async function run(code: string, folder: string): Promise<string> {
  const path = join(folder, 'example.mts')
  await writeFile(path, localize(code))
  const lines: string[] = []
  const printed = (...values: unknown[]) => lines.push(formatWithOptions({}, ...values))
  Object.assign(globalThis, { printed })
  await import(pathToFileURL(path).href)
  return lines.map((line) => `${line}\n`).join('')
}

/** Skips where there is no Python, or where what the plugin needs was not made. */
async function assertRuns(context: Mocha.Context, folder: string): Promise<void> {
  const python = await pythonOf(context)
  await pluginPythonOf(resolve(folder), python).catch((error: unknown) => {
    process.stderr.write(`The program of ${folder} is not run: ${String(error)}\n`)
    context.skip()
  })
}

describe('README', function () {
  // A model is loaded.
  this.timeout(60_000)
  let folder: string
  const { TMPDIR } = process.env
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readme-'))
    // A program may make temporary folders of its own.
    process.env['TMPDIR'] = folder
  })
  afterEach(async () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    await rm(folder, { recursive: true })
  })

  for (const name of sampled(FOLDERS, 3)) {
    it(`of ${name} prints what it says`, async function () {
      if (isPython(name)) await assertRuns(this, name)
      const { code, output } = exampleOf(await readFile(join(name, 'README.md'), 'utf8'))
      expect(code).to.include('createHost')
      expect(await run(code, folder)).to.equal(output)
    })
  }

  it('of scripted has a script that works', async () => {
    const readme = await readFile('providers/scripted/README.md', 'utf8')
    const [, json = ''] = /```json\n(.*?)```/s.exec(readme) ?? []
    const { ask, configOf } = await import('../providers/scripted/ask.ts')
    const { text } = await ask('Hello', configOf(JSON.parse(json).settings.scripted))
    expect(text).to.equal('You said: Hello')
  })
})
