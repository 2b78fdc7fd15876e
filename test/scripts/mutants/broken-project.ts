import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../../helpers/source-files.ts'

/** Each function has one line with one mutant that type-checks, except for the loop. */
const SOURCE = `
export function noticed(a: number, b: number): number {
  return a + b
}
export function unnoticed(a: number, b: number): number {
  return a - b
}
export function unreached(a: number, b: number): number {
  return a * b
}
export function hanging(count: number): number {
  let left = count
  for (; left > 0; )
    left--
  return left
}
export function inProgram(a: number, b: number, open: Disposable): number {
  using _closed = open
  return a / b
}
`

const PYTHON = `"""Sums in Python."""
from __future__ import annotations

def noticed(a, b):
    return a + b

def unnoticed(a, b):
    return a * b

print(noticed(1, 2))
unnoticed(1, 2)
`

export const TEST = `
import { strictEqual } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { hanging, noticed, unnoticed } from '../src/sums/index.ts'

describe('sums', () => {
  it('adds', () => strictEqual(noticed(1, 2), 3))
  it('subtracts', () => { unnoticed(1, 2) })
  it('ends', () => strictEqual(hanging(3), 0))
  it('divides in a program without variables', () => {
    const output = execFileSync(process.execPath, ['src/sums/dist/program.js'], { env: {}, encoding: 'utf8' })
    strictEqual(output, '2\\n')
  })
  it('adds in Python', () => {
    strictEqual(execFileSync('python3', ['tools/sums/sums.py'], { encoding: 'utf8' }), '3\\n')
  })
  describe('with a hook that fails', () => {
    before(() => { throw new Error('no database') })
    it('does nothing', () => undefined)
  })
  it('fails always', () => strictEqual(unnoticed(2, 1), 3))
})
`

const BUILT = `
export function inProgram(a, b) {
  return a / b
}
`

/** A project with lines that its tests notice, and lines that they do not. */
export async function brokenProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'mutants-test-'))
  // Without the types of Node, which the source does not use, each check takes half as long.
  const compilerOptions = { types: [] }
  const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  const files = {
    'package.json': '{"type": "module"}',
    'src/sums/package.json': '{"type": "module"}',
    'src/sums/tsconfig.json': JSON.stringify(config),
    'src/sums/index.ts': SOURCE,
    'src/sums/dist/index.js': BUILT,
    'src/sums/dist/program.js':
      "import { inProgram } from './index.js'\nconsole.log(inProgram(4, 2, { [Symbol.dispose]: () => 0 }))\n",
    'tools/sums/package.json': '{}',
    'tools/sums/sums.py': PYTHON,
    'test/sums.test.ts': TEST,
  }
  for (const [path, text] of Object.entries(files)) await write(root, path, text)
  await mkdir(join(root, 'node_modules'))
  for (const name of ['mocha', 'tsx', 'typescript', '@types']) {
    await symlink(join(ROOT, 'node_modules', name), join(root, 'node_modules', name))
  }
  return root
}

/** Writes a file of the project. */
export async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
