import { setImmediate } from 'node:timers'
import type { StoredRun } from '@braidwork/agent'
import { HostError } from '@braidwork/plugin'
import { clientRequest } from '../../conversations/index.ts'
import { ignoredHeaders, repeatKeyOf } from '../../headers.ts'
import {
  A2A_CAN_RESET,
  type A2aRequest,
  a2aAnswersIn,
  decodeA2aMessage,
} from '../../wire/a2a/index.ts'
import { addReceiver, receiverOf } from './notifications.ts'
import { PROTOCOL, respondRun, runOf, type TaskRequest } from './tasks.ts'

/**
 * Takes a message to the agent: it begins a task, or it answers or steers one.
 * @throws {HostError} REQUEST_INVALID, RUN_UNKNOWN, OPERATION_UNSUPPORTED, NOTIFICATIONS_UNSUPPORTED, and the errors of `Turns.take`
 */
export async function sendMessage(
  asked: TaskRequest,
  params: object,
  isStreaming: boolean,
): Promise<Response> {
  const { c, services, agent, format } = asked
  const decoded = { ...decodeA2aMessage(params, format.version), agent, isStreaming }
  const request = await clientRequest(c, services, decoded, '/agent')
  const { isImmediate, taskId, notification } = request
  const receiver = notification && (await receiverOf(asked, notification))
  const run =
    taskId === undefined ? await begin(asked, request) : await goOn(asked, request, taskId)
  if (receiver) await addReceiver(asked, run, receiver)
  const headers = ignoredHeaders(request)
  return respondRun(asked, run, { isStreaming, isImmediate, headers })
}

async function begin({ c, services }: TaskRequest, request: A2aRequest): Promise<StoredRun> {
  const { headers } = c.req.raw
  const key = await repeatKeyOf(c.req.raw, PROTOCOL, request)
  const unchangeable = '/message/messageId'
  const own = { protocol: PROTOCOL, canReset: A2A_CAN_RESET, unchangeable }
  const about = { ...own, isBackground: true } as const
  const turn = { identity: c.get('identity'), request, headers, ...about, ...key }
  try {
    const { run } = await services.turns.take(turn)
    return run
  } catch (error) {
    if (HostError.is(error) && error.code === 'CONVERSATION_BUSY') throw isBusy(error)
    throw error
  }
}

async function goOn(asked: TaskRequest, request: A2aRequest, taskId: string): Promise<StoredRun> {
  const run = await runOf(asked, taskId)
  const { conversationId = run.conversationId } = request
  if (conversationId !== run.conversationId) {
    const message =
      'The task belongs to another context. Leave "contextId" out, or name that of the task.'
    throw new HostError('REQUEST_INVALID', message, { pointer: '/message/contextId' })
  }
  if (run.status === 'suspended') return answer(asked, request, run)
  if (run.status === 'active') return steer(asked, request, run)
  throw isOver()
}

async function answer(
  { c, services }: TaskRequest,
  request: A2aRequest,
  run: StoredRun,
): Promise<StoredRun> {
  const { storage, approvals } = services
  const identity = c.get('identity')
  const all = await storage.approvals.list(identity.id, run.id)
  const open = all.filter(({ answer: given }) => !given)
  const answers = a2aAnswersIn(request, open)
  const stranger = answers.find(({ approvalId }) => all.every(({ id }) => id !== approvalId))
  if (stranger) {
    const message = `The task has no approval "${stranger.approvalId.slice(0, 100)}"; its status has the ids.`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/message/parts' })
  }
  await approvals.assertFirst(identity, answers)
  const taken = await approvals.answerAll(identity, run, answers)
  await approvals.assertFirst(identity, answers)
  return taken.run
}

async function steer(
  { c, services }: TaskRequest,
  { message: { id: _, ...message }, isImmediate, isStreaming }: A2aRequest,
  run: StoredRun,
): Promise<StoredRun> {
  const { quotas, runs } = services
  const identity = c.get('identity')
  await quotas.assertRoom(identity)
  try {
    const entered = runs.say(run, message)
    await (isImmediate || isStreaming ? refusedAtOnce(entered) : entered)
  } catch (error) {
    if (HostError.is(error) && error.code === 'RUN_NOT_ACTIVE') throw isOver()
    throw error
  }
  return runs.find(identity, run.id)
}

/**
 * Waits for a refusal that comes at once. A task that goes on takes the message before it is done; one that ends before
 * that is cancelled or has failed, which its state tells.
 */
async function refusedAtOnce(entered: Promise<void>): Promise<void> {
  await Promise.race([entered, new Promise((resolve) => setImmediate(resolve))])
}

function isBusy(cause: HostError): HostError {
  const message =
    'A task of the context is worked on. Send the message with its "taskId", or when it is over.'
  return new HostError('CONVERSATION_BUSY', message, { cause, pointer: '/message/contextId' })
}

function isOver(): HostError {
  const message =
    'The task is over. To go on in its context, send the message with the "contextId" and without the "taskId".'
  return new HostError('OPERATION_UNSUPPORTED', message, { pointer: '/message/taskId' })
}
