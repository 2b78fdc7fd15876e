import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHost } from '../../src/core/index.ts'
import type { MemberSort } from '../../src/core/load/index.ts'
import { KINDS, type Kind } from '../../src/plugin/index.ts'
import { assertNames } from '../../src/python/describe-plugin.ts'
import { TABLES } from '../../src/python/hook-tables.ts'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { collect } from '../helpers/hosts.ts'
import { pythonOf, runPython } from '../helpers/python.ts'

/** A provider with a hook of every sort, and plugins that follow it. */
const PLUGINS = {
  'provider.py': `
kind = "provider"
name = "words"

def init(config, context):
    return {"tools": [tool["name"] for tool in config["tools"]], "phase": context.phase}

async def to_native_messages(messages, state):
    return {"asked": [part["text"] for message in messages for part in message["parts"]]}

def initialize_request(native, state):
    return {**native, "n": 1}, {**state, "ready": True}

async def stream_api(native, state):
    yield ["open", "Ada "]
    yield "asked "
    yield {"data": len(native["asked"])}
    yield "end"

def process_chunk(chunk, native, state, context):
    said = context.local.setdefault("said", [])
    if isinstance(chunk, dict):
        return [{"type": "data", "name": "count", **chunk}], [{"extra": chunk}], native, state
    if chunk in ("open", "end"):
        return [{"type": "text-start" if chunk == "open" else "text-end", "id": "1"}], [], native, state
    said.append(chunk)
    return [{"type": "text-delta", "id": "1", "delta": chunk}], [], {**native, "last": chunk}, state

def finalize(native, state, context):
    context.warn("done")
    return [{"text": "".join(context.local["said"]), **native}], native, state

def from_native_messages(natives, state):
    extra = [{"type": "data", "name": "count", **native["extra"]} for native in natives if "extra" in native]
    text = [{"type": "text", "text": native["text"]} for native in natives if "text" in native]
    return [{"role": "assistant", "parts": [*text, *extra], "metadata": {"finishReason": "stop"}}]
`,
  'extension.py': `
class plugin:
    kind = "extension"
    name = "loud"

    def init(self, config, state):
        return {**state, "loud": True}

    def process_chunk(self, chunk, partials, finals, native, state):
        louder = [{**p, "delta": p["delta"].upper()} if "delta" in p else p for p in partials]
        return louder, finals, native, state

    def from_native(self, natives, core, context):
        if context.phase == "partials":
            return core
        return [{**m, "parts": [self.part(part) for part in m["parts"]]} for m in core]

    def part(self, part):
        return {**part, "text": part["text"].upper()} if "text" in part else part
`,
  'feature.py': `
kind = "feature"
name = "polite"

def edit_messages(messages, state):
    return [*messages, {"role": "user", "parts": [{"type": "text", "text": "Please."}]}]

def to_native(messages, native):
    return {**native, "messages": len(messages)}
`,
  'tool.py': `
kind = "tool"
name = "adder"

def get_tool_schemas(state):
    return [{"name": "add", "description": "Adds", "input_schema": {"type": "object"}}]
`,
} as const

const KIT = `
import json, sys
from braidwork.testing import Request, load_plugin, send, stream
plugins = [load_plugin(path) for path in sys.argv[1:]]
streamed, sent = stream(plugins, Request("Who?")), send(plugins, Request("Who?"))
print(json.dumps([streamed.events, streamed.finals, sent.finals, streamed.warnings]))
`

describe('the test kit in Python', function () {
  this.timeout(30_000)
  let folder: string
  let paths: string[]
  let python: Python
  before(async function () {
    python = await pythonOf(this)
    folder = await mkdtemp(join(tmpdir(), 'kit-'))
    paths = Object.keys(PLUGINS).map((name) => join(folder, name))
    for (const [name, code] of Object.entries(PLUGINS)) await writeFile(join(folder, name), code)
  })
  after(() => (folder ? rm(folder, { recursive: true }) : undefined))

  it('comes to the events, messages and warnings that the host comes to', async () => {
    const [events, streamed, sent, warnings] = JSON.parse(
      (await runPython(python, '-c', KIT, ...paths)).stdout,
    ) as unknown[]
    const host = await createHost({ plugins: paths })
    const stream = host.stream({}, 'Who?')
    const [start, ...seen] = await collect(stream)
    const result = await stream.result
    const whole = await host.send({}, 'Who?')
    await host.close()
    expect(result.error).to.equal(undefined)
    expect(start?.type).to.equal('start')
    expect(events).to.deep.equal(seen.slice(0, -1))
    expect(streamed).to.deep.equal(result.messages)
    expect(sent).to.deep.equal(whole.messages)
    expect(warnings).to.deep.equal(result.warnings)
    expect(JSON.stringify(streamed)).to.include('ADA ASKED')
  })
})

const FAULTS = `
import json, sys
from braidwork.testing.plugins import plugin_faults
kinds, names = json.loads(sys.argv[1])
def refused(kind, value):
    members = {**dict.fromkeys(names, value), "kind": kind, "name": "p", "call": len}
    faults = plugin_faults(type("Plugin", (), members)())
    return [fault.split('"')[3] for fault in faults if "did you mean" in fault]
print(json.dumps([refused(kind, value) for kind in kinds for value in (len, ["a"], "a")]))
`

/** Each name with a letter left out, doubled or replaced, and with two swapped; and words that are near to hooks. */
function variants(name: string): string[] {
  const at = [...name].keys()
  const edited = [...at].flatMap((i) => {
    const [before, after] = [name.slice(0, i), name.slice(i + 1)]
    const letter = name[i] ?? ''
    const swapped = `${before}${after.slice(0, 1)}${letter}${after.slice(1)}`
    return [
      `${before}${after}`,
      `${before}${letter}${letter}${after}`,
      `${before}x${after}`,
      swapped,
    ]
  })
  return [
    ...edited,
    `${name}s`,
    `${name}_db`,
    name.toUpperCase(),
    name.replaceAll('_', ''),
    name.replace('ize', 'ise'),
  ]
}

describe('the names of members that are misspelled', function () {
  this.timeout(30_000)

  it('are the same to the test kit as to the host', async function () {
    const python = await pythonOf(this)
    const names = [...Object.values(TABLES.hooks).flatMap((hook) => hook.names), 'functions']
    const all = [...names, ...Object.values(TABLES.values)]
    const near = [...new Set(all.flatMap(variants))]
      .filter((name) => !all.includes(name) && /^[a-z]\w*$/i.test(name))
      .toSorted()
    const { stdout } = await runPython(python, '-c', FAULTS, JSON.stringify([KINDS, near]))
    const sorts = ['function', 'list', 'value'] as const
    const refusals = KINDS.flatMap((kind) =>
      sorts.map((sort) => near.filter((name) => isRefused(kind, name, sort))),
    )
    expect(refusals.every((refused) => refused.length > 5)).to.equal(true)
    expect(JSON.parse(stdout)).to.deep.equal(refusals)
  })
})

function isRefused(kind: Kind, name: string, sort: MemberSort): boolean {
  try {
    const hooks = { call: { context: false, mode: 'inline' } } as const
    assertNames({ plugin: 1, name: 'p', values: {}, hooks, kind, others: { [name]: sort } })
    return false
  } catch {
    return true
  }
}
