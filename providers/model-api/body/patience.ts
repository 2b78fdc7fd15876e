import type { Piece } from './body.ts'

/**
 * Limits the wait for a read whose result is no longer essential: after the time `until` (of the performance clock)
 * a pending or failed read counts as the end of the body.
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
