import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import scripted from '../../providers/scripted/index.ts'
import { run } from '../../src/agent/index.ts'
import { SETTINGS_CHECK } from '../../src/core/config/check-config.ts'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import type { Host, SettingsDocument } from '../../src/core/index.ts'
import { Recording } from '../../src/core/recording.ts'
import { PythonPlugins } from '../../src/python/index.ts'
import { sampled } from '../helpers/cases.ts'
import { collect } from '../helpers/hosts.ts'
import { pythonOf } from '../helpers/python.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'
import { ROOT } from '../helpers/source-files.ts'

const SETTINGS = `
from __future__ import annotations
import dataclasses, enum
from typing import Annotated, Dict, List, Literal, Optional, Tuple

class Tone(enum.Enum):
    KIND = "kind"
    BRIEF = "brief"

@dataclasses.dataclass
class Rule:
    """A word, and what stands in its place."""
    word: str
    into: str = "…"
    sub: List[Rule] = dataclasses.field(default_factory=list)

@dataclasses.dataclass
class Settings:
    """How it speaks."""
    key: str = dataclasses.field(metadata={"secret": True, "env": "TONE_KEY", "title": "Key"})
    tone: Tone = Tone.KIND
    level: Annotated[int, "How much", {"minimum": 1, "maximum": 5}] = 3
    mode: Literal["a", "b"] = "a"
    name: Optional[str] = None
    pair: Tuple[str, int] = ("x", 1)
    rules: List[Rule] = dataclasses.field(default_factory=lambda: [Rule("a")])
    words: Dict[str, float] = dataclasses.field(default_factory=dict)

class Plugin:
    kind = "feature"
    name = "tone"
    config_schema = Settings

plugin = Plugin
`

const RULE = {
  type: 'object',
  description: 'A word, and what stands in its place.',
  properties: {
    word: { type: 'string' },
    into: { type: 'string', default: '…' },
    sub: { type: 'array', items: { $ref: '#/$defs/Rule' }, default: [] },
  },
  required: ['word'],
  additionalProperties: false,
}

