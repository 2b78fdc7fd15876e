import type { Message, PartialEvent } from '@braidwork/plugin'
import type { AgentEndpoint } from '../specs/index.ts'

/** What a backend of remote agents can do. AW-13 */
export interface BackendCapabilities {
  /** Stop a run that is under way. */
  readonly cancel: boolean
  /** Go on with a run after a person's answer. */
  readonly answers: boolean
  /** Take tools that the caller answers. */
  readonly clientTools: boolean
  /** Read a run again whose process has ended here. */
  readonly rereads: boolean
  /** Take earlier turns of a conversation. */
  readonly transcript: boolean
}

/** What a remote agent is asked. */
export interface RemoteOrder {
  /** The history, whose last message is the user's. */
  readonly messages: readonly Message[]
  /** Names the conversation, if there is one. Conversations of different owners have different keys. */
  readonly conversationKey?: string | undefined
  /** Whether the last message answers what the agent asked in the answer before it, so that its task goes on. */
  readonly isAnswer?: boolean | undefined
  /** Called once the answer is complete, if it asks something and the agent waits. */
  readonly onQuestion?: (() => void) | undefined
  /** Takes back the events of the answer so far. Absent if its readers cannot be told so. */
  readonly restart?: (() => Promise<void>) | undefined
  /** Receives warnings of the run. */
  readonly warn?: (warning: string) => void
  /** When it aborts, the remote run is to be cancelled. */
  readonly signal: AbortSignal
}

/** One remote agent. */
export interface AgentBackend {
  readonly capabilities: BackendCapabilities
  /**
   * Asks the agent. Yields the events of one answer, in lists as they arrive. The runtime masks the token of the endpoint in
   * them, and in errors.
   * @throws {HostError} REMOTE_AGENT_FAILED, TIMEOUT, …
   */
  ask(order: RemoteOrder): AsyncIterable<readonly PartialEvent[]>
  /**
   * Ends the work of an agent that waits for an answer which nobody gives. The last message of the history is what it has
   * asked. It does not throw: the agent may be away.
   */
  abandon?(order: Pick<RemoteOrder, 'messages'>): Promise<void>
}

/** What a source tells about its agent. */
export interface DiscoveredAgent {
  readonly name: string
  readonly description?: string
}

/** Makes the backends of one protocol. */
export interface BackendFactory {
  /** The name by which endpoints refer to it, such as `a2a`. */
  readonly name: string
  /**
   * Makes the backend of an endpoint. It opens no connection.
   * @throws {HostError} INVALID_REMOTE_ENDPOINT_CONFIG, with a pointer into the endpoint
   */
  create(endpoint: AgentEndpoint): AgentBackend
  /**
   * Asks an address which agent it has. AW-54
   * @throws {HostError} INVALID_REMOTE_ENDPOINT_CONFIG, REMOTE_AGENT_FAILED, TIMEOUT
   */
  discover(endpoint: AgentEndpoint, signal?: AbortSignal): Promise<DiscoveredAgent>
}

/** A remote agent as the plan of a run has it. */
export interface RemoteAgent {
  /** The id of the agent. */
  readonly id: string
  readonly backend: AgentBackend
  /** Warnings of each of its runs. */
  readonly warnings?: readonly string[]
}
