import scripted from '../../providers/scripted/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { Served } from './routes/served.ts'

const SCRIPT = [
  { when: { step: 1, equals: 'go' }, then: { tool_calls: [{ name: 'wait', input: {} }] } },
  { then: { text: 'Done.' } },
]

export interface Waiting {
  readonly served: Served
  /** Resolves when the tool waits. */
  readonly began: Promise<void>
  /** Lets the tool answer. */
  readonly release: () => void
}

/** A server whose model answers "go" with a call of a tool that waits until it is released. */
export async function serveWaiting(storage: Storage): Promise<Waiting> {
  let begin = (): void => undefined
  let release = (): void => undefined
  const began = new Promise<void>((resolve) => {
    begin = resolve
  })
  const released = new Promise<string>((resolve) => {
    release = () => resolve('waited')
  })
  const wait = tool('wait', {
    getToolSchemas: () => [schema('wait')],
    executeTool: () => {
      begin()
      return released
    },
  })
  const config = { settings: { scripted: { delay_ms: 0, script: SCRIPT } } }
  const served = await Served.start(
    { models: { quick: {} }, storage },
    { plugins: [scripted, wait], config },
  )
  return { served, began, release: () => release() }
}
