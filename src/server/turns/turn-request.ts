import type { RepeatKey } from '../headers.ts'
import type { Identity } from '../identity.ts'
import type { WireRequest } from '../wire/index.ts'

/** A request in a protocol whose conversations the server stores. */
export interface TurnRequest extends RepeatKey {
  readonly identity: Identity
  readonly protocol: string
  readonly request: WireRequest
  /** Whether the client can discard output that it was shown. */
  readonly canReset: boolean
  /**
   * In a protocol in which nothing that was said can be changed: where the request has the id of its last message. A known
   * message with another content is then a fault. In others it makes a new branch.
   */
  readonly unchangeable?: string
  /**
   * In a protocol that does not tell which answer to an approval counted: a second, other answer is refused. In others
   * the first one counts.
   */
  readonly answersOnce?: true
  /** Whether the run goes on without a reader. */
  readonly isBackground?: true
  /** The headers of the client's HTTP request. */
  readonly headers: Headers
}

/** A call of a tool of an agent, by the client itself. */
export interface CallRequest extends Pick<TurnRequest, 'identity' | 'protocol' | 'headers'> {
  readonly agent: string
  /** The name of the tool, as a model of the agent would use it. */
  readonly tool: string
  readonly input: unknown
}
