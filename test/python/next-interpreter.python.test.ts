import { expect } from 'chai'
import { run } from '../../src/agent/loop.ts'
import type { Host } from '../../src/core/host/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const TOOL = `
import os

kind = "tool"
name = "kit"

def die():
    """Ends the interpreter."""
    os._exit(1)

def ok():
    """Answers."""
    return "ok"

def keep(*, context):
    """Keeps something for later calls."""
    context.local.setdefault("kept", 1)
    return "kept"

async def fine():
    """Answers on the event loop."""
    return "fine"

functions = [die, ok, keep, fine]
`

/** Has hooks on both sides of another plugin's. \`init\` keeps something if the message says so. */
const FEATURE = `
kind = "feature"
name = "steady"

def init(config, state):
    return {**state, "begun": True}

def edit_messages(messages, state, context):
    if "keep" in str(messages):
        context.local.update(kept=1)
    return messages

def initialize_request(native, state, context):
    assert state["begun"]
    return native, {**state, "seen": True}

def run_action(id, input):
    import os
    os._exit(3)
`

describe('after the end of a Python interpreter', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  interface Result {
    readonly output: unknown
    readonly error?: { readonly retryable: boolean }
  }

  /** The results of a run that calls these tools, one in each step. */
  async function resultsOf(...names: string[]): Promise<readonly Result[]> {
    const script = names.map((name, at) => ({
      when: { step: at + 1 },
      then: { tool_calls: [{ name, input: {} }] },
    }))
    const settings = { scripted: { delay_ms: 0, script: [...script, { then: { text: 'end' } }] } }
    const host = await folder.host([TOOL], { settings })
    const { messages } = await run(host, { messages: 'x' }).result
    const parts = messages.flatMap((message) => message.parts as readonly { type: string }[])
    return parts.filter(({ type }) => type === 'tool-result') as unknown as readonly Result[]
  }

  it('tools of a plugin that kept nothing go on in the next one, within their run', async () => {
    const results = await resultsOf('ok', 'die', 'ok', 'fine', 'ok')
    expect(results.map(({ output }) => output).toSpliced(1, 1)).to.deep.equal([
      'ok',
      'ok',
      'fine',
      'ok',
    ])
  })

  it('tools whose data is lost fail until their run ends, and the error says that', async () => {
    const results = await resultsOf('keep', 'die', 'ok')
    expect(results[0]?.output).to.equal('kept')
    expect(results[2]?.output).to.match(/is lost; no call of its tools in this run can succeed/)
    expect(results[2]?.error).to.include({ retryable: false })
  })

  describe('a request', () => {
    let host: Host
    beforeEach(async () => {
      const ending = {
        kind: 'feature',
        name: 'ending',
        initializeRequest: async (native: unknown, state: unknown) => {
          const action = host.runAction('steady', 'die', null)
          const ended = await action.catch((thrown: unknown) => thrown)
          expect(ended).to.include({ code: 'PYTHON_CRASHED' })
          return [native, state]
        },
      }
      host = await folder.host([ending, FEATURE])
    })

    it('goes on in the next one with its state, where its plugins kept nothing', async () => {
      expect((await host.send({}, 'hello')).status).to.equal('done')
    })

    it('fails with an error that may be retried, where they kept something', async () => {
      const error = await host.send({}, 'keep').catch((thrown: unknown) => thrown)
      expect(HostError.is(error)).to.equal(true)
      expect(error).to.include({ code: 'PYTHON_CRASHED', plugin: 'steady', retryable: true })
      expect((error as HostError).message).to.include('is lost; try it again')
    })
  })
})
