import type { CounterChange, CounterStorage, CounterWindow, FullCounter } from '../storage/index.ts'
import type { CounterRow, Tables } from './tables.ts'

export function memoryCounters({ counters }: Tables): CounterStorage {
  const rowOf = (window: CounterWindow): CounterRow =>
    counters.get(keyOf(window)) ?? { endsAt: window.endsAt, amount: 0, held: 0 }
  const add = (changes: readonly CounterChange[]): void => {
    for (const change of changes) {
      const { endsAt, amount, held } = rowOf(change)
      const sums = { amount: amount + change.amount, held: held + change.held }
      counters.set(keyOf(change), { endsAt, ...sums })
    }
  }
  return {
    take: async (takes) => {
      const full = takes.flatMap((take): readonly FullCounter[] => {
        const { amount, held } = rowOf(take)
        if (amount + held < take.most) return []
        return [{ key: take.key, isSpent: amount >= take.most }]
      })
      if (full.length === 0) add(takes)
      return full
    },
    add: async (changes) => add(changes),
    expire: async (before) => {
      for (const [key, { endsAt }] of counters) if (endsAt < before) counters.delete(key)
    },
  }
}

function keyOf({ key, startsAt }: CounterWindow): string {
  return `${startsAt} ${key}`
}
