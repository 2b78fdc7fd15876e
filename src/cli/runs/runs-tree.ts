import type { TreeAgent } from '@braidwork/agent'
import { treeBelow } from '@braidwork/agent/internal'
import { LOCAL } from '@braidwork/server'
import { jsonText, visible } from '../characters.ts'
import { EXIT } from '../exit.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'
import { findRun } from './runs.ts'

export interface RunTreeOptions extends ConfigOptions {
  readonly owner?: string
  readonly json?: boolean
}

/** `braidwork runs tree`: draws a run with the runs below it. */
export async function runsTreeCommand(
  id: string,
  { owner = LOCAL.id, json, ...options }: RunTreeOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    const run = await findRun(storage, owner, id)
    const agents = await treeBelow(run, storage)
    const text = json ? jsonText({ agents }, 2) : drawn(agents, run.id).map(visible).join('\n')
    process.stdout.write(`${text}\n`)
    return EXIT.ok
  })
}

/** The lines of a tree, from a run downwards. */
function drawn(agents: readonly TreeAgent[], root: string): readonly string[] {
  const byId = new Map(agents.map((agent) => [agent.id, agent]))
  const linesOf = (id: string): readonly string[] => {
    const agent = byId.get(id)
    if (!agent) return []
    const below = [...agent.children].sort((one, other) => order(byId, one) - order(byId, other))
    const branches = below.flatMap((child, index) => {
      const [first = '', ...rest] = linesOf(child)
      const isLast = index === below.length - 1
      return [
        `${isLast ? '└─' : '├─'} ${first}`,
        ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`),
      ]
    })
    return [lineOf(agent), ...branches]
  }
  return linesOf(root)
}

/** Siblings are drawn in the order in which they began. */
function order(byId: ReadonlyMap<string, TreeAgent>, id: string): number {
  return byId.get(id)?.startedAt ?? 0
}

function lineOf({ agent = 'run', id, state, startedAt, endedAt }: TreeAgent): string {
  const took = endedAt === undefined ? '' : `, ${((endedAt - startedAt) / 1000).toFixed(1)} s`
  return `${agent} ${id}: ${state}${took}`
}
