import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { heldBytes } from '../helpers/garbage.ts'
import { collect } from '../helpers/hosts.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const COUNTING = `
import os

kind = "provider"
name = "py"

def get_models(config):
    return ["m"]

def to_native(messages, state):
    return {"text": messages[-1]["parts"][0]["text"]}

def stream(native, state):
    for at in range(30):
        yield {"said": native["text"], "at": at}

async def initialize_request(native, state, context):
    await context.storage.set(native["text"], 1)
    return native, {**state, "own": native["text"]}

def process_chunk(chunk, native, state, context):
    seen = context.local.setdefault("seen", [])
    seen.append(chunk["at"])
    assert chunk["said"] == native["text"] == state["own"], (chunk, native, state)
    return [], [], native, state

def finalize(native, state, context):
    assert context.local["seen"] == list(range(30)), context.local
    final = {"role": "assistant", "parts": [{"type": "text", "text": state["own"]}]}
    return [final], native, state
`

const IDLE = `
import os

kind = "extension"
name = "idle"

def process_chunk(chunk, partials, finals, native, state):
    return [], finals, native, state

def finalize(finals, native, state, context):
    context.warn(str(os.getpid()))
    return finals, native, state
`

/** Resident memory of a process in MB. */
function memoryOf(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(stdout) / 1024
}

describe('Python plugins under load', function () {
  this.timeout(60_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('keep fifty requests at once apart', async () => {
    const host = await folder.host([COUNTING], { provider: 'py' })
    const texts = Array.from({ length: 50 }, (_, at) => `request ${at}`)
    const sent = await Promise.all(texts.map((text) => host.send({}, text)))
    const said = sent.map(({ messages }) => messages[0]?.parts[0])
    expect(said).to.deep.equal(texts.map((text) => ({ type: 'text', text })))
  })

  it('keep nothing of a hundred thousand chunks, on either side', async () => {
    const chunk = { type: 'text-delta', id: '1', delta: '' }
    let heapBefore = 0
    let pythonBefore = 0
    let pid = 0
    const provider = {
      kind: 'provider',
      name: 'many',
      stream: async function* () {
        for (let at = 0; at < 2000; at++) {
          if (at === 200) {
            heapBefore = await heldBytes()
            pythonBefore = pid === 0 ? 0 : memoryOf(pid)
          }
          yield Array.from({ length: 50 }, () => chunk)
        }
      },
      finalize: (native: unknown, state: unknown) => [
        [{ role: 'assistant', parts: [] }],
        native,
        state,
      ],
    }
    const host = await folder.host([provider, IDLE], { provider: 'many' })
    for (let round = 0; round < 2; round++) {
      const stream = host.stream({}, 'hi')
      await collect(stream)
      const { warnings } = await stream.result
      pid = Number(/\d+$/.exec(warnings[0] ?? '')?.[0])
    }
    expect(memoryOf(pid) - pythonBefore).to.be.below(2)
    expect((await heldBytes()) - heapBefore).to.be.below(4 * 2 ** 20)
  })
})
