import type { StoredRun } from '@braidwork/agent'
import type { ChildRecord } from '@braidwork/agent/internal'
import type { Caller, ToolCallPart, ToolSchema } from '@braidwork/plugin'
import type { Identity } from './identity.ts'
import type { Decided } from './per-request.ts'
import type { RequestSettings, RunFacts, ToolWords } from './wire/index.ts'

/** The request properties that are stored with a run. */
export interface RunOrder {
  readonly protocol: string
  /** The id of the agent: the name of a published model. */
  readonly agent: string
  readonly messageId: string
  /** The client's id for the run, in a protocol that asks by it. */
  readonly clientRunId?: string
  readonly createdAt: number
  readonly settings: RequestSettings
  /** The JSON pointer of the schema of the answer in the request, if the client sent one. */
  readonly schemaPlace?: string
  /** The tools that the client defined. */
  readonly tools: readonly ToolSchema[]
  /** Those of them that the catalog of the agent leaves out, by name. A call of one is no call for the client. */
  readonly withheldTools?: readonly string[]
  /** How the client names those of its tools that the model is shown in another way. */
  readonly toolWords?: ToolWords
  /** `none`: the request wants no tools of the host. */
  readonly hostTools?: 'none'
  /** Whether the answer's texts are those of its last step. */
  readonly holdsText?: true
  /** The call that the client makes itself. The run asks no model, and ends with its result. */
  readonly call?: ToolCallPart
  /** Whether calls may wait for a person's approval. This depends on the protocol. */
  readonly asks: boolean
  /** Whether the client can discard output that it was shown. This depends on the protocol. AW-26 */
  readonly canReset?: boolean
  /** Whether the run goes on without a reader, in its further legs too. This depends on the protocol. */
  readonly isBackground?: true
  /** The hash of the request that started the run, if it had an `Idempotency-Key`. */
  readonly digest?: string
  /** The place of the answer in the history of a client that keeps that itself. */
  readonly place?: string
  /** Who asked. Runs that an earlier version stored have none. */
  readonly caller?: Caller
  /** What the run counts towards, wherever it goes on: the limits of the token that started it. */
  readonly counted?: Pick<Identity, 'token' | 'limits' | 'models'>
  /** The decisions of the server's functions about the request. */
  readonly decided?: Decided
  /** The entries that the request added to its conversation: the id of the first one, and their number. */
  readonly input?: { readonly first: string; readonly count: number }
  /** Further properties returned whenever a client retrieves the run. */
  readonly about?: object
}

/** Returns the request properties stored with a run. Earlier versions stored the agent as `model`. */
export function orderOf({ order }: StoredRun): RunOrder {
  const { model, ...rest } = order
  return { ...(model === undefined ? {} : { agent: model }), ...rest } as unknown as RunOrder
}

/** The order of a child run. No wire shows it as an answer of its own. */
export function childOrder(parent: StoredRun, { place, prompt }: ChildRecord) {
  const { caller, counted, decided, createdAt } = orderOf(parent)
  const order: RunOrder & { readonly prompt: string } = {
    protocol: 'child',
    agent: place.agent,
    messageId: '',
    createdAt,
    settings: {},
    tools: [],
    asks: false,
    prompt,
    ...(caller ? { caller } : {}),
    ...(counted ? { counted } : {}),
    ...(decided ? { decided } : {}),
  }
  return { ...order }
}

/** The names of the tools whose calls the client answers. */
export function clientToolsOf({ tools, withheldTools = [] }: RunOrder): ReadonlySet<string> {
  return new Set(tools.map(({ name }) => name).filter((name) => !withheldTools.includes(name)))
}

/** Returns the facts about a run that encoders need. */
export function factsOf(stored: StoredRun): RunFacts {
  const order = orderOf(stored)
  const { messageId, agent, createdAt, toolWords, holdsText } = order
  return {
    runId: stored.id,
    ...(stored.conversationId === undefined ? {} : { conversationId: stored.conversationId }),
    messageId,
    agent,
    createdAt,
    clientTools: clientToolsOf(order),
    ...(toolWords ? { toolWords } : {}),
    ...(holdsText ? { holdsText } : {}),
  }
}

/** What a run counts towards, if it is more than the identity itself. */
export function countedOf({ token, limits, models }: Identity): Pick<RunOrder, 'counted'> {
  const isPerModel = models !== undefined && !Array.isArray(models)
  if (!limits && !isPerModel) return {}
  return {
    counted: {
      ...(token === undefined ? {} : { token }),
      ...(limits ? { limits } : {}),
      ...(isPerModel ? { models } : {}),
    },
  }
}
