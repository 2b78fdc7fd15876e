import type { Config, Settings } from './config.ts'
import type { Phase } from './errors.ts'
import type { ContextReport, JsonObject, PartialEvent } from './events/index.ts'

/** A function that takes log lines. The levels are those of most loggers. */
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

/** The known facts about a model. Context window and output limit are in tokens; unknown facts are absent, never 0. */
export interface ModelInfo {
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly input?: readonly string[]
  readonly output?: readonly string[]
  readonly price?: ModelRates & {
    /** Rates for the whole request when its input is longer than `over` tokens; lowest `over` first. */
    readonly tiers?: readonly (ModelRates & { readonly over: number })[]
    readonly [key: string]: unknown
  }
}

/** The storage of one plugin for JSON, separate for each conversation. It is in memory unless the host has another. */
export interface PluginStorage {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  list(prefix?: string): Promise<readonly string[]>
  delete(key: string): Promise<void>
}

/** Who asks, as the server or program has identified them. `data` is what `authenticate` adds; clients set nothing. */
export type Caller = Readonly<{ id: string; role?: string; scope?: string; data?: JsonObject }>

/** The last argument of every hook of a request. `S` is the type of the plugin's settings. */
export interface Context<S = Settings> {
  /** Aborts when the request is cancelled or the hook exceeds its limit. Pass it on to all I/O. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Adds a sentence to the result's `warnings`. */
  readonly warn: (message: string) => void
  /**
   * Sends an event at once to the caller that reads the stream. No other hook receives the event, and the finals do not
   * contain it. `send` drops it.
   */
  readonly emit: (event: PartialEvent) => void
  /** Notes the id that the model API gave the request, for its result, its error and the log of a server. */
  readonly noteUpstreamId: (id: string) => void
  /**
   * Tells what the plugin puts into the request, beside what was said, and what it leaves out. The stored events of a
   * run keep it. After the request was sent, it does nothing.
   */
  readonly report: (report: ContextReport) => void
  /** `prepare` before the request is sent, `partials` while chunks arrive, `finals` after the answer. */
  readonly phase: Phase
  /** The config. Secrets of other plugins are replaced by `{"$secret": true}`. */
  readonly config: Config
  /** The plugin's own settings, checked, with the defaults of its `configSchema`. Read-only. */
  readonly settings: S
  readonly tags: ReadonlySet<string>
  readonly modelInfo: ModelInfo
  readonly requestId: string
  readonly conversationId?: string
  readonly runId?: string
  /** Absent if the program names no caller. */
  readonly caller?: Caller
  /** Values of any kind that this plugin keeps for this request; the host drops them when it ends. */
  readonly local: Map<string, unknown>
  readonly storage: PluginStorage
  /** Real paths of files that tools must not write, as the host runs by them; a separator at the end: all of a folder. */
  readonly protectedFiles?: () => readonly string[]
}

/** The context of hooks that may run outside a request, for example `runAction` and `refreshModels`. */
export type ActionContext<S = Settings> = Omit<Context<S>, 'requestId'> & {
  readonly requestId?: string
  readonly [SCOPE]?: Scope | undefined
}

/** Key of a hidden member: it returns a signal that aborts when the request ends, so that caches can be released. */
export const SCOPE: unique symbol = Symbol.for('braidwork.scope')
type Scope = () => AbortSignal | undefined

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The values that the contexts of one request share. */
export interface ContextSource {
  readonly scope?: Scope
  readonly signal: AbortSignal
  readonly log: Log
  warn(plugin: string, message: string): void
  emit(event: PartialEvent): void
  readonly noteUpstreamId?: Context['noteUpstreamId'] | undefined
  report?(plugin: string, report: ContextReport): void
  configOf(plugin: string): Config
  /** The settings of a plugin. Asked once for each plugin. */
  settingsOf(plugin: string): Settings
  readonly tags: ReadonlySet<string>
  readonly modelInfo: ModelInfo
  readonly requestId?: string | undefined
  readonly conversationId?: string | undefined
  readonly runId?: string | undefined
  readonly caller?: Caller | undefined
  storageOf(plugin: string): PluginStorage
  readonly protectedFiles?: Context['protectedFiles'] | undefined
}

/** Returns the context of a plugin in a phase: the same object on each call. */
export type ContextOf = (plugin: string, phase: Phase) => ActionContext

/** Creates a request's contexts: one for each plugin and phase. All of a plugin share `local` and `storage`. */
export function createContexts(source: ContextSource): ContextOf {
  const known = new Map<string, ActionContext[]>()

  return (plugin, phase) => {
    const contexts = known.get(plugin) ?? []
    const made = contexts.find((context) => context.phase === phase)
    if (made) return made
    const own = contexts[0] ?? ownValues(source, plugin)
    // No spread and no getter here: either makes the creation of a context a hundred times slower.
    const context: Writable<ActionContext> = {
      [SCOPE]: source.scope,
      signal: source.signal,
      phase,
      tags: source.tags,
      modelInfo: source.modelInfo,
      emit: own.emit,
      noteUpstreamId: own.noteUpstreamId,
      report: own.report,
      warn: own.warn,
      log: own.log,
      config: source.configOf(plugin),
      settings: own.settings,
      local: own.local,
      storage: own.storage,
    }
    const { requestId, conversationId, runId } = source
    if (requestId !== undefined) context.requestId = requestId
    if (conversationId !== undefined) context.conversationId = conversationId
    if (runId !== undefined) context.runId = runId
    if (source.caller) context.caller = source.caller
    if (source.protectedFiles) context.protectedFiles = source.protectedFiles
    known.set(plugin, contexts)
    contexts.push(context)
    return context
  }
}

/** The values that the contexts of one plugin share. */
type OwnValues = Omit<ActionContext, 'signal' | 'phase' | 'tags' | 'modelInfo' | 'config'>

function ownValues(source: ContextSource, plugin: string): OwnValues {
  return {
    emit: (event) => source.emit(event),
    noteUpstreamId: (id) => source.noteUpstreamId?.(String(id)),
    report: (report) => source.report?.(plugin, report),
    warn: (message) => source.warn(plugin, String(message)),
    log: (entry) => source.log({ ...entry, plugin }),
    settings: source.settingsOf(plugin),
    local: new Map(),
    storage: source.storageOf(plugin),
  }
}
