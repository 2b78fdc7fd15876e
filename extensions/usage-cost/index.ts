import type { Context, Extension, Message, MessageMetadata, PartialEvent } from '@braidwork/plugin'
import { addCost, type Cost, costOf } from './cost.ts'
import { addToTotals } from './totals.ts'

type Core = readonly (Message | PartialEvent)[]

/** Adds the cost to events that report usage. */
async function priceEvents(events: Core, context: Context): Promise<Core> {
  return Promise.all(
    events.map(async (event) => {
      if (!('type' in event) || event.type !== 'metadata') return event
      const cost = costOf(event.metadata.usage, context.modelInfo.price)
      if (!cost) return event
      return {
        ...event,
        metadata: withCost(event.metadata, cost, await addToTotals(cost, context)),
      }
    }),
  )
}

/** Adds costs to messages, and the totals to the last message. */
async function priceMessages(messages: readonly Message[], context: Context): Promise<Core> {
  const costs = messages.map(({ metadata }) => costOf(metadata?.usage, context.modelInfo.price))
  const totals = await addToTotals(sumOf(costs), context)
  return messages.map((message, at) => {
    const cost = costs[at]
    if (!cost) return message
    const more = at === messages.length - 1 ? totals : {}
    return { ...message, metadata: withCost(message.metadata ?? {}, cost, more) }
  })
}

function withCost(metadata: MessageMetadata, cost: Cost, more: object): MessageMetadata {
  return { ...metadata, cost, ...more }
}

/** The sum of costs; `undefined` if one of them is unknown. */
function sumOf(costs: readonly (Cost | undefined)[]): Cost | undefined {
  return costs.reduce((sum, cost) => (sum && cost ? addCost(sum, cost) : undefined))
}

function tellsUsage(core: Core): boolean {
  for (const event of core) {
    if ('type' in event && event.type === 'metadata' && event.metadata.usage) return true
  }
  return false
}

export default {
  kind: 'extension',
  name: 'usage-cost',
  // Off by default, since it writes to its storage.
  defaultEnabled: false,

  fromNative(_natives, core, context) {
    if (context.phase === 'finals') {
      return core.length === 0 ? core : priceMessages(core as readonly Message[], context)
    }
    return tellsUsage(core) ? priceEvents(core, context) : core
  },
} satisfies Extension
