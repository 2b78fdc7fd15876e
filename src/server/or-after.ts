import { LONGEST_TIMER } from '@braidwork/core/internal'

/** What a promise comes to, or something else where that takes longer than so many milliseconds. */
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
