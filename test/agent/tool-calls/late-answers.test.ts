import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { type LateAnswerEvent, type RunOptions, run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import type { ToolSafety } from '../../../src/plugin/events/index.ts'
import type { Log } from '../../../src/plugin/index.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

const NOTE = 'The call was interrupted while it ran. The tool answered afterwards:'
const SCRIPT = [{ then: { tool_calls: [{ name: 'act', input: {} }] } }]
const CONFIG = { settings: { scripted: { script: SCRIPT } } }

const DOWN = new Error('the database is down')

/** A tool whose call the run cancels, and which answers when it is told to. */
class Slow {
  readonly began: Promise<void>
  #begin: () => void = () => undefined
  #answer: (answer: unknown) => void = () => undefined
  readonly #answered: Promise<unknown>
  readonly #safety: ToolSafety

  constructor(safety: ToolSafety = {}) {
    this.#safety = safety
    this.began = new Promise((resolve) => {
      this.#begin = resolve
    })
    this.#answered = new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  get plugin() {
    return tool('act', {
      getToolSchemas: () => [schema('act', { safety: this.#safety })],
      executeTool: async () => {
        this.#begin()
        const answer = await this.#answered
        if (answer instanceof Error) throw answer
        return answer
      },
    })
  }

  async answer(answer: unknown): Promise<void> {
    this.#answer(answer)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
}

/** Cancels the run of a tool, lets the tool answer, and returns what was recorded before and after. */
async function lateOf(
  slow: Slow,
  answer: unknown,
  { features = [], ...more }: Partial<RunOptions> & { readonly features?: readonly object[] } = {},
) {
  await using host = await scriptedHost([slow.plugin, ...features])
  const recorded: LateAnswerEvent[] = []
  const until = new AbortController()
  const late = { until: until.signal, record: (event: LateAnswerEvent) => recorded.push(event) }
  const cancel = new AbortController()
  const running = collect(
    run(host, { messages: 'go', config: CONFIG, late, signal: cancel.signal, ...more }),
  )
  await slow.began
  cancel.abort('stop')
  const events = await running
  expect(recorded).to.deep.equal([])
  await slow.answer(answer)
  return { events, recorded, until, slow }
}

describe('the late answer to a cancelled call', () => {
  it('LR-03 of a tool that blocks is recorded as interrupted; the run has ended at once', async () => {
    const { events, recorded } = await lateOf(new Slow(), 'deployed')
    expect(events.at(-1)?.type).to.equal('abort')
    const end = events.find((event) => event.type === 'tool-execution-end')
    expect(end).to.deep.include({ state: 'canceled' })
    const { callId } = end ?? expect.fail('the call has no end')
    const output = `[${NOTE}]\ndeployed`
    const result = { type: 'tool-result', callId, name: 'act', output }
    const state = 'succeeded'
    expect(recorded).to.deep.equal([{ type: 'tool-execution-late', callId, result, state }])
  })

  it('LR-03 of a tool that is marked as ending with a cancel is dropped', async () => {
    const { recorded } = await lateOf(new Slow({ interrupt_behavior: 'cancel' }), 'deployed')
    expect(recorded).to.deep.equal([])
  })

  it('is recorded as parts or as JSON, as the tool answered', async () => {
    const parts = [{ type: 'text', text: 'deployed' }]
    const [text] = (await lateOf(new Slow(), parts)).recorded
    expect(text?.result.output).to.deep.equal([{ type: 'text', text: `[${NOTE}]` }, ...parts])
    const [json] = (await lateOf(new Slow(), { version: 3 })).recorded
    expect(json?.result.output).to.deep.equal({ interrupted: NOTE, output: { version: 3 } })
    const [native] = (await lateOf(new Slow(), { output: 'v3', native: { p: [1] } })).recorded
    expect(native?.result.output).to.deep.equal({ interrupted: NOTE, output: 'v3' })
  })

  it('that is an error is recorded with its class', async () => {
    const [late] = (await lateOf(new Slow(), new Error('half of it'))).recorded
    expect(late).to.deep.include({ state: 'failed' })
    expect(late?.error).to.deep.include({ class: 'execution_failed' })
    expect(late?.result.isError).to.equal(true)
    expect(late?.result.output).to.include('half of it')
  })

  it('that only says that the call was cancelled is none', async () => {
    const { recorded } = await lateOf(new Slow(), new DOMException('aborted', 'AbortError'))
    expect(recorded).to.deep.equal([])
  })

  it('that is large is stored by reference', async () => {
    const stored: number[] = []
    const results = {
      put: async ({ bytes }: { readonly bytes: Uint8Array }) => {
        stored.push(bytes.byteLength)
        return 'hash'
      },
      load: async () => undefined,
    }
    const config = { ...CONFIG, limits: { tool_result_bytes: 2048 } }
    const { recorded } = await lateOf(new Slow(), 'x'.repeat(5000), { config, results })
    // Another thread computes the hash.
    while (recorded.length === 0) await new Promise(setImmediate)
    expect(stored).to.deep.equal([5000])
    expect(recorded[0]?.result.references).to.deep.equal([
      { hash: 'hash', mediaType: 'text/plain', size: 5000 },
    ])
  })

  it('is edited by features like every result', async () => {
    const editor = {
      kind: 'feature',
      name: 'editor',
      editToolResult: (_: unknown, { output }: { readonly output: unknown }) => ({
        output: String(output).replace('secret', '***'),
        reason: 'a secret',
      }),
    }
    const { recorded } = await lateOf(new Slow(), 'the secret', { features: [editor] })
    expect(recorded[0]?.result.output).to.equal(`[${NOTE}]\nthe ***`)
  })

  it('that cannot be recorded is a warning in the log, and ends no process', async () => {
    const lines: Parameters<Log>[0][] = []
    for (const record of [() => Promise.reject(DOWN), () => expect.fail(DOWN.message)]) {
      const slow = new Slow()
      const plugins = [slow.plugin, scripted]
      await using host = await createHost({ plugins, log: (line) => lines.push(line) })
      const cancel = new AbortController()
      const late = { until: new AbortController().signal, record }
      const running = collect(
        run(host, { messages: 'go', config: CONFIG, late, signal: cancel.signal }),
      )
      await slow.began
      cancel.abort('stop')
      await running
      await slow.answer('deployed')
    }
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal(
      Array.from({ length: 2 }, () => [
        'warn',
        'The late answer of "act" is not recorded: the database is down',
      ]),
    )
  })

  it('is dropped once nobody records any more', async () => {
    const slow = new Slow()
    await using host = await scriptedHost([slow.plugin])
    const recorded: LateAnswerEvent[] = []
    const until = new AbortController()
    const cancel = new AbortController()
    const late = { until: until.signal, record: (event: LateAnswerEvent) => recorded.push(event) }
    const running = collect(
      run(host, { messages: 'go', config: CONFIG, late, signal: cancel.signal }),
    )
    await slow.began
    cancel.abort('stop')
    await running
    until.abort('the process stops')
    await slow.answer('deployed')
    expect(recorded).to.deep.equal([])
  })
})