describe('settings of a Python plugin', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  async function faultOf(schema: string): Promise<string> {
    const text = `import dataclasses, datetime\nfrom typing import *\n${schema}\nkind = "feature"\nname = "f"\n`
    const host = await folder.host([text])
    const { diagnostics } = await host.resolve({ provider: 'scripted' })
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NOT_LOADED'])
    return diagnostics[0]?.message ?? ''
  }

  it('may be a dataclass: types, defaults, metadata, and the classes that it names', async () => {
    const host = await folder.host([SETTINGS])
    const { schema } = await host.uiSchema({ settings: { tone: { key: 'k-12345' } } })
    expect(JSON.stringify(schema)).not.to.include('k-12345')
    const [described] = (await host.explain()).filter(({ plugin }) => plugin === 'tone')
    expect(described?.on).to.equal(true)
    expect(await schemaOf(SETTINGS)).to.deep.equal({
      type: 'object',
      description: 'How it speaks.',
      properties: {
        key: { type: 'string', title: 'Key', writeOnly: true, 'x-env': 'TONE_KEY' },
        tone: { enum: ['kind', 'brief'], default: 'kind' },
        level: { type: 'integer', description: 'How much', minimum: 1, maximum: 5, default: 3 },
        mode: { enum: ['a', 'b'], default: 'a' },
        name: { type: ['string', 'null'], default: null },
        pair: {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'integer' }],
          minItems: 2,
          maxItems: 2,
          default: ['x', 1],
        },
        rules: {
          type: 'array',
          items: { $ref: '#/$defs/Rule' },
          default: [{ word: 'a', into: '…', sub: [] }],
        },
        words: { type: 'object', additionalProperties: { type: 'number' }, default: {} },
      },
      required: ['key'],
      additionalProperties: false,
      $defs: { Rule: RULE },
    })
  })

  describe('that only their class refuses', () => {
    const REFUSING = `
import dataclasses
MADE = []
@dataclasses.dataclass
class Settings:
    limit: int = 3
    def __post_init__(self):
        MADE.append(self)
        if self.limit > 5: raise ValueError("limit must be at most 5")
config_schema = Settings
`
    const TOOL = `${REFUSING}
kind = "tool"
name = "bob"
def look():
    "Looks."
functions = [look]
`
    const EXTENSION = `${REFUSING}\nkind = "extension"\nname = "bob"\n`
    const FEATURE = `${REFUSING}
kind = "feature"
name = "bob"
def init(config, state, *, context):
    context.warn(f"made {len(MADE)}")
    return state
`
    const PROVIDER = `${REFUSING}
kind = "provider"
name = "bob"
def get_tags(config, models): return ["text"]
def call(native, state): return [], [{"role": "assistant", "parts": []}], native, state
`
    const refused = {
      code: 'SETTINGS_INVALID',
      plugin: 'bob',
      pointer: '/settings/bob',
    }
    for (const [kind, text] of Object.entries({ TOOL, EXTENSION, FEATURE, PROVIDER })) {
      it(`end a request before anything runs, and a run: ${kind.toLowerCase()}`, async () => {
        const host = await folder.host([text])
        const config = {
          settings: { bob: { limit: 9 } },
          ...(kind === 'PROVIDER' ? { provider: 'bob' } : {}),
        }
        const error = await host.send(config, 'hello').catch((thrown: unknown) => thrown)
        expect(error).to.include(refused)
        expect((error as Error).message).to.match(/ at \/settings\/bob: limit must be at most 5$/)
        const events = await collect(run(host, { config, messages: 'hello' }))
        expect(events.at(-1)).to.have.property('error').that.includes(refused)
      })
    }

    it('are checked once for equal settings, and once where there are none', async () => {
      const host = await folder.host([FEATURE])
      const made = async (settings: { readonly limit: number }) => {
        const { warnings } = await host.send({ settings: { bob: settings } }, 'hello')
        return warnings.join()
      }
      for (let turn = 0; turn < 2; turn++) {
        expect((await host.send({}, 'hello')).warnings.join()).to.equal('bob: made 1')
      }
      expect(await made({ limit: 4 })).to.equal('bob: made 2')
      expect(await made({ limit: 4 })).to.equal('bob: made 2')
      const error = await made({ limit: 6 }).catch((thrown: unknown) => thrown)
      expect(error).to.include(refused)
      expect(await made({ limit: 4 })).to.equal('bob: made 3')
    })

    it('are found where a class that a field names refuses them', async () => {
      const host = await folder.host([
        `
import dataclasses
from typing import List
@dataclasses.dataclass
class Rule:
    word: str
    def __post_init__(self):
        if not self.word: raise ValueError("a rule needs a word")
@dataclasses.dataclass
class Settings:
    rules: List[Rule] = dataclasses.field(default_factory=list)
kind = "feature"
name = "bob"
config_schema = Settings
`,
      ])
      const { error } = await host.stream({ settings: { bob: { rules: [{ word: '' }] } } }, 'hello')
        .result
      expect(error).to.include({ ...refused, pointer: '/settings/bob/rules/0' })
    })

    it('are never asked of a class that takes whatever its schema takes', async () => {
      const plugins = new PythonPlugins({ log: () => undefined })
      const path = await folder.write('tone.py', SETTINGS)
      const plugin = await plugins.load(path)
      await plugins.close()
      expect(plugin).not.to.have.property(SETTINGS_CHECK)
    })
  })

  it('of a TypedDict have the defaults that its form shows', async () => {
    const host = await folder.host([
      `
from typing import Annotated, TypedDict
class config_schema(TypedDict, total=False):
    level: Annotated[int, {"default": 4}]
kind = "feature"
name = "typed"
def init(config, state, *, context):
    context.warn(repr(context.settings))
    return state
`,
    ])
    const { warnings } = await host.send({}, 'hello')
    expect(warnings.join()).to.include("{'level': 4}")
    const { data } = await host.uiSchema({})
    expect(data['settings']).to.deep.include({ typed: { level: 4 } })
  })

  it('are checked by the schema of the class, before anything runs', async () => {
    const host = await folder.host([SETTINGS])
    const error = await host.send({ settings: { tone: { key: 'k', level: 9 } } }, 'hello').then(
      () => expect.fail('sent'),
      (thrown: unknown) => thrown,
    )
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/tone/level' })
  })

  it('are given to the hooks as an object of the class, with enums and nested classes', async () => {
    const hooks = `
    def init(self, config, state, context):
        given = context.settings
        assert isinstance(given, Settings) and given is context.settings
        assert isinstance(given.tone, Tone) and isinstance(given.rules[0], Rule)
        told = [given.key, given.tone.name, given.level, given.pair, given.rules[0].into]
        return {**state, "told": told}

    def edit_messages(self, messages, state, context):
        text = f"{context.settings.tone.name} {context.settings.words}"
        return [{"role": "user", "parts": [{"type": "text", "text": text}]}]
`
    const host = await folder.host([
      SETTINGS.replace('    config_schema = Settings\n', `    config_schema = Settings\n${hooks}`),
    ])
    const tone = { key: 'k-1', tone: 'brief', rules: [{ word: 'b' }], words: { x: 1 } }
    const { state, native } = await host.dryRun({ settings: { tone } }, 'hello')
    expect(state['told']).to.deep.equal(['k-1', 'BRIEF', 3, ['x', 1], '…'])
    expect(JSON.stringify(native)).to.include("BRIEF {'x': 1.0}")
  })

  it('are given as the answer of a model, as pydantic makes it, which may refuse them', async () => {
    const model = `
class Refused(Exception):
    def errors(self):
        return [{"loc": ("range", 0), "msg": "low must be below high"}]

class Model:
    @classmethod
    def model_json_schema(cls):
        return {"type": "object", "properties": {"range": {"type": "array"}}}

    @classmethod
    def model_validate(cls, value):
        made = cls()
        made.low, made.high = value.get("range", [1, 2])
        if made.low >= made.high:
            raise Refused()
        return made

kind = "feature"
name = "m"
config_schema = Model

async def init(config, state, context):
    return {**state, "told": [context.settings.low, context.settings.high]}
`
    const host = await folder.host([model])
    expect((await host.dryRun({}, 'hello')).state['told']).to.deep.equal([1, 2])
    const error = await host.send({ settings: { m: { range: [2, 1] } } }, 'hello').then(
      () => expect.fail('sent'),
      (thrown: unknown) => thrown,
    )
    expect(error).to.include({
      code: 'SETTINGS_INVALID',
      pointer: '/settings/m/range/0',
      plugin: 'm',
      message: 'Settings of feature "m" at /settings/m/range/0: low must be below high',
    })
  })

  it('are given as a dict with the defaults of a JSON Schema, to chunk hooks too', async () => {
    const plugin = `
kind = "extension"
name = "tone"
config_schema = {
    "type": "object",
    "properties": {
        "mark": {"$ref": "#/$defs/mark", "default": "!"},
        "inner": {"type": "object", "properties": {"deep": {"default": [1]}}},
    },
    "$defs": {"mark": {"type": "string"}},
}

def process_chunk(chunk, partials, finals, native, state, *, context):
    return partials, finals, native, {**state, "told": context.settings}

def finalize(finals, native, state, *, context):
    context.warn(f"{state['told']}")
    return finals, native, state
`
    const host = await folder.host([plugin])
    const { warnings } = await host.stream({ settings: { tone: { inner: {} } } }, 'hello').result
    expect(warnings).to.deep.equal(["tone: {'inner': {'deep': [1]}, 'mark': '!'}"])
  })

  it('may be a class that says its own schema, as those of pydantic do', async () => {
    const model = `
class Model:
    @classmethod
    def model_json_schema(cls):
        return {"type": "object", "properties": {"n": {"type": "integer"}}}

kind = "feature"
name = "m"
config_schema = Model
`
    expect(await schemaOf(model)).to.deep.equal({
      type: 'object',
      properties: { n: { type: 'integer' } },
    })
  })

  const REFUSED: readonly (readonly [what: string, schema: string, expected: RegExp])[] = [
    [
      'a field of a type without a schema',
      '@dataclasses.dataclass\nclass S:\n    when: datetime.datetime\nconfig_schema = S',
      /"config_schema".*field "when" of class "S" is of type datetime/,
    ],
    [
      'one in a list in a dict',
      '@dataclasses.dataclass\nclass S:\n    many: Dict[str, List[bytes]]\nconfig_schema = S',
      /field "many" of class "S"\[str\]\[\] is of type bytes/,
    ],
    [
      'a dict whose keys are no texts',
      '@dataclasses.dataclass\nclass S:\n    d: Dict[int, str]\nconfig_schema = S',
      /field "d" of class "S".*keys of a JSON object must be texts/,
    ],
    [
      'a default that is no JSON',
      '@dataclasses.dataclass\nclass S:\n    n: float = float("nan")\nconfig_schema = S',
      /JSON cannot express the default of field "n" of class "S": nan/,
    ],
    [
      'an annotation that names nothing',
      '@dataclasses.dataclass\nclass S:\n    n: "Gone"\nconfig_schema = S',
      /annotations of class "S" cannot be read.*Gone/,
    ],
    ['a class of another sort', 'class S: pass\nconfig_schema = S', /class "S" has no JSON Schema/],
  ]
  for (const [what, schema, expected] of sampled(REFUSED, 3)) {
    it(`are refused at load, with the field: ${what}`, async () => {
      expect(await faultOf(schema)).to.match(expected)
    })
  }

  async function schemaOf(module: string): Promise<unknown> {
    const path = await folder.write('read.py', module)
    const code = `
import json, runpy, sys
sys.path.insert(0, ${JSON.stringify(SHIM)})
from braidwork_bridge.schemas import schema_of_class
import importlib.util
spec = importlib.util.spec_from_file_location("read", ${JSON.stringify(path)})
module = importlib.util.module_from_spec(spec)
sys.modules["read"] = module
spec.loader.exec_module(module)
found = getattr(module, "plugin", module)
print(json.dumps(schema_of_class(found.config_schema)))
`
    return JSON.parse(runPython(code))
  }
})

