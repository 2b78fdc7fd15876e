import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { DEFAULT_LIMITS, REASONING_EFFORTS } from '../../src/plugin/config.ts'
import { EventChecker, FINISH_REASONS, toMessages } from '../../src/plugin/events/index.ts'
import { HOOKS, KINDS, VALUES } from '../../src/plugin/index.ts'
import type { Python } from '../../src/python/find-python.ts'
import { describePythonTests, pythonOf, runPython } from '../helpers/python.ts'

/** The hooks as the package has them, and the members of its protocols. */
const TABLES = `
import json
from braidwork import HOOKS, KINDS, VALUES, signatures
members = [name for kind in vars(signatures).values()
           if getattr(kind, "__module__", "") == signatures.__name__
           for name, value in getattr(kind, "__dict__", {}).items() if isinstance(value, property)]
print(json.dumps({"hooks": HOOKS, "values": VALUES, "kinds": KINDS, "members": members}))
`

/** What the types say that a value may be. */
const WORDS = `
import json
from typing import get_args
from braidwork import config, messages
kinds = lambda union: [get_args(eval(getattr(kind.__annotations__["type"], "__forward_arg__", "None"), vars(messages)))
                       for kind in get_args(union)]
print(json.dumps({
    "roles": get_args(messages.Role), "reasons": get_args(messages.FinishReason),
    "efforts": get_args(config.ReasoningEffort), "limits": list(config.Limits.__annotations__),
    "parts": sum(kinds(messages.Part), ()), "events": sum(kinds(messages.PartialEvent), ()),
}))
`

/** That every file is Python of the oldest version. */
const SYNTAX = `
import ast, pathlib, sys
files = [path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.py")]
for path in files:
    ast.parse(path.read_text("utf8"), str(path), feature_version=(3, 9))
print(len(files))
`

interface Tables {
  readonly hooks: { readonly [name: string]: readonly [kinds: string[], also: string | null] }
  readonly values: { readonly [name: string]: readonly string[] }
  readonly kinds: readonly string[]
  readonly members: readonly string[]
}

/** The words that an error ends in: "…; roles are system, user". */
function wordsIn(fail: () => void): string[] {
  try {
    fail()
  } catch (error) {
    return (error as Error).message
      .replace(/^.* are /s, '')
      .replace(/\.$/, '')
      .split(', ')
  }
  throw new Error('nothing was refused')
}

describe('the Python package', function () {
  this.timeout(30_000)
  let python: Python
  let tables: Tables
  before(async function () {
    python = await pythonOf(this)
    tables = JSON.parse((await runPython(python, '-c', TABLES)).stdout) as Tables
  })

  it('has every hook of the host, under the same names and for the same kinds', () => {
    const hooks = Object.values(HOOKS).map(({ python: [name, also = null], kinds }) => {
      return [name, [[...kinds], also]] as const
    })
    expect(tables.hooks).to.deep.equal(Object.fromEntries(hooks))
    expect(tables.kinds).to.deep.equal([...KINDS])
  })

  it('has every value of the host', () => {
    const values = Object.values(VALUES).map(({ python: name, kinds }) => [name, [...kinds]])
    expect(tables.values).to.deep.equal(Object.fromEntries(values))
  })

  it('has a protocol for each hook', () => {
    expect([...new Set(tables.members)]).to.have.members([
      'kind',
      'name',
      ...Object.keys(tables.hooks),
    ])
  })

  it('has the words of the host for roles, parts, events, limits and reasons', async () => {
    const words = JSON.parse((await runPython(python, '-c', WORDS)).stdout) as object
    const role = { role: 'none', parts: [] }
    const part = { role: 'user', parts: [{ type: 'none' }] }
    expect(words).to.deep.equal({
      roles: wordsIn(() => toMessages([role])),
      reasons: [...FINISH_REASONS],
      efforts: [...REASONING_EFFORTS],
      limits: Object.keys(DEFAULT_LIMITS),
      parts: wordsIn(() => toMessages([part])),
      events: wordsIn(() => new EventChecker().check({ type: 'none' })),
    })
  })

  for (const name of ['docstrings', 'functions', 'schemas']) {
    it(`reads functions that are tools by the host's own module: ${name}`, () => {
      const own = readFileSync(`python/braidwork/testing/function_tools/${name}.py`, 'utf8')
      const shim = readFileSync(`src/python/shim/braidwork_bridge/${name}.py`, 'utf8')
      expect(own, 'copy the module of src/python/shim over it').to.equal(shim)
    })
  }

  it('is Python of every version from 3.9 on', async () => {
    const folders = ['python', 'src/python', 'providers', 'extensions', 'features', 'tools']
    const { stdout } = await runPython(python, '-c', SYNTAX, ...folders, 'test/python-package')
    expect(Number(stdout)).to.be.above(40)
  })

  it('has a README whose program prints what it says', async () => {
    const readme = readFileSync('python/README.md', 'utf8')
    const [, code = '', output] = /```python\n(.*?)```\n```text\n(.*?)```/s.exec(readme) ?? []
    expect((await runPython(python, '-c', code)).stdout).to.equal(output)
  })

  it('has the version of the host, and needs nothing', () => {
    const project = readFileSync('python/pyproject.toml', 'utf8')
    const { version } = JSON.parse(readFileSync('src/core/package.json', 'utf8')) as {
      version: string
    }
    expect(project).to.include(`\nversion = "${version}"\n`)
    expect(project).to.include('\ndependencies = []\n')
  })
})

describePythonTests('the test kit in Python', 'test/python-package')
