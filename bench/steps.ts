import { memoryStorage, run, systemEnvironment } from '@braidwork/agent'
import { RunLog } from '@braidwork/agent/internal'
import { createHost, type Host } from '@braidwork/core'
import scripted from '@braidwork/provider-scripted'
import { cpuOf, median, type Row } from './measure.ts'

type Messages = readonly { readonly role: string; readonly parts: readonly object[] }[]

const STEPS = [10, 100, 400]
/** Short runs are repeated until a sample has this many steps. */
const STEPS_OF_A_SAMPLE = 400
const SAMPLES = 15
const WARM_UP = 15

const SCHEMAS = [
  { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {} } },
]

/** A tool with a small answer. */
const LOOK = {
  kind: 'tool',
  name: 'look',
  getToolSchemas: () => SCHEMAS,
  executeTool: () => ({ sky: 'blue', clouds: [1, 2, 3] }),
}

/** A provider that calls the tool in every step, and does nothing else with the messages. */
const CALLER = {
  kind: 'provider',
  name: 'caller',
  getModels: () => ['m'],
  getTags: () => ['text', 'tools', 'history-repair'],
  stream: (messages: Messages) => {
    const id = `call_${messages.length}`
    return [
      { type: 'tool-call-start', id, name: 'look' },
      { type: 'tool-call-end', id, input: {} },
    ]
  },
}

const CALLS = [{ name: 'look', input: {} }]
// biome-ignore lint/suspicious/noThenProperty: a key of the script
const SCRIPT = { script: [{ then: { tool_calls: CALLS } }], delay_ms: 0 }

interface Runner {
  readonly what: string
  readonly run: (steps: number) => Promise<unknown>
}

/** CPU of this process for a step of a run, in runs of a few steps and of many. */
export async function steps(): Promise<readonly Row[]> {
  const host = await createHost({ plugins: [CALLER, scripted, LOOK] as never })
  const rows: Row[] = []
  for (const { what, run } of [jsonRunner(), ...['caller', 'scripted'].flatMap(runnersOf(host))]) {
    for (const count of STEPS) {
      const value = (await sampled(() => run(count), STEPS_OF_A_SAMPLE / count)) / STEPS_OF_A_SAMPLE
      rows.push({ group: `a step of a run of ${count}, CPU`, what, value, unit: 'µs' })
    }
  }
  await host.close()
  return rows
}

async function sampled(run: () => Promise<unknown>, repeats: number): Promise<number> {
  const samples: number[] = []
  for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
    const cpu = await cpuOf(async () => {
      for (let repeat = 0; repeat < repeats; repeat++) await run()
    })
    if (sample >= 0) samples.push(cpu)
  }
  return median(samples)
}

/** What each step needs at least: the messages so far as JSON. */
function jsonRunner(): Runner {
  return {
    what: 'JSON.stringify of the messages',
    run: async (count) => {
      const messages: object[] = [{ role: 'user', parts: [{ type: 'text', text: 'Look.' }] }]
      for (let step = 1; step <= count; step++) {
        JSON.stringify(messages)
        const call = { type: 'tool-call', callId: `call_${step}`, name: 'look', input: {} }
        messages.push({ role: 'assistant', parts: [call] })
        const output = LOOK.executeTool()
        messages.push({ role: 'tool', parts: [{ ...call, type: 'tool-result', output }] })
      }
    },
  }
}

/** Runs without storage, and runs that a log keeps in memory. */
function runnersOf(host: Host): (provider: string) => readonly Runner[] {
  return (provider) => [
    { what: provider, run: async (count) => check(await runOf(host, provider, count).result) },
    { what: `${provider}, stored in memory`, run: (count) => stored(host, provider, count) },
  ]
}

function runOf(host: Host, provider: string, maxSteps: number) {
  const config = { provider, settings: { scripted: SCRIPT } }
  return run(host, { config, messages: 'Look.', maxSteps })
}

function check({ status, error }: { readonly status: string; readonly error?: Error }): void {
  if (status !== 'done') throw new Error(`The run ended as ${status}.`, { cause: error })
}

async function stored(host: Host, provider: string, count: number): Promise<void> {
  const storage = memoryStorage()
  const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
  const id = systemEnvironment.newId('run')
  const open = () => runOf(host, provider, count)
  await log.start({ run: { id, owner: 'bench', order: {} }, open })
  for await (const _ of log.read('bench', id));
  check((await storage.runs.load('bench', id)) ?? { status: 'unknown' })
  await log.close()
}