const SHIM = join(ROOT, 'src', 'python', 'dist', 'shim')
let executable = ''
const runPython = (code: string, ...args: readonly string[]) =>
  execFileSync(executable, ['-c', code, ...args]).toString()

before(async function () {
  executable = (await pythonOf(this)).executable
})

const READER = `
kind = "feature"
name = "reader"

def get_tags(config, models):
    return ["deep"] if config["settings"]["reader"]["mode"] == "deep" else []
`

const EVERY = `
kind = "feature"
name = "every"

def get_models(config, models):
    return models if config.get("seed") else [*models, "more"]

async def get_tags(config, models):
    return ["odd"] if "odd" in config.get("settings", {}).get("every", {}) else []

def is_enabled(config, tags, models, context):
    return config["settings"]["every"].get("on", True)

def get_ui_elements(config, input, context):
    level = context.config["settings"]["every"].get("level", 1)
    return [
        {"id": "depth", "kind": "setting", "title": f"Depth at {level}", "schema": {"type": "integer"}},
        {"id": "forget", "kind": "session-action", "title": "Forget"},
    ]

def run_action(id, input, context):
    return {"did": id, "with": input}
`

describe('what a form depends on, read in Python', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  async function documentOf(
    plugin: string,
    config: ConfigLayer,
  ): Promise<[Host, SettingsDocument]> {
    // Imported as the room for Python is: the runner's own way of loading would make another copy of the host.
    const { createHost } = await import('../../src/core/index.ts')
    const path = await folder.write('module.py', plugin)
    const host = await createHost({ plugins: [scripted, path], config: { provider: 'scripted' } })
    hosts.push(host)
    return [host, await host.uiSchema(config)]
  }

  const hosts: Host[] = []
  afterEach(() => Promise.all(hosts.splice(0).map((host) => host.close())))

  it('is the value that one hook asked for, and no more', async () => {
    const settings = { reader: { mode: 'x', other: 1 } }
    const silent = READER.replace('config["settings"]["reader"]["mode"]', '""')
    const [, { recomputeOn: before }] = await documentOf(silent, { settings })
    const [, { recomputeOn }] = await documentOf(READER, { settings })
    expect(recomputeOn).to.deep.equal([...before, '/settings/reader/mode'].sort())
  })

  it('is what a hook read of its settings', async () => {
    const reads = (what: string) => `
kind = "feature"
name = "reader"

def get_ui_elements(config, input, context):
    title = ${what}
    return [{"id": "on", "kind": "session-action", "title": title}]
`
    const settings = { reader: { mode: 'x', other: 1 } }
    const [, { recomputeOn: before }] = await documentOf(reads('"On"'), { settings })
    const [, { recomputeOn }] = await documentOf(reads('context.settings["mode"]'), { settings })
    expect(recomputeOn).to.deep.equal([...before, '/settings/reader/mode'].sort())
  })

  it('is what each of the hooks read, also by its context, also in async code', async () => {
    const settings = { every: { on: true, level: 2, unread: 3 } }
    const [, { recomputeOn, sections }] = await documentOf(EVERY, { settings })
    expect(recomputeOn.filter((pointer) => /every|seed/.test(pointer))).to.deep.equal([
      '/seed',
      '/settings/every/level',
      '/settings/every/odd',
      '/settings/every/on',
    ])
    expect(recomputeOn).not.to.include('').and.not.to.include('/settings')
    const section = sections.find(({ plugin }) => plugin === 'every')
    expect(section?.actions.map(({ id, plugin }) => [id, plugin])).to.deep.equal([
      ['forget', 'every'],
    ])
  })

  it('is the whole config where a hook failed', async () => {
    const failing = EVERY.replace('level = ', 'level = 1 / 0 #')
    const [, { recomputeOn, diagnostics }] = await documentOf(failing, { settings: { every: {} } })
    expect(recomputeOn).to.deep.equal([''])
    expect(diagnostics.map(({ plugin }) => plugin)).to.include('every')
  })

  it('shows what get_ui_elements adds, and runs its actions', async () => {
    const settings = { every: { level: 2, depth: 4 } }
    const [host, { data, schema }] = await documentOf(EVERY, { settings })
    expect(JSON.stringify(schema)).to.include('Depth at 2')
    expect((data['settings'] as { every: object }).every).to.deep.include({ depth: 4 })
    const done = await host.runAction('every', 'forget', { all: true }, { settings })
    expect(done).to.deep.equal({ did: 'forget', with: { all: true } })
  })
})

