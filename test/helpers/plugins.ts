import { type ChainRequest, type Outcome, send, stream } from '../../src/core/chain/index.ts'
import type { Sink } from '../../src/core/hooks/sink.ts'
import type { Resolution } from '../../src/core/resolve/index.ts'
import { resolve } from '../../src/core/resolve/resolve.ts'
import type { Config } from '../../src/plugin/config.ts'
import type { HostError } from '../../src/plugin/errors.ts'
import { HOOKS } from '../../src/plugin/hooks.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'

/** What the builders take beside hooks: the short words of the tests. */
interface Wants {
  readonly tags?: readonly string[]
  readonly requires?: readonly string[]
  readonly forbids?: readonly string[]
  /** What `isEnabled` answers. */
  readonly verdict?: unknown
  /** A provider's models. */
  readonly models?: readonly string[]
  /** A provider's answer, a chunk a word; a list is words that arrive together. */
  readonly words?: readonly (string | readonly string[])[]
  /** Names of the schemas that a tool offers. */
  readonly schemas?: readonly string[]
  readonly [member: string]: unknown
}

type State = { readonly [key: string]: unknown }

/** A provider that streams words, natively: `{delta}` partials and one `{text}` final. */
export function provider(name = 'p', { words = ['one', 'two'], ...wants }: Wants = {}): AnyPlugin {
  return {
    kind: 'provider',
    name,
    stream: () => words,
    processChunk: (delta: string, native: unknown, state: State) => [
      [{ delta }],
      [],
      native,
      { ...state, text: [state['text'], delta].filter(Boolean).join(' ') },
    ],
    finalize: (native: unknown, state: State) => [[{ text: state['text'] ?? '' }], native, state],
    ...membersOf(wants),
  }
}

/** A provider without a hook but `call`, which answers with what it is given. */
export function caller(name: string, finals: readonly unknown[], wants: Wants = {}): AnyPlugin {
  const call = (native: unknown, state: State) => [[], finals, native, state]
  return { kind: 'provider', name, call, ...membersOf(wants) }
}

/** A provider that yields ready-made events and has no other hook. */
export function eventProvider(events: readonly unknown[], wants: Wants = {}): AnyPlugin {
  return { kind: 'provider', name: 'p', stream: () => events, ...membersOf(wants) }
}

export function extension(name: string, wants: Wants = {}): AnyPlugin {
  return { kind: 'extension', name, ...membersOf(wants) }
}

export function feature(name: string, wants: Wants = {}): AnyPlugin {
  return { kind: 'feature', name, ...membersOf(wants) }
}

export function tool(name: string, wants: Wants = {}): AnyPlugin {
  return { kind: 'tool', name, ...membersOf(wants) }
}

export function schema(name: string, more: object = {}) {
  return { name, description: `does ${name}`, input_schema: { type: 'object' }, ...more }
}

function membersOf({ tags, requires, forbids, models, schemas, ...rest }: Wants): object {
  const { verdict, ...hooks } = rest
  return {
    ...(tags ? { getTags: () => tags } : {}),
    ...(requires ? { requiredTags: requires } : {}),
    ...(forbids ? { forbiddenTags: forbids } : {}),
    ...(models ? { getModels: () => models } : {}),
    ...(schemas ? { getToolSchemas: () => schemas.map((name) => schema(name)) } : {}),
    ...('verdict' in rest ? { isEnabled: () => verdict } : {}),
    ...hooks,
  }
}

/** The same plugin, each of its hooks noted as `name.hook` in `log` when it runs. */
export function logged(log: string[], plugin: AnyPlugin): AnyPlugin {
  const hooks = Object.keys(HOOKS).filter((hook) => typeof plugin[hook] === 'function')
  const noted = hooks.map((hook) => {
    const run = plugin[hook] as (...args: unknown[]) => unknown
    return [
      hook,
      (...args: unknown[]) => {
        log.push(`${plugin.name}.${hook}`)
        return run(...args)
      },
    ]
  })
  return { ...plugin, ...Object.fromEntries(noted) }
}

/** A plugin with every hook of a request, each of which hands on what it is given. */
export function passing(kind: 'extension' | 'feature', name: string, wants: Wants = {}): AnyPlugin {
  return {
    kind,
    name,
    init: (_config: Config, state: State) => state,
    editMessages: (messages: unknown) => messages,
    toNative: (_messages: unknown, native: unknown) => native,
    initializeRequest: (native: unknown, state: State) => [native, state],
    processChunk: (_chunk: unknown, ...[partials, finals, native, state]: unknown[]) => [
      partials,
      finals,
      native,
      state,
    ],
    finalize: (finals: unknown, native: unknown, state: State) => [finals, native, state],
    fromNative: (_natives: unknown, core: unknown) => core,
    ...membersOf(wants),
  }
}

/** The names that a resolution left on, in order. */
export function namesOn({ enabled }: Resolution): string[] {
  return [...enabled.extensions, ...enabled.features, ...enabled.tools]
}

/** The resolution of some plugins for a config. */
export async function resolutionOf(
  plugins: readonly AnyPlugin[],
  config: Config = {},
): Promise<Resolution> {
  return (await resolve(plugins, config)).resolution
}

/** A request of the chain for some plugins, resolved. */
export async function requestOf(
  plugins: readonly AnyPlugin[],
  config: Config = {},
  more: Partial<ChainRequest> = {},
): Promise<ChainRequest> {
  const resolved = await resolve(plugins, config)
  return { plugins: resolved.plugins, config: resolved.config, messages: [], ...more }
}

/** One trip through the chain, not streaming. */
export async function sendTo(
  plugins: readonly AnyPlugin[],
  config: Config = {},
  more: Partial<ChainRequest> = {},
): Promise<Outcome> {
  return send(await requestOf(plugins, config, more))
}

/** One trip through the chain, chunk by chunk. */
export async function streamTo(
  plugins: readonly AnyPlugin[],
  config: Config = {},
  more: Partial<ChainRequest> = {},
): Promise<{ readonly partials: readonly (readonly unknown[])[]; readonly outcome: Outcome }> {
  const request = await requestOf(plugins, config, more)
  return drain((show) => stream(request, show))
}

/** All that a trip shows, in its lists, and what it comes to. */
export async function drain<R>(run: (show: Sink<readonly unknown[]>) => Promise<R>) {
  const partials: (readonly unknown[])[] = []
  const outcome = await run((list) => {
    partials.push(list)
    return undefined
  })
  return { partials, outcome }
}

/** What a promise rejects with, or a function throws. */
export async function errorOf(run: PromiseLike<unknown> | (() => unknown)): Promise<HostError> {
  try {
    await (typeof run === 'function' ? run() : run)
  } catch (error) {
    return error as HostError
  }
  throw new Error('nothing was thrown')
}
