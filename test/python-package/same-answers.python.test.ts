import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHost, type Host } from '../../src/core/index.ts'
import { HostError, KINDS, type Kind } from '../../src/plugin/index.ts'
import { TABLES } from '../../src/python/hook-tables.ts'
import { pythonOf } from '../helpers/python.ts'
import { runWithKit } from './python-suite.ts'

const SAID = '{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}'

/** What a hook may answer, in Python. */
const ANSWERS = [
  'None',
  '"abc"',
  '1',
  '{}',
  '{"a": 1}',
  '[]',
  '["x"]',
  '["x", ""]',
  '[1]',
  '{"x"}',
  '(one for one in ["x"])',
  '[{}, {}]',
  '[{}, None]',
  '[[], {}, {}]',
  '[{}, {}, {}]',
  '[[], [], {}, {}]',
  '[[], {}, {}, {}]',
  '[[], [], {}, {}, 1]',
]

const MESSAGES = [
  '[{"role": "user"}]',
  `[${SAID}]`,
  `[${SAID.replace('user', 'robot')}]`,
  `[${SAID.replace('"text": "Hi"', '"text": 1')}]`,
  `[${SAID.replace('"type": "text"', '"type": "poem"')}]`,
  '[{"role": "user", "parts": [{"type": "file", "mediaType": "image/png"}]}]',
  '[{"role": "user", "parts": [{"type": "tool-call", "callId": "1", "name": "n"}]}]',
  '[{"role": "user", "parts": [{"type": "data", "name": "n", "data": 1}, 1]}]',
]

const STATES = [
  '{"requestHeaders": {"x-own": "1"}}',
  '{"requestHeaders": {"authorization": "1"}}',
  '{"requestHeaders": {"my-api-key": "1"}}',
  '{"requestHeaders": {"content-length": "1"}}',
  '{"requestHeaders": {"X-Own": "1"}}',
  '{"requestHeaders": {"x-own": "1\\n"}}',
  '{"requestHeaders": {"x-own": 1}}',
  '{"requestHeaders": {"x-own": "1" * 20000}}',
  '{"requestHeaders": []}',
]

const TOOL = '"name": "t", "description": "T", "input_schema": {}'
const SCHEMAS = [
  `[{${TOOL}}]`,
  `[{${TOOL}}, {${TOOL}}]`,
  `[{${TOOL}, "name": 1}]`,
  `[{${TOOL}, "description": 1}]`,
  `[{${TOOL}, "unavailable": 1}]`,
  `[{${TOOL}, "input_schema": 1}]`,
]

/** The hooks of a request, as Python names them, and what they may answer besides. */
const ASKED: { readonly [hook: string]: readonly string[] } = {
  get_models: [],
  get_tags: [],
  is_enabled: [],
  init: STATES,
  edit_messages: MESSAGES,
  to_native: [],
  initialize_request: STATES.map((state) => `[{}, ${state}]`),
  call: [],
  stream: [],
  process_chunk: [],
  finalize: [],
  from_native: MESSAGES,
  get_tool_schemas: SCHEMAS,
}

/** Plugins with all hooks of their kind, one of which answers as the config says. */
const PLUGINS: { readonly [K in Kind]: string } = {
  provider: `
kind = "provider"
name = "tried"
def get_models(config): return told(config, "get_models", ["m"])
def get_tags(config, models): return told(config, "get_tags", ["text"])
def init(config): return told(config, "init", {})
def to_native(messages, state, context): return told(context.config, "to_native", {"n": 1})
def initialize_request(native, state, context): return told(context.config, "initialize_request", [native, state])
def call(native, state, context): return told(context.config, "call", [[], [MESSAGE], native, state])
def stream(native, state, context): return told(context.config, "stream", iter(EVENTS))
def process_chunk(chunk, native, state, context):
    return told(context.config, "process_chunk", [[chunk], [MESSAGE] if chunk["type"] == "text-end" else [], native, state])
def finalize(native, state, context): return told(context.config, "finalize", [[], native, state])
def from_native(natives, state, context): return told(context.config, "from_native", natives)
`,
  extension: `
kind = "extension"
name = "tried"
def get_models(config, models): return told(config, "get_models", models)
def get_tags(config, models): return told(config, "get_tags", [])
def is_enabled(config, tags, models, around): return told(config, "is_enabled", True)
def init(config, state): return told(config, "init", state)
def edit_messages(messages, state, context): return told(context.config, "edit_messages", messages)
def to_native(messages, native, context): return told(context.config, "to_native", native)
def initialize_request(native, state, context): return told(context.config, "initialize_request", [native, state])
def process_chunk(chunk, partials, finals, native, state, context):
    return told(context.config, "process_chunk", [partials, finals, native, state])
def finalize(finals, native, state, context): return told(context.config, "finalize", [finals, native, state])
def from_native(natives, core, context): return told(context.config, "from_native", core)
`,
  feature: `
kind = "feature"
name = "tried"
def get_models(config, models): return told(config, "get_models", models)
def get_tags(config, models): return told(config, "get_tags", [])
def is_enabled(config, tags, models, around): return told(config, "is_enabled", True)
def init(config, state): return told(config, "init", state)
def edit_messages(messages, state, context): return told(context.config, "edit_messages", messages)
def to_native(messages, native, context): return told(context.config, "to_native", native)
def initialize_request(native, state, context): return told(context.config, "initialize_request", [native, state])
def finalize(finals, native, state, context): return told(context.config, "finalize", [finals, native, state])
def from_native(natives, core, context): return told(context.config, "from_native", core)
`,
  tool: `
kind = "tool"
name = "tried"
def get_tags(config, models): return told(config, "get_tags", [])
def is_enabled(config, tags, models, around): return told(config, "is_enabled", True)
def init(config): return told(config, "init", {})
def get_tool_schemas(state, context): return told(context.config, "get_tool_schemas", [])
def execute_tool(call, state): return "done"
`,
}