/** One way of reading, at the object that keys lead to. */
interface Read {
  readonly keys: readonly string[]
  readonly how: 'get' | 'has' | 'keys' | 'copy' | 'dump'
  readonly key: string
}

const VALUE = {
  a: { b: { c: 1, 'x/y': { d: null } }, list: [{ e: 1 }] },
  f: { g: { i: true }, 'h~': 'text' },
  n: null,
}
const KEY = fc.constantFrom('a', 'b', 'c', 'x/y', 'd', 'list', 'f', 'g', 'h~', 'n', 'gone')
const PATHS: readonly (readonly string[])[] = [
  [],
  ['a'],
  ['a', 'b'],
  ['a', 'b', 'x/y'],
  ['f'],
  ['f', 'g'],
]
const READS = fc.array(
  fc.record({
    keys: fc.constantFrom(...PATHS),
    how: fc.constantFrom('get', 'get', 'has', 'keys', 'copy', 'dump'),
    key: KEY,
  }),
  { maxLength: 4 },
) as fc.Arbitrary<Read[]>

const REPLAY = `
import json, sys
sys.path.insert(0, ${JSON.stringify(SHIM)})
from braidwork_bridge.recording import Recorder
given = json.loads(sys.argv[1])
def replay(reads):
    recorder = Recorder()
    view = recorder.view(given["value"])
    for read in reads:
        at = view
        for key in read["keys"]:
            at = at[key]
        how, key = read["how"], read["key"]
        {"get": lambda: at.get(key), "has": lambda: key in at, "keys": lambda: list(at),
         "copy": lambda: {**at}, "dump": lambda: json.dumps(at)}[how]()
    return recorder.pointers
print(json.dumps([replay(reads) for reads in given["reads"]]))
`

