import { MessageChannel } from 'node:worker_threads'

/** Bytes from which on a buffer is worth it. */
const LEAST = 16 * 1024

const { port1: nobody } = new MessageChannel()
nobody.close()

/**
 * Frees the memory of bytes that nothing else has or will look at: they are empty then. As garbage they would wait
 * for the next collection, and of what goes through a server there are many megabytes between two. A buffer that is
 * transferred leaves its sender; one that goes to a closed port has no new owner either.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // What is a part of a larger buffer may not be all that is in use of it.
  if (byteLength < LEAST || byteLength !== buffer.byteLength) return
  nobody.postMessage(undefined, [buffer as ArrayBuffer])
}
