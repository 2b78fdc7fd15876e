import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHost } from '../../src/core/index.ts'
import type { Python } from '../../src/python/find-python.ts'
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
