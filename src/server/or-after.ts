import { LONGEST_TIMER } from '@braidwork/core/internal'

/** Returns the result of a promise, or `late` if the promise takes longer than the given milliseconds. */
export async function orAfter<T, L>(
  promise: Promise<T>,
  milliseconds: number,
  late: L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.min(milliseconds, LONGEST_TIMER))
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