const TOLD = `
MESSAGE = {"role": "assistant", "parts": [{"type": "text", "text": "Hi"}]}
EVENTS = [{"type": "text-start", "id": "t"}, {"type": "text-delta", "id": "t", "delta": "Hi"}, {"type": "text-end", "id": "t"}]
def told(config, hook, otherwise):
    asked = config["settings"]["tried"]
    return eval(asked["answer"]) if asked["hook"] == hook else otherwise
`

/** The cases of all plugins that the kit refuses. */
const REFUSED = `
import functools, json, sys
from braidwork.testing import load_plugin
from braidwork.testing.suite.harness import Harness
from braidwork.testing.suite.options import Options

loaded = functools.cache(load_plugin)
def is_refused(path, asked):
    harness = Harness(loaded(path), Options(config={"settings": {"tried": asked}}))
    try:
        return any(harness.ask(mode).ended.status != "done" for mode in ("send", "stream"))
    except AssertionError:
        return True
    finally:
        harness.close()

print(json.dumps([is_refused(path, asked) for path, asked in json.load(sys.stdin)]))
`

interface Case {
  readonly kind: Kind
  readonly hook: string
  readonly answer: string
}

function casesOf(kind: Kind): readonly Case[] {
  const hooks = Object.values(TABLES.hooks).filter(({ gives }) => kind in gives)
  const names = hooks.flatMap(({ names: [name = ''] }) => (name in ASKED ? [name] : []))
  return names.flatMap((hook) =>
    [...ANSWERS, ...(ASKED[hook] ?? [])].map((answer) => ({ kind, hook, answer })),
  )
}

async function isRefused(host: Host, { kind, hook, answer }: Case): Promise<boolean> {
  const settings = { tried: { hook, answer } }
  const others = { provider: 'answering', enabled_plugins: ['tried'] }
  const config = { settings, ...(kind === 'provider' ? { provider: 'tried' } : others) }
  // A plugin that cannot be asked whether it takes part is off, with a diagnostic.
  const isOff = async () => {
    const { diagnostics } = await host.resolve(config)
    return diagnostics.some(({ plugin }) => plugin === 'tried')
  }
  const isUnanswered = async () => (await host.send(config, 'Hello')).status !== 'done'
  if ((await refuses(isOff)) || (await refuses(isUnanswered))) return true
  return (await host.stream(config, 'Hello').result).status !== 'done'
}

/** What is found, or true where the host throws an error of its own. Any other error is a fault of the test. */
async function refuses(find: () => Promise<boolean>): Promise<boolean> {
  try {
    return await find()
  } catch (error) {
    if (HostError.is(error)) return true
    throw error
  }
}

const ANSWERING = {
  kind: 'provider',
  name: 'answering',
  getModels: () => ['any'],
  getTags: () => ['text', 'streaming', 'tools'],
  async *stream() {
    yield 'Hello'
  },
}

describe('the answers of hooks in Python', function () {
  this.timeout(180_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answers-'))
    for (const kind of KINDS) await writeFile(join(folder, `${kind}.py`), TOLD + PLUGINS[kind])
  })
  after(() => rm(folder, { recursive: true }))

  it('are refused by the test kit where the host refuses them', async function () {
    const python = await pythonOf(this)
    const cases = KINDS.flatMap(casesOf)
    const input = cases.map(({ kind, ...asked }) => [join(folder, `${kind}.py`), asked])
    const printed = await runWithKit(python, ['-c', REFUSED], JSON.stringify(input))
    const byKit = JSON.parse(printed) as readonly boolean[]
    const byHost: boolean[] = []
    for (const kind of KINDS) {
      const host = await createHost({ plugins: [join(folder, `${kind}.py`), ANSWERING] })
      for (const one of casesOf(kind)) byHost.push(await isRefused(host, one))
      await host.close()
    }
    expect(byHost.filter(Boolean).length).to.be.greaterThan(100)
    const told = (refused: readonly boolean[]) =>
      cases.flatMap(({ kind, hook, answer }, at) =>
        refused[at] === byHost[at] ? [] : [`${kind} ${hook} ${answer}: ${refused[at]}`],
      )
    expect(told(byKit).join('\n')).to.equal('')
  })
})
