import type { ModelInfo } from '@braidwork/plugin'
import type { Mode } from '../chain/index.ts'
import type { Resolved } from '../resolve/index.ts'
import type { ResultStore } from '../results/index.ts'
import type { CallerTool, NamedTool, ToolReason } from '../tool-schemas/index.ts'
import type { AskedChanges } from './asked-config.ts'
import {
  ELSEWHERE,
  FUNCTION,
  havingMethods,
  ID,
  INSTANCE,
  type Kind,
  OBJECT,
  objectOf,
  POSITIVE,
  TEXTS,
} from './option-kinds.ts'
import type { Reported } from './reports.ts'
import type { Listener } from './request.ts'

/** Options for opening a config. */
export interface OpenOptions {
  /** Cancels all work that the opened config has in progress. */
  readonly signal?: AbortSignal | undefined
  /**
   * Used in place of a controller of the opened config's own, and of `signal`: it aborts when the host closes. Its
   * signal must accept any number of listeners.
   * @internal
   */
  readonly cancel?: AbortController | undefined
  /** Tools of the caller. They are offered after the plugins' tools. */
  readonly tools?: readonly CallerTool[] | undefined
  readonly conversationId?: string | undefined
  readonly runId?: string | undefined
  /**
   * Stores the results of tools that are larger than `limits.tool_result_bytes`; the tool `read_result` reads them. By
   * default results stay whole. LT-09
   */
  readonly results?: ResultStore | undefined
  /**
   * Says why the model is not to be shown a tool, as a text or with a code too; undefined shows it. It is asked once for
   * each tool. A call of a tool that is withheld is refused. By default no tool is withheld. AW-11
   */
  readonly withholds?: ((tool: NamedTool) => string | ToolReason | undefined) | undefined
  /**
   * The features and tools whose hooks, gates, transforms and tools act. State keys and handlers of the others stay. By
   * default all act. AW-65
   */
  readonly active?: readonly string[] | undefined
  /** Facts about the model that take precedence over those of the provider. */
  readonly modelInfo?: ModelInfo | undefined
  /**
   * Receives what resolution found wrong, as warnings, and then warnings and events of tools. By default the warnings
   * of tools go to the log, and the others are dropped; `resolved` has them.
   */
  readonly listener?: Partial<Listener> | undefined
}

/** What a caller may state about a model. */
export const MODEL_INFO: Kind = objectOf({
  contextWindow: POSITIVE,
  maxOutputTokens: POSITIVE,
  input: TEXTS,
  output: TEXTS,
  price: OBJECT,
})

const LISTENER: { readonly [K in keyof Listener]-?: Kind } = {
  warn: FUNCTION,
  emit: FUNCTION,
  noteUpstreamId: FUNCTION,
  report: FUNCTION,
}

/** The options, those of programs first, with the kinds of their values. Signals and tools are checked where they are used. */
export const OPEN_KINDS: { readonly [K in keyof OpenOptions]-?: Kind } = {
  signal: ELSEWHERE,
  tools: ELSEWHERE,
  conversationId: ID,
  runId: ID,
  results: havingMethods('a store of results', 'put', 'load'),
  withholds: FUNCTION,
  active: TEXTS,
  modelInfo: MODEL_INFO,
  listener: { ...objectOf(LISTENER), isOpen: true },
  cancel: INSTANCE,
}

/** Options of a request that an opened config makes. */
export interface AskOptions extends AskedChanges {
  readonly signal?: AbortSignal | undefined
  /** The default is a new id. */
  readonly requestId?: string | undefined
  /** Receives what plugins put into the request, and what they left out, before it is sent. LR-06 */
  readonly onContext?: ((reported: Reported) => void | Promise<void>) | undefined
  /** Receives each warning as it arises. The result has them too. */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** `send` asks for the whole answer at once. The default is `stream`. */
  readonly mode?: Mode | undefined
}

/** What differs when an opened config is opened again. */
export type ReopenOptions = Pick<OpenOptions, 'tools' | 'withholds' | 'listener'>

/** The options with which the host's own functions open a config. */
export interface Opening extends OpenOptions {
  readonly signal: AbortSignal
  readonly requestId?: string
  readonly onEnd?: () => void
  /** Checks the settings of the plugins that are on. It throws what is wrong. */
  readonly check: (resolved: Resolved) => Promise<void>
}

/** The ids that the contexts of plugins have. */
export function idsOf({ conversationId, runId, requestId }: Opening) {
  return { conversationId, runId, requestId }
}

/** The options of a config that is opened again. Large results stay whole, since its caller runs the tools. */
export function reopening({ onEnd: _, results: __, ...opening }: Opening): Opening {
  return opening
}
