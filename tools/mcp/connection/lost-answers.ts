import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TooLarge } from '../problem.ts'

/** Mark the errors that are made here. A server cannot know them. */
const LOST = crypto.randomUUID()
const CUT = crypto.randomUUID()

/** The part of a transport over streamable HTTP that sends and receives messages. */
type Sending = Pick<StreamableHTTPClientTransport, 'send' | 'onmessage'>
type SendOptions = NonNullable<Parameters<Sending['send']>[1]>

/**
 * Ends each request whose stream ends before its answer, and cannot be resumed: the SDK would wait for ever. Must be
 * called before a client connects.
 * @param cut why the host cut the last stream off, if it did; asked once for each lost answer
 */
export function endLostRequests(transport: Sending, cut: () => TooLarge | undefined): void {
  const open = new Set<unknown>()
  const send = transport.send.bind(transport)
  const take = (message: JSONRPCMessage) => {
    if (!('method' in message)) open.delete(message.id)
  }
  const sendNoted = async (message: JSONRPCMessage, options?: SendOptions) => {
    if (!('method' in message && 'id' in message)) return send(message, options)
    const { id } = message
    open.add(id)
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.()
      if (!open.delete(id)) return
      const text = cut()?.message
      const message = text ?? 'the connection ended before the answer'
      const data = text === undefined ? LOST : CUT
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message, data } })
    }
    try {
      return await send(message, { ...options, onRequestStreamEnd })
    } catch (error) {
      open.delete(id)
      // If a body without a stream was cut off, the error says so. It explains no later loss.
      cut()
      throw error
    }
  }
  transport.onmessage = take
  transport.send = sendNoted
}

/** Whether an error stands for an answer that was lost with its stream. */
export function isLost(error: unknown): error is Error {
  return dataOf(error) === LOST
}

/** Whether an error stands for an answer whose stream the host cut off, which its message explains. */
export function isCut(error: unknown): error is Error {
  return dataOf(error) === CUT
}

function dataOf(error: unknown): unknown {
  return error instanceof Error ? (error as { readonly data?: unknown }).data : undefined
}
