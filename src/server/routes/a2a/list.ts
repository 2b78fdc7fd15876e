import type { StoredRun } from '@braidwork/agent'
import { responseOf } from '../../dialect.ts'
import { orderOf } from '../../run-order.ts'
import { a2aResult, STATE_OF, taskIn, taskQueryIn } from '../../wire/a2a/index.ts'
import { quoted, requestInvalid } from '../../wire/index.ts'
import { PROTOCOL, presentView, type TaskRequest } from './tasks.ts'

/** The number of runs that are read at once. */
const PAGE = 100

/** Responds with the caller's tasks at the agent, of one context or of all, newest first. */
export async function listTasks(request: TaskRequest, params: object): Promise<Response> {
  const { services, agent, format } = request
  const { contextId, state, pageSize, pageToken, hasArtifacts } = taskQueryIn(params)
  const own: StoredRun[] = []
  for await (const run of runsOf(request, contextId)) {
    const order = orderOf(run)
    if (order.protocol === PROTOCOL && order.agent === agent) own.push(run)
  }
  const isShown = ({ status }: StoredRun) => state === undefined || STATE_OF[status] === state
  // The task at which the page before ended may have another state now.
  const rest = after(own, pageToken).filter(isShown)
  const page = rest.slice(0, pageSize)
  const tasks = await Promise.all(
    page.map(async (run) => {
      const { task } = await presentView(run, services)
      const { artifacts = [], ...rest } = task
      return taskIn(format.version, hasArtifacts ? { ...rest, artifacts } : rest)
    }),
  )
  const nextPageToken = rest.length <= pageSize ? '' : page.at(-1)?.id
  const listed = { tasks, nextPageToken, pageSize, totalSize: own.filter(isShown).length }
  return responseOf(a2aResult(format, listed))
}

/** The runs after the one that a token names. @throws {HostError} REQUEST_INVALID */
function after(runs: readonly StoredRun[], token: string | undefined): readonly StoredRun[] {
  if (token === undefined) return runs
  const at = runs.findIndex(({ id }) => id === token)
  if (at >= 0) return runs.slice(at + 1)
  const message = `"pageToken" ${quoted(token)} is of no task here. Begin with the first page.`
  throw requestInvalid(['pageToken'], message)
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
