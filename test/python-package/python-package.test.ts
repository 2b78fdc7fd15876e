import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEFAULT_LIMITS, REASONING_EFFORTS } from '../../src/plugin/config.ts'
import { EventChecker, FINISH_REASONS, toMessages } from '../../src/plugin/events/index.ts'
import { HOOKS, KINDS, VALUES } from '../../src/plugin/index.ts'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { pythonOf, runPython } from '../helpers/python.ts'

/** The hooks as the package has them, and the members of its protocols. */
const TABLES = `
import json
from braidwork import HOOKS, KINDS, VALUES, signatures
rooms = (signatures.__name__, "braidwork.tool_signatures", "braidwork.run_hooks")
members = [name for kind in vars(signatures).values()
           if getattr(kind, "__module__", "") in rooms
           for name, value in getattr(kind, "__dict__", {}).items() if isinstance(value, property)]
print(json.dumps({"hooks": HOOKS, "values": VALUES, "kinds": KINDS, "members": members}))
`

/** What the types say that a value may be. */
const WORDS = `
import json
from typing import get_args
from braidwork import config, messages
from braidwork.testing.limits import SECONDS
kinds = lambda union: [get_args(eval(getattr(kind.__annotations__["type"], "__forward_arg__", "None"), vars(messages)))
                       for kind in get_args(union)]
print(json.dumps({
    "roles": get_args(messages.Role), "reasons": get_args(messages.FinishReason),
    "efforts": get_args(config.ReasoningEffort), "limits": list(config.Limits.__annotations__), "seconds": SECONDS,
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

/** The names that a module of the package binds twice: type checkers take only the first. */
const TWICE = `
import ast, collections, pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    body = ast.parse(path.read_text("utf8")).body
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    names = collections.Counter(one.name for one in body if isinstance(one, kinds))
    print(*(f"{path.name}: {name}" for name, count in names.items() if count > 1), sep="\\n", end="")
`

interface Tables {
  readonly hooks: { readonly [name: string]: readonly [kinds: string[], ...string[]] }
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

/** The texts of the modules below a folder, by their path in it. */
function modulesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const modules = names.filter((name) => name.endsWith('.py'))
  return new Map(modules.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Every four lines that follow each other, but for imports, comments and empty lines. */
function runsIn(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:import |from |#)/.test(line))
  return lines.slice(3).map((_, at) => lines.slice(at, at + 4).join('\n'))
}

describe('the Python package', function () {
  this.timeout(30_000)
  let python: Python
  let tables: Tables
  before(async function () {
    python = await pythonOf(this)
    tables = JSON.parse((await runPython(python, '-c', TABLES)).stdout) as Tables
  })

  it('has every hook of the host, with its names, kinds and the shape of its answer', () => {
    const hooks = Object.values(HOOKS).map(({ python: [name, also = null], kinds, answer }) => {
      return [name, [[...kinds], also, answer]] as const
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
    const { hook, process_chunk, execute_tool, call, stream_idle } = DEFAULT_LIMITS
    expect(words).to.deep.equal({
      roles: wordsIn(() => toMessages([role])),
      reasons: [...FINISH_REASONS],
      efforts: [...REASONING_EFFORTS],
      limits: Object.keys(DEFAULT_LIMITS),
      seconds: { hook, process_chunk, execute_tool, call, stream_idle },
      parts: wordsIn(() => toMessages([part])),
      events: wordsIn(() => new EventChecker().check({ type: 'none' })),
    })
  })

  it('has the only source of the modules that the shim reads functions with', () => {
    const own = modulesIn('python/braidwork/testing/function_tools')
    const source = modulesIn('src/python/shim/braidwork_bridge')
    const built = modulesIn('src/python/dist/shim/braidwork_bridge')
    const shared = [...own.keys()].filter((name) => !source.has(name))
    expect(shared).to.have.members([
      'conversions.py',
      'docstrings.py',
      'functions.py',
      'levels.py',
      'members.py',
      'pydantic_types.py',
      'refusals.py',
      'schemas.py',
      'settings.py',
      'to_json.py',
      'typed_dicts.py',
    ])
    expect([...built.keys()]).to.have.members([...source.keys(), ...shared])
    for (const name of shared) expect(built.get(name), name).to.equal(own.get(name))
    for (const [name, text] of source) expect(built.get(name), name).to.equal(text)
  })

  it('has no four lines in a row that the source of the shim has too', () => {
    const own = new Set([...modulesIn('python/braidwork').values()].flatMap(runsIn))
    expect(own.size).to.be.above(1000)
    for (const [name, text] of modulesIn('src/python/shim')) {
      expect(
        runsIn(text).filter((run) => own.has(run)),
        name,
      ).to.deep.equal([])
    }
  })

  it('is Python of every version from 3.9 on', async () => {
    const folders = ['python', 'src/python', 'providers', 'extensions', 'features', 'tools']
    const { stdout } = await runPython(python, '-c', SYNTAX, ...folders, 'test/python-package')
    expect(Number(stdout)).to.be.above(40)
  })

  it('has each class and function of a module once, so that its name means one thing', async () => {
    expect((await runPython(python, '-c', TWICE, 'python')).stdout).to.equal('')
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
