import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { offByDefault } from '../../../src/cli/packages/off-by-default.ts'
import { pythonOf } from '../../helpers/python.ts'

const MODULES = {
  'object.py': ['class P:\n    default_enabled = False\n\nplugin = P()\n', true],
  'class.py': ['class plugin:\n    default_enabled: bool = False\n', true],
  'class_by_name.py': ['class P:\n    default_enabled = False\n\nplugin = P\n', true],
  'module.py': ['default_enabled = False\n', true],
  'on.py': ['class P:\n    default_enabled = True\n\nplugin = P()\n', false],
  'silent.py': ['kind = "tool"\n', false],
  'other_class.py': [
    'class Q:\n    default_enabled = False\n\nclass P: pass\n\nplugin = P()\n',
    false,
  ],
  'beside.py': ['default_enabled = False\nfrom a import make\n\nplugin = make()\n', false],
  'later.py': ['default_enabled = False\ndefault_enabled = True\n', false],
  'broken.py': ['default_enabled = False\nclass (\n', false],
  'runs.py': ['default_enabled = False\nraise SystemExit("it runs")\n', true],
} as const

describe('the plugins of modules in Python', () => {
  it('are off by default where their text says so, which is not run', async function () {
    const { executable } = await pythonOf(this)
    const folder = await mkdtemp(join(tmpdir(), 'off-'))
    try {
      const paths = Object.keys(MODULES).map((name) => join(folder, name))
      for (const [name, [code]] of Object.entries(MODULES))
        await writeFile(join(folder, name), code)
      const off = await offByDefault(executable, [...paths, join(folder, 'gone.py')])
      const found = Object.keys(MODULES).filter((name) => off.has(join(folder, name)))
      const expected = Object.entries(MODULES).flatMap(([name, [, isOff]]) => (isOff ? [name] : []))
      expect(found).to.deep.equal(expected)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
