import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { createHost, type Host, HostError } from '../../src/core/index.ts'
import { HOOKS, type HookName } from '../../src/plugin/hooks.ts'
import { KINDS, type Kind } from '../../src/plugin/kinds.ts'
import { sampled } from '../helpers/cases.ts'
import { CONTRIVED } from './contrived-values.ts'

type Plugin = { readonly kind: Kind; readonly name: string; readonly [member: string]: unknown }

const EVENTS = [
  { type: 'tool-call-start', id: 'c', name: 'look' },
  { type: 'tool-call-end', id: 'c', input: {} },
]

/** Plugins that do what they should: one of each kind, which all take part in a request. */
function plugins(): Plugin[] {
  return [
    {
      kind: 'provider',
      name: 'p',
      getModels: () => ['m'],
      getTags: () => ['tools'],
      refreshModels: () => ['m'],
      embed: () => ({ vectors: [[1]] }),
      async *stream() {
        yield EVENTS
      },
    },
    { kind: 'extension', name: 'e', providers: ['p'], runAction: () => 1 },
    { kind: 'feature', name: 'f', runAction: () => 1 },
    {
      kind: 'tool',
      name: 't',
      getToolSchemas: () => [{ name: 'look', description: '', input_schema: { type: 'object' } }],
      executeTool: () => 'seen',
    },
  ]
}

const CONFIG = {
  provider: 'p',
  force_enabled_plugins: [],
  limits: {
    hook: 1,
    process_chunk: 1,
    execute_tool: 1,
    call: 1,
    stream_idle: 1,
    max_rounds: 2,
    answer_events: 1000,
  },
} as const

/** How a hook comes to give a value. */
const WAYS: { readonly [way: string]: (value: () => unknown) => () => unknown } = {
  'throws it': (value) => () => {
    throw value()
  },
  'rejects with it': (value) => () => Promise.reject(value()),
  'answers it': (value) => value,
  'answers a promise of it': (value) => async () => value(),
  'answers what throws it when it is waited for': (value) => () =>
    Object.defineProperty({}, 'then', {
      get: () => {
        throw value()
      },
    }),
  'answers a list of it': (value) => () => [value(), value(), value(), value()],
  'answers what throws it when it is read': (value) => () => {
    const iterator = {
      next: () => {
        throw value()
      },
      return: () => {
        throw value()
      },
    }
    return { [Symbol.asyncIterator]: () => iterator }
  },
  'answers what rejects with it when it is read, and when it is left': (value) => () => {
    let asked = 0
    const next = async () => {
      if (asked++ > 0) throw value()
      return { value: EVENTS, done: false }
    }
    return { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.reject(value()) }) }
  },
  'answers what gives it when it is read': (value) => () => ({
    [Symbol.asyncIterator]: () => ({ next: value }),
  }),
  'answers what has it within': (value) =>
    async function* () {
      yield value()
    },
}

/** Every door of a host, each with what it comes to. */
const DOORS: { readonly [door: string]: (host: Host) => unknown } = {
  resolve: (host) => host.resolve(CONFIG),
  explain: (host) => host.explain(CONFIG),
  toolSchemas: (host) => host.toolSchemas(CONFIG),
  uiSchema: (host) => host.uiSchema(CONFIG),
  modelInfo: (host) => host.modelInfo(CONFIG),
  refreshModels: (host) => host.refreshModels(CONFIG),
  embed: (host) => host.embed(CONFIG, ['Hello']),
  dryRun: (host) => host.dryRun(CONFIG, 'Hello'),
  'runAction of an extension': (host) => host.runAction('e', 'id', {}, CONFIG),
  'runAction of a feature': (host) => host.runAction('f', 'id', {}, CONFIG),
  send: (host) => host.send(CONFIG, 'Hello'),
  stream: (host) => failureIn(host.stream(CONFIG, 'Hello')),
  run: (host) => failureIn(run(host, { config: CONFIG, messages: 'Hello' })),
  close: (host) => host.close(),
}

const RESOLUTION = ['resolve', 'explain', 'uiSchema', 'stream']
const REQUEST = ['dryRun', 'send', 'stream', 'run']

/** The doors behind which a hook runs; the host is closed in any case. */
const DOORS_OF: { readonly [H in HookName]?: readonly string[] } = {
  getModels: RESOLUTION,
  getTags: RESOLUTION,
  isEnabled: RESOLUTION,
  refreshModels: ['refreshModels'],
  getModelInfo: ['modelInfo', 'stream', 'dryRun'],
  embed: ['embed'],
  getToolSchemas: ['toolSchemas', 'uiSchema', 'stream'],
  executeTool: ['run'],
  getUiElements: ['uiSchema'],
  runAction: ['runAction of an extension', 'runAction of a feature'],
  close: [],
}

/** Reads a stream, which never throws; its error is thrown in its place. */
async function failureIn(
  stream: AsyncIterable<object> & { readonly result: Promise<{ readonly error?: HostError }> },
): Promise<void> {
  for await (const event of stream) JSON.stringify(event)
  const { error } = await stream.result
  if (error) throw error
}

async function expectTyped(door: string, answer: () => unknown): Promise<void> {
  try {
    await answer()
  } catch (error) {
    expect(HostError.is(error), `${door} throws a HostError, not ${typeof error}`).to.equal(true)
    const { code, message } = error as HostError
    expect(code, door).to.match(/^[A-Z][A-Z0-9_]*$/)
    expect(message.length, door).to.be.within(1, 20_000)
    expect(JSON.parse(JSON.stringify(error)), door).to.include({ code, message })
  }
}

const CASES = Object.entries(WAYS).flatMap(([way, hookOf]) =>
  Object.entries(CONTRIVED).map(([title, value]) => ({
    title: `${title}: it ${way}`,
    give: hookOf(value),
  })),
)

describe('contrived values', function () {
  this.timeout(120_000)

  /** Puts a hook that gives a value in a way into the plugin of a kind, and opens all doors that lead to it. */
  async function expectTypedAt(hook: HookName, kind: Kind, give: () => unknown): Promise<void> {
    const given = plugins().map((plugin) =>
      plugin.kind === kind ? { ...plugin, [hook]: give } : plugin,
    )
    const host = await createHost({ plugins: given })
    for (const door of [...(DOORS_OF[hook] ?? REQUEST), 'close']) {
      await expectTyped(door, () => DOORS[door]?.(host))
    }
  }

  for (const [row, hook] of (Object.keys(HOOKS) as HookName[]).entries()) {
    const kinds: readonly Kind[] = HOOKS[hook].kinds
    for (const kind of KINDS.filter((one) => kinds.includes(one))) {
      it(`end as typed errors of "${hook}" of a ${kind}, at every door`, async () => {
        for (const { title, give } of sampled(CASES, 47, row)) {
          await expectTypedAt(hook, kind, give).catch((error: unknown) => {
            throw new Error(title, { cause: error })
          })
        }
      })
    }
  }
})
