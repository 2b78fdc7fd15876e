import type { Transport } from '@modelcontextprotocol/client'

/** The most milliseconds that the end of a session over HTTP takes: the server may hang. */
const LONGEST_MS = 1_000

/** A transport over HTTP. One of 2024 has no session to end. */
type HttpTransport = Pick<Transport, 'send'> & { terminateSession?(): Promise<void> }

/**
 * Returns a function that ends the session of a transport. Call it before the client closes, which cuts off all that is
 * under way. It waits until the server has what was told to it, such as that a call is cancelled: for a server over HTTP
 * a lost connection is no cancellation. Must be called before a client connects.
 * Model Context Protocol 2025-11-25, Transports, Session Management
 */
export function farewellOf(transport: HttpTransport): () => Promise<void> {
  const told = new Set<Promise<void>>()
  const send = transport.send.bind(transport)
  const sendNoted: typeof send = (message, options) => {
    const sent = send(message, options)
    if ('id' in message) return sent
    const noted = sent.finally(() => told.delete(noted))
    told.add(noted)
    return noted
  }
  transport.send = sendNoted
  return () =>
    soon(async () => {
      await Promise.allSettled(told)
      // A server that cannot be told does not need to be told.
      await Promise.allSettled([transport.terminateSession?.()])
    })
}

/** Waits for some work, but not long. */
async function soon(work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_MS)
  })
  await Promise.race([work(), late])
  clearTimeout(timer)
}
