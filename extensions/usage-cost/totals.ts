import type { Context, PluginStorage } from '@braidwork/plugin'
import { addCost, type Cost } from './cost.ts'

/** A sum; `unknown` if it includes an answer of unknown cost. */
type Sum = Cost | 'unknown'

interface Stored {
  readonly sum: Sum
  readonly at: number
}

/** The totals in the metadata, beside the cost of the message. */
export interface Totals {
  readonly costOfRun?: Cost
  readonly costOfConversation?: Cost
}

const RUNS = 'run:'
const CONVERSATION = 'conversation'
/** The maximum number of runs whose sums are kept. Beyond it the older half is deleted. */
const MOST_RUNS = 256

/** Adds an answer's cost to its run and its conversation. A repeated call for the same answer has no effect. */
export async function addToTotals(cost: Cost | undefined, context: Context): Promise<Totals> {
  const { runId, conversationId } = context
  const run = runId === undefined ? undefined : await addTo(`${RUNS}${runId}`, cost, context)
  const conversation =
    conversationId === undefined ? undefined : await addTo(CONVERSATION, cost, context)
  return {
    ...(run === undefined || run === 'unknown' ? {} : { costOfRun: run }),
    ...(conversation === undefined || conversation === 'unknown'
      ? {}
      : { costOfConversation: conversation }),
  }
}

let last = 0

/** The present time, or just after the last returned one if the clock was set back. */
function later(): number {
  last = Math.max(Date.now(), last + 1)
  return last
}

async function addTo(key: string, cost: Cost | undefined, context: Context): Promise<Sum> {
  const { local, storage } = context
  if (!local.has(key)) local.set(key, await sumBefore(key, storage))
  const before = local.get(key) as Sum | undefined
  const sum = plus(before, cost)
  await storage.set(key, { sum, at: later() } satisfies Stored)
  return sum
}

function plus(before: Sum | undefined, cost: Cost | undefined): Sum {
  if (cost === undefined || before === 'unknown') return 'unknown'
  return before === undefined ? cost : addCost(before, cost)
}

async function sumBefore(key: string, storage: PluginStorage): Promise<Sum | undefined> {
  const stored = (await storage.get(key)) as Stored | undefined
  if (stored === undefined && key.startsWith(RUNS)) await forgetOldRuns(storage)
  return stored?.sum
}

async function forgetOldRuns(storage: PluginStorage): Promise<void> {
  const keys = await storage.list(RUNS)
  if (keys.length < MOST_RUNS) return
  const runs = await Promise.all(
    keys.map(async (key) => ({
      key,
      at: ((await storage.get(key)) as Stored | undefined)?.at ?? 0,
    })),
  )
  const oldest = runs.sort((left, right) => left.at - right.at).slice(0, MOST_RUNS / 2)
  await Promise.all(oldest.map(({ key }) => storage.delete(key)))
}
