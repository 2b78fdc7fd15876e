import type { StoredRun } from '@braidwork/agent'
import { responseOf } from '../../dialect.ts'
import { orderOf } from '../../run-order.ts'
import { a2aResult, STATE_OF, taskIn, taskQueryIn } from '../../wire/a2a/index.ts'
import { PROTOCOL, presentView, type TaskRequest } from './tasks.ts'

/** The number of runs that are read at once. */
const PAGE = 100

/** Responds with the caller's tasks at the agent, of one context or of all, newest first. */
export async function listTasks(request: TaskRequest, params: object): Promise<Response> {
  const { services, agent, format } = request
  const { contextId, state, pageSize, pageToken, hasArtifacts } = taskQueryIn(params)
  const all: StoredRun[] = []
  for await (const run of runsOf(request, contextId)) {
    const order = orderOf(run)
    const isShown = state === undefined || STATE_OF[run.status] === state
    if (order.protocol === PROTOCOL && order.agent === agent && isShown) all.push(run)
  }
  const first = pageToken === undefined ? 0 : all.findIndex(({ id }) => id === pageToken) + 1
  const page = all.slice(first, first + pageSize)
  const tasks = await Promise.all(
    page.map(async (run) => {
      const { task } = await presentView(run, services)
      const { artifacts = [], ...rest } = task
      return taskIn(format.version, hasArtifacts ? { ...rest, artifacts } : rest)
    }),
  )
  const isLast = first + pageSize >= all.length
  const nextPageToken = isLast ? '' : page.at(-1)?.id
  const listed = { tasks, nextPageToken, pageSize, totalSize: all.length }
  return responseOf(a2aResult(format, listed))
}

async function* runsOf({ c, services }: TaskRequest, contextId: string | undefined) {
  const { runs } = services.storage
  const owner = c.get('identity').id
  if (contextId !== undefined) return yield* await runs.list(owner, contextId)
  for (let before: StoredRun | undefined; ; ) {
    const page = await runs.listOwned(owner, { limit: PAGE, ...(before ? { before } : {}) })
    if (page.length === 0) return
    yield* page
    before = page.at(-1)
  }
}
