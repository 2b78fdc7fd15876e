import { randomUUID } from 'node:crypto'
import type { ApprovalVerdict } from '@braidwork/agent'
import type { CallerTool, ConfigLayer } from '@braidwork/core'
import { ELSEWHERE, type Kind, objectOf, POSITIVE } from '@braidwork/core/internal'
import { HostError, type Message } from '@braidwork/plugin'
import { readJson } from '../bodies/index.ts'
import { type BodyLimits, DEFAULT_WIRE_LIMITS, PROTOCOLS, type Protocol } from '../options/index.ts'
import { importHistory } from '../turns/index.ts'
import { defined } from '../wire/index.ts'
import { assertOptions } from './assert-options.ts'
import { FORMATS, type Format, type Formatted } from './formats.ts'

export interface DecodeOptions {
  /** The protocol that the clients of the route speak. */
  readonly protocol: Protocol
  /** Limits on the contents of the request. The defaults are those of `createServer`. */
  readonly limits?: Partial<BodyLimits>
}

const LIMITS: { readonly [L in keyof BodyLimits]-?: Kind } = {
  body: POSITIVE,
  messages: POSITIVE,
  parts: POSITIVE,
  calls: POSITIVE,
  tools: POSITIVE,
  values: POSITIVE,
  depth: POSITIVE,
}

const KINDS: { readonly [O in keyof DecodeOptions]-?: Kind } = {
  protocol: ELSEWHERE,
  limits: objectOf(LIMITS),
}

/** What a client asks for. `messages`, `tools`, `config`, `signal` and `canReset` are options of `run`. */
export interface DecodedRequest {
  readonly protocol: Protocol
  readonly messages: readonly Message[]
  /** The tools of the client. It answers their calls itself. They win over tools of plugins with the same name. */
  readonly tools: readonly CallerTool[]
  /** The settings that the protocol lets a client choose, such as `temperature`; nothing else of the config. */
  readonly config: ConfigLayer
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
  /** Whether the client can discard output that it was shown. */
  readonly canReset: boolean
  /** The model that the client names. */
  readonly model?: string
  /** The client's id of the conversation. */
  readonly conversationId?: string
  /** Answers to approvals, as `verdicts` of a resumption have them. */
  readonly approvals: readonly ApprovalVerdict[]
  /** `none`: the client wants no tools of the host. The application decides what it makes of that. */
  readonly hostTools?: 'none'
  /** Fields that were ignored, by name. */
  readonly ignored: readonly string[]
}

const formats = new WeakMap<object, Formatted>()

/**
 * Reads a request of a protocol. System messages of chat UIs are left out, since their users may not set them.
 * @throws {HostError} OPTION_INVALID, REQUEST_INVALID, REQUEST_TOO_LARGE
 */
export async function decodeRequest(
  request: Request,
  options: DecodeOptions,
): Promise<DecodedRequest> {
  assertRequest(request)
  const format = formatOf(options)
  assertOptions('decodeRequest', options, KINDS)
  const body = await readJson(request, { ...DEFAULT_WIRE_LIMITS, ...defined(options.limits ?? {}) })
  const formatted = format.read(body, request)
  const { agent, conversationId, settings, tools, approvals, hostTools, ignored } = formatted.asked
  const decoded: DecodedRequest = {
    protocol: options.protocol,
    messages: messagesOf(formatted, format),
    tools: tools.map((tool) => ({ ...tool, replaces: true })),
    config: settings,
    signal: request.signal,
    canReset: formatted.canReset,
    ...(agent === undefined ? {} : { model: agent }),
    ...(conversationId === undefined ? {} : { conversationId }),
    approvals,
    ...(hostTools === undefined ? {} : { hostTools }),
    ignored,
  }
  formats.set(decoded, formatted)
  return decoded
}

/** The formats of a request that `decodeRequest` returned. */
export function formattedOf(decoded: object): Formatted | undefined {
  return formats.get(decoded)
}

/** The request of Express, or of Node's server, is easily passed in its place. Other realms have a Request of their own. */
function assertRequest(request: unknown): void {
  const { headers, method } = Object(request) as Partial<Request>
  if (typeof headers?.get === 'function' && typeof method === 'string') return
  const message =
    'decodeRequest needs a Request, as fetch handlers receive it. In Express and with the server of Node, mount the route by toNodeHandler({ fetch }).'
  throw new HostError('OPTION_INVALID', message)
}

/** The format of the protocol in some options. A program in JavaScript may leave them out. @throws {HostError} OPTION_INVALID */
export function formatOf(options: { readonly protocol: Protocol } | undefined): Format {
  const protocol = options?.protocol
  if (protocol !== undefined && PROTOCOLS.includes(protocol)) return FORMATS[protocol]
  const fault =
    protocol === undefined ? '"protocol" is missing.' : `There is no protocol "${protocol}".`
  const message = `${fault} The protocols are ${PROTOCOLS.join(', ')}.`
  throw new HostError('OPTION_INVALID', message, { pointer: '/protocol' })
}

function messagesOf({ asked }: Formatted, { hasSystemMessages }: Format): readonly Message[] {
  return hasSystemMessages ? asked.messages : importHistory(asked.messages, randomUUID).messages
}
