import type { Piece } from './body.ts'

/**
 * A read of a body that may stay open, or be lost, though nothing more is needed of it: from a time on, as the
 * performance clock tells it, it counts as the end.
 */
export async function patiently(read: Promise<Piece>, until: number): Promise<Piece> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<Piece>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), until - performance.now())
  })
  try {
    return await Promise.race([read, end])
  } catch {
    return { done: true }
  } finally {
    clearTimeout(timer)
  }
}