describe('a recording config of Python', () => {
  it('notes the same as one of TypeScript, however it is read', () => {
    const all = fc.sample(READS, 400)
    const ours = all.map((reads) => {
      const recording = new Recording()
      const view = recording.view(VALUE)
      for (const read of reads) replay(view, read)
      return recording.pointers
    })
    const value = { value: VALUE, reads: all }
    const theirs = JSON.parse(runPython(REPLAY, JSON.stringify(value))) as string[][]
    const outermost = theirs.map((pointers) => {
      const recording = new Recording()
      for (const pointer of pointers) recording.add(pointer)
      return recording.pointers
    })
    for (const [at, reads] of all.entries())
      expect(outermost[at], JSON.stringify(reads)).to.deep.equal(ours[at])
  })

  it('is a dict to all that dicts are used for, and all of it counts where all of it is seen', () => {
    const code = `
import copy, json, pickle, sys
sys.path.insert(0, ${JSON.stringify(SHIM)})
from braidwork_bridge.recording import Recorder
value = {"a": {"b": 1}, "c": [1]}
ways = {
    "json.dumps": json.dumps, "json.dumps indented": lambda v: json.dumps(v, indent=1),
    "dict()": dict, "**": lambda v: {**v}, "call **": lambda v: (lambda **k: k)(**v),
    "copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda v: pickle.loads(pickle.dumps(v)),
    "items": lambda v: dict(v.items()), "keys": lambda v: set(v.keys()), "values": lambda v: list(v.values()),
    "len": len, "list": list, "reversed": lambda v: list(reversed(v)), "repr": repr, "==": lambda v: v == value,
    "|": lambda v: {} if sys.version_info < (3, 9) else v | {}, "bool": bool, ".copy()": lambda v: v.copy(),
}
out = {}
for name, way in ways.items():
    recorder = Recorder()
    view = recorder.view(value)
    view.get("a")
    made = way(view)
    same = type(made) is not dict or made == value
    out[name] = [recorder.pointers, same and isinstance(view, dict)]
print(json.dumps(out))
`
    const seen = JSON.parse(runPython(code)) as { [way: string]: [string[], boolean] }
    for (const [way, [pointers, isSame]] of Object.entries(seen)) {
      expect(pointers, way).to.include('')
      expect(isSame, way).to.equal(true)
    }
  })
})

function replay(view: object, { keys, how, key }: Read): unknown {
  const at = keys.reduce<object>(
    (one, name) => (one as { [name: string]: object })[name] ?? {},
    view,
  )
  switch (how) {
    case 'get':
      return (at as { [name: string]: unknown })[key]
    case 'has':
      return Object.hasOwn(at, key)
    case 'keys':
      return Object.keys(at)
    case 'copy':
      return { ...at }
    case 'dump':
      return JSON.stringify(at)
  }
}
