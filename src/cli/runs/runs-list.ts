import type { Storage, StoredRun } from '@braidwork/agent'
import { LOCAL } from '@braidwork/server'
import { jsonText } from '../characters.ts'
import { EXIT } from '../exit.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'
import { stylesOf, table } from '../terminal.ts'

export interface RunsListOptions extends ConfigOptions {
  readonly owner?: string
  readonly limit?: number
  readonly json?: boolean
}

const LIMIT = 20
const OTHERS = '"--owner ID" lists those of the caller with another id.'

/** What is shown of a run. */
interface ListedRun extends Pick<StoredRun, 'id' | 'status' | 'conversationId'> {
  readonly agent?: string
  readonly startedAt: string
}

/** `braidwork runs list`: prints the newest runs of an owner, without those below others. */
export async function runsListCommand({
  owner = LOCAL.id,
  limit = LIMIT,
  json,
  ...options
}: RunsListOptions): Promise<number> {
  return withStorage(options, async (storage) => {
    const runs = (await newestRoots(storage, owner, limit)).map(listed)
    if (json) process.stdout.write(`${jsonText(runs, 2)}\n`)
    else if (runs.length === 0) process.stderr.write(`"${owner}" has no runs. ${OTHERS}\n`)
    else process.stdout.write(textOf(runs))
    return EXIT.ok
  })
}

async function newestRoots(
  { runs }: Storage,
  owner: string,
  limit: number,
): Promise<readonly StoredRun[]> {
  const roots: StoredRun[] = []
  let before: StoredRun | undefined
  do {
    const page = await runs.listOwned(owner, before ? { before } : {})
    roots.push(...page.filter(({ place }) => !place))
    before = page.at(-1)
  } while (before && roots.length < limit)
  return roots.slice(0, limit)
}

function listed({ id, status, conversationId, order, startedAt }: StoredRun): ListedRun {
  const { agent } = order
  return {
    id,
    status,
    ...(typeof agent === 'string' ? { agent } : {}),
    ...(conversationId === undefined ? {} : { conversationId }),
    startedAt: new Date(startedAt).toISOString(),
  }
}

function textOf(runs: readonly ListedRun[]): string {
  const rows = runs.map(({ id, agent = '', status, startedAt, conversationId = '' }) => [
    id,
    agent,
    status,
    startedAt,
    conversationId,
  ])
  const head = ['RUN', 'AGENT', 'STATUS', 'STARTED', 'CONVERSATION']
  return table([head, ...rows], stylesOf(process.stdout).dim)
}
