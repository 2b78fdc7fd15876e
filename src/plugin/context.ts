import type { Config } from './config.ts'
import type { Phase } from './errors.ts'
import type { PartialEvent } from './events/index.ts'

/** Where a log line goes; `level` as in most loggers. */
export type Log = (entry: {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly plugin?: string
  readonly [key: string]: unknown
}) => void

/** Prices in US dollars for a million tokens. */
interface ModelRates {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** What is known of a model, windows in tokens; what is not known is absent, never 0. */
export interface ModelInfo {
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly input?: readonly string[]
  readonly output?: readonly string[]
  readonly price?: ModelRates & {
    /** Rates of a whole request whose input is longer than `over` tokens, the lowest first. */
    readonly tiers?: readonly (ModelRates & { readonly over: number })[]
    readonly [key: string]: unknown
  }
}

/** A plugin's own store, by conversation; in memory until the host has another. */
export interface PluginStorage {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  list(prefix?: string): Promise<readonly string[]>
  delete(key: string): Promise<void>
}

/** The last argument of every hook of a request. */
export interface Context {
  /** Aborts when the request is cancelled; hand it to whatever does I/O. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Adds a sentence to the result's `warnings`. */
  readonly warn: (message: string) => void
  /** An event to the reader at once, past the other hooks; in no final, and nothing in `send`. */
  readonly emit: (event: PartialEvent) => void
  /** `partials` while chunks stream, `finals` after the answer; `prepare` before it. */
  readonly phase: Phase
  /** The config; other plugins' secrets are `{"$secret": true}`. */
  readonly config: Config
  readonly tags: ReadonlySet<string>
  readonly modelInfo: ModelInfo
  readonly requestId: string
  readonly conversationId?: string
  readonly runId?: string
  /** This plugin's own values for this request, of any kind; dropped when it ends. */
  readonly local: Map<string, unknown>
  readonly storage: PluginStorage
  /** Files that decide what the host runs, by their real paths: a tool that writes files leaves them alone. */
  readonly protectedFiles?: () => readonly string[]
}

/** A context outside a request (`runAction`, `refreshModels`, …): there may be no request. */
export type ActionContext = Omit<Context, 'requestId'> & {
  readonly requestId?: string
  readonly [SCOPE]?: Scope | undefined
}

/** What a context has beside: gives a signal that aborts when its request is over, for what is kept elsewhere. */
export const SCOPE: unique symbol = Symbol.for('braidwork.scope')
type Scope = () => AbortSignal | undefined

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** What the contexts of one request share. */
export interface ContextSource {
  readonly scope?: Scope
  readonly signal: AbortSignal
  readonly log: Log
  warn(plugin: string, message: string): void
  emit(event: PartialEvent): void
  configOf(plugin: string): Config
  readonly tags: ReadonlySet<string>
  readonly modelInfo: ModelInfo
  readonly requestId?: string
  readonly conversationId?: string
  readonly runId?: string
  storageOf(plugin: string): PluginStorage
  readonly protectedFiles?: Context['protectedFiles'] | undefined
}

/** The context of a plugin in a phase; the same object each time it is asked for. */
export type ContextOf = (plugin: string, phase: Phase) => ActionContext

/** Contexts for the plugins of one request: one `local` a plugin, one object a phase. */
export function createContexts(source: ContextSource): ContextOf {
  const known = new Map<string, ActionContext[]>()

  return (plugin, phase) => {
    const contexts = known.get(plugin) ?? []
    const made = contexts.find((context) => context.phase === phase)
    if (made) return made
    // Nothing is spread into it, and it has no getter: with either, making one takes a hundred times as long.
    const context: Writable<ActionContext> = {
      [SCOPE]: source.scope,
      signal: source.signal,
      phase,
      tags: source.tags,
      modelInfo: source.modelInfo,
      emit: (event) => source.emit(event),
      warn: (message) => source.warn(plugin, String(message)),
      log: (entry) => source.log({ ...entry, plugin }),
      config: source.configOf(plugin),
      local: contexts[0]?.local ?? new Map(),
      storage: source.storageOf(plugin),
    }
    const { requestId, conversationId, runId } = source
    if (requestId !== undefined) context.requestId = requestId
    if (conversationId !== undefined) context.conversationId = conversationId
    if (runId !== undefined) context.runId = runId
    if (source.protectedFiles) context.protectedFiles = source.protectedFiles
    known.set(plugin, contexts)
    contexts.push(context)
    return context
  }
}
