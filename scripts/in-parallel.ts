import { availableParallelism } from 'node:os'

/**
 * Works on as many items at once as there are cores.
 * @throws the first error of the work, when the items that were begun are done
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  let failed = false
  const one = async (): Promise<void> => {
    for (let next = left.next(); !next.done && !failed; next = left.next()) {
      await work(next.value).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: availableParallelism() }, one))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
