import { MessageChannel } from 'node:worker_threads'

/** Buffers with fewer bytes than this are not worth releasing. */
const LEAST = 16 * 1024

const { port1: nobody } = new MessageChannel()
nobody.close()

/**
 * Frees the memory of bytes that nobody else uses; the array is empty afterwards. Left to the garbage collector,
 * many megabytes would wait for the next collection. The function transfers the buffer to a closed message port: a
 * transfer takes it away from the sender, and a closed port has no receiver.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // A view of part of a larger buffer is not released, since the rest may be in use.
  if (byteLength < LEAST || byteLength !== buffer.byteLength) return
  nobody.postMessage(undefined, [buffer as ArrayBuffer])
}
