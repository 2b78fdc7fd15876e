import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { describePythonTests, pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'

const SHIM = join(ROOT, 'src', 'python', 'dist', 'shim')

const PARSE = `
import ast, sys
for path in sys.argv[1:]:
    for minor in range(9, sys.version_info.minor + 1):
        ast.parse(open(path, encoding="utf-8").read(), path, feature_version=(3, minor))
`

describePythonTests('what the shim makes of values', 'test/python')

describe('the shim', () => {
  const entries = readdirSync(SHIM, { recursive: true, encoding: 'utf8' })
  const files = entries.filter((name) => name.endsWith('.py')).map((name) => join(SHIM, name))
  let python: Python

  before(async function () {
    python = await pythonOf(this)
  })

  it('parses as Python 3.9 and as every later version that is here', () => {
    execFileSync(python.executable, ['-c', PARSE, ...files])
  })

  it('imports nothing but the standard library', function () {
    const listed = execFileSync(python.executable, [
      '-c',
      'import sys; print(*getattr(sys, "stdlib_module_names", ()))',
    ])
    const known = new Set(listed.toString().trim().split(' '))
    if (known.size < 100) {
      process.stderr.write(`"${this.test?.title}" is skipped: this Python lists no library\n`)
      return this.skip()
    }
    const imported = files.flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      return [...text.matchAll(/^\s*(?:import|from) ([a-z_]\w*)/gm)].map(([, name = '']) => name)
    })
    expect(imported.filter((name) => !known.has(name))).to.deep.equal([])
  })

  it('has short lines', () => {
    for (const path of files) {
      const lines = readFileSync(path, 'utf8').split('\n')
      expect(Math.max(...lines.map((line) => line.length)), path).to.be.at.most(100)
    }
  })
})
