import { expect } from 'chai'
import scripted from '../../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import askUser from '../../../../tools/ask-user/index.ts'
import calculator from '../../../../tools/calculator/index.ts'
import { BRISK } from '../../clients/scripts.ts'
import { serveWaiting } from '../../waiting-run.ts'
import { type Asked, Served } from '../served.ts'

interface Part {
  readonly text?: string
  readonly data?: { readonly approvals?: readonly { readonly approvalId: string }[] }
}

interface Task {
  readonly id: string
  readonly contextId: string
  readonly status: {
    readonly state: string
    readonly message?: { readonly parts: readonly Part[] }
  }
  readonly artifacts?: readonly { readonly parts: readonly Part[] }[]
  readonly metadata?: { readonly usage?: object }
}

/** The result of a call, or an update of a task. */
interface Result extends Partial<Task> {
  readonly task?: Task
  readonly tasks?: readonly Task[]
  readonly nextPageToken?: string
  readonly totalSize?: number
  readonly statusUpdate?: Pick<Task, 'status'>
  readonly artifactUpdate?: { readonly artifact: { readonly parts: readonly Part[] } }
}

interface Fault {
  readonly code: number
  readonly message: string
}

type Options = Omit<Asked, 'body'>

function taskIn({ task }: Result): Task {
  return task ?? expect.fail('The result has no task.')
}

let count = 0
const message = (text: string, more: object = {}) => ({
  messageId: `m${++count}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
})

describe('agents by A2A', () => {
  const storage = memoryStorage()
  let served: Served
  before(async () => {
    served = await Served.start({ storage, models: BRISK, cancelAfter: 20 })
  })
  after(() => served.close())

  /** Calls a method of JSON-RPC. */
  async function call(agent: string, method: string, params: object, options: Options = {}) {
    const body = { jsonrpc: '2.0', id: 'mine', method, params }
    const answer = await served.ask(`/a2a/${agent}`, { body, ...options })
    const { result, error } = answer.json as unknown as { result: Result; error: Fault }
    return { ...answer, result, error }
  }

  const send = async (agent: string, text: string, more: object = {}, options: Options = {}) =>
    taskIn((await call(agent, 'SendMessage', { message: message(text, more) }, options)).result)
  const get = async (agent: string, id: unknown, options: Options = {}) =>
    call(agent, 'GetTask', { id }, options)

  /** The updates of a stream, as far as it goes. */
  async function streamed(
    agent: string,
    method: string,
    params: object,
  ): Promise<readonly Result[]> {
    const { text } = await call(agent, method, params)
    const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(String(json)))
    return (data as readonly { result: Result }[]).map(({ result }) => result)
  }
  const statesOf = (updates: readonly Result[]) =>
    updates.flatMap(({ task, statusUpdate }) => {
      const state = (task ?? statusUpdate)?.status?.state
      return state === undefined ? [] : [state.replace('TASK_STATE_', '')]
    })
  const textOf = (task: Partial<Task>) =>
    (task.artifacts ?? []).flatMap(({ parts }) => parts?.map((part) => part['text']))

  it('have a card each, for both versions, and the first one that of the server', async () => {
    const { json } = await served.ask('/a2a/careful/.well-known/agent-card.json')
    const url = 'http://localhost/a2a/careful'
    expect(json).to.deep.include({
      name: 'careful',
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      url,
      protocolVersion: '0.3.0',
      security: [{ bearer: [] }],
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    })
    const first = await served.ask('/.well-known/agent-card.json')
    expect(first.json).to.include({ name: 'quick' })
    const headers = { authorization: 'Bearer wrong' }
    expect((await served.ask('/.well-known/agent-card.json', { headers })).status).to.equal(401)
    expect((await served.ask('/a2a/none/.well-known/agent-card.json')).status).to.equal(404)
  })

  it('answer at the end with the task, which their run is', async () => {
    const task = await send('quick', 'calculate')
    expect(task.status).to.include({ state: 'TASK_STATE_COMPLETED' })
    expect(textOf(task)).to.deep.equal(['It is {"expression":"6 * 7","result":"42","exact":true}.'])
    const run = await storage.runs.load('ada', task.id ?? '')
    expect(run).to.include({ status: 'done', conversationId: task.contextId })
    expect((await get('quick', task.id)).result).to.deep.equal(task)
  })

  it('answer in a stream, piece by piece, and a failure of the run is a state', async () => {
    const updates = await streamed('quick', 'SendStreamingMessage', { message: message('hello') })
    expect(statesOf(updates)).to.deep.equal(['SUBMITTED', 'WORKING', 'COMPLETED'])
    const pieces = updates.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact?.parts)
    expect(pieces.map((part) => part?.text ?? '').join('')).to.equal('You said: hello')
    const failed = await streamed('quick', 'SendStreamingMessage', { message: message('overload') })
    expect(statesOf(failed)).to.deep.equal(['SUBMITTED', 'WORKING', 'FAILED'])
    const task = await send('quick', 'break')
    expect(task.status?.message?.parts?.[0]).to.deep.equal({
      text: 'The stream of the model API ended too early.',
    })
  })

  it('speak HTTP+JSON, with the same words', async () => {
    const { json, status } = await served.ask('/a2a/quick/message:send', {
      body: { message: message('hello') },
      headers: { 'a2a-version': '1.0' },
    })
    expect(status).to.equal(200)
    const task = json['task'] as unknown as Task
    const found = await served.ask(`/a2a/quick/tasks/${task.id}`)
    expect(found.json).to.deep.equal(task)
    const listed = await served.ask(`/a2a/quick/tasks?contextId=${task.contextId}`)
    expect(listed.json).to.deep.include({ totalSize: 1, nextPageToken: '' })
    const body = { message: message('hello') }
    const { text } = await served.ask('/a2a/quick/message:stream', { body })
    expect(text).to.match(/^data: \{"task":/)
    for (const [path, method] of [
      ['tasks/x', 'POST'],
      ['tasks/x:run', 'POST'],
      ['tasks/x:cancel', 'GET'],
    ] as const) {
      expect((await served.ask(`/a2a/quick/${path}`, { method })).status, path).to.equal(404)
    }
  })

  it('speak version 0.3 in JSON-RPC', async () => {
    const parts = [{ kind: 'text', text: 'hello' }]
    const old = { kind: 'message', messageId: 'old', role: 'user', parts }
    const { result } = await call('quick', 'message/send', { message: old })
    expect(result).to.deep.include({ kind: 'task' })
    expect(result?.status).to.include({ state: 'completed' })
    expect((await call('quick', 'tasks/get', { id: result.id })).result).to.deep.equal(result)
    const headers = { 'a2a-version': '0.3' }
    const body = { message: message('hello') }
    const refused = await served.ask('/a2a/quick/message:send', { body, headers })
    expect([refused.status, refused.text]).to.have.property('0', 400)
    expect(refused.text).to.include('VERSION_NOT_SUPPORTED')
  })

  it('tell clients of 0.3 an error of a stream by an event, since they read nothing else', async () => {
    const parts = [{ kind: 'text', text: 'hello' }]
    const old = { kind: 'message', messageId: 'old', role: 'user', taskId: 'none', parts }
    for (const [method, params] of [
      ['message/stream', { message: old }],
      ['message/stream', []],
      ['tasks/resubscribe', { id: 'none' }],
    ] as const) {
      const { status, headers, text } = await call('quick', method, params)
      expect([status, headers.get('content-type')]).to.deep.equal([
        200,
        'text/event-stream; charset=utf-8',
      ])
      const [, json = ''] = /^event: error\ndata: (.*)\n\n$/.exec(text) ?? expect.fail(text)
      expect(JSON.parse(json)).to.have.nested.property('error.message').that.is.a('string')
      expect(JSON.parse(json)).to.include({ jsonrpc: '2.0', id: 'mine' })
    }
    const refused = await call('quick', 'message/stream', {}, { headers: { authorization: 'x' } })
    expect([refused.status, refused.error?.code]).to.deep.equal([401, -32_603])
    for (const [method, params] of [
      ['message/send', { message: old }],
      ['SendStreamingMessage', { message: message('hello', { taskId: 'none' }) }],
      ['SubscribeToTask', { id: 'none' }],
    ] as const) {
      const { status, error } = await call('quick', method, params)
      expect([status, error?.code], method).to.deep.equal([200, -32_001])
    }
  })

  it('go on without a reader; a client that comes back has all from the task on', async () => {
    const headers = { authorization: 'Bearer ada-0123456789abcdef' }
    const body = { message: message('count') }
    const response = await served.fetch('/a2a/slow/message:stream', { body, headers })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const id = response.headers.get('x-run-id')
    const updates = await streamed('slow', 'SubscribeToTask', { id })
    expect(statesOf(updates).at(-1)).to.equal('COMPLETED')
    const task = (await get('slow', id)).result
    expect(textOf(task)[0]).to.match(/^number 1, .*number 60$/)
    const again = await call('slow', 'SubscribeToTask', { id })
    expect(again.error).to.include({ code: -32_004 })
  })

  it('begin and return at once where the client wants that', async () => {
    const configuration = { returnImmediately: true }
    const { result } = await call('slow', 'SendMessage', {
      message: message('count'),
      configuration,
    })
    const { id, status } = result.task ?? {}
    expect(status?.state).to.be.oneOf(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'])
    const canceled = await call('slow', 'CancelTask', { id })
    expect(canceled.result.status).to.include({ state: 'TASK_STATE_CANCELED' })
    const again = await call('slow', 'CancelTask', { id })
    expect(again.error).to.include({ code: -32_002 })
  })

  it('wait for a permission; the answer goes on with the same task', async () => {
    const task = await send('careful', 'calculate')
    const { id: taskId, contextId } = task ?? {}
    expect(task.status).to.deep.include({ state: 'TASK_STATE_INPUT_REQUIRED' })
    const unclear = await call('careful', 'SendMessage', { message: message('so?', { taskId }) })
    expect(unclear.error).to.include({ code: -32_602 })
    const elsewhere = message('yes', { taskId, contextId: 'another' })
    expect((await call('careful', 'SendMessage', { message: elsewhere })).error).to.include({
      code: -32_602,
    })
    const params = { message: message('yes', { taskId, contextId }) }
    const updates = await streamed('careful', 'SendStreamingMessage', params)
    expect(updates[0]?.task).to.include({ id: taskId, contextId })
    expect(statesOf(updates)).to.deep.equal(['WORKING', 'COMPLETED'])
    const over = await call('careful', 'SendMessage', { message: message('more', { taskId }) })
    expect(over.error).to.include({ code: -32_004 })
    const next = await send('careful', 'and now?', { contextId })
    expect(next?.contextId).to.equal(contextId)
    expect(next?.id).to.not.equal(taskId)
  })

  it('wait until all of several permissions are given', async () => {
    const task = await send('careful', 'twice')
    const taskId = task.id
    const asked = task.status?.message?.parts?.[1]?.data?.approvals
    const [first, second] = (asked ?? []).map((one) => one.approvalId)
    const answer = async (approvalId: unknown) => {
      const data = { approvals: [{ approvalId, approved: approvalId === first }] }
      return send('careful', '', { taskId, parts: [{ data }] })
    }
    const partial = await answer(first)
    expect(partial.status.state).to.equal('TASK_STATE_INPUT_REQUIRED')
    const { task: present } =
      (
        await streamed('careful', 'SendStreamingMessage', {
          message: message('', {
            taskId,
            parts: [{ data: { approvals: [{ approvalId: first, approved: true }] } }],
          }),
        })
      )[0] ?? {}
    for (const seen of [partial, (await get('careful', taskId)).result, present]) {
      const [text, data] = seen?.status?.message?.parts ?? []
      expect(data?.data?.approvals?.map((one) => one.approvalId)).to.deep.equal([second])
      expect(text?.text?.match(/May the tool/g)).to.have.length(1)
    }
    const unknown = { approvals: [{ approvalId: 'none', approved: true }] }
    const refused = await call('careful', 'SendMessage', {
      message: message('', { taskId, parts: [{ data: unknown }] }),
    })
    expect(refused.error?.message).to.include('"none"')
    const other = { approvals: [first, second].map((id) => ({ approvalId: id, approved: false })) }
    const again = await call('careful', 'SendMessage', {
      message: message('', { taskId, parts: [{ data: other }] }),
    })
    expect(again.error?.code).to.equal(-32_004)
    expect(again.error?.message).to.include('It has another answer already')
    expect((await get('careful', taskId)).result.status?.state).to.include('INPUT_REQUIRED')
    expect((await answer(second)).status.state).to.equal('TASK_STATE_COMPLETED')
  })

  it('have the usage of all their legs', async () => {
    const { id: taskId } = await send('careful', 'calculate')
    const { usage: before } = (await storage.runs.events('ada', taskId)).findLast(
      ({ type }) => type === 'finish',
    ) as unknown as { readonly usage: { readonly input: number; readonly output: number } }
    const { metadata } = await send('careful', 'yes', { taskId })
    const { usage } = (await storage.runs.events('ada', taskId)).findLast(
      ({ type }) => type === 'finish',
    ) as unknown as { readonly usage: { readonly input: number; readonly output: number } }
    expect(metadata?.usage).to.deep.equal({
      input: before.input + usage.input,
      output: before.output + usage.output,
    })
    expect((await get('careful', taskId)).result.metadata).to.deep.equal(metadata)
  })

  it('can be canceled while they wait, and their approvals are then of no use', async () => {
    const task = await send('careful', 'calculate')
    const id = task.id ?? ''
    const [approval] = await storage.approvals.list('ada', id)
    const { result } = await call('careful', 'CancelTask', { id })
    expect(result.status).to.include({ state: 'TASK_STATE_CANCELED' })
    expect((await storage.runs.load('ada', id))?.status).to.equal('aborted')
    const late = await served.ask(`/approvals/${approval?.id}`, { body: { approved: true } })
    expect(late.status).to.equal(410)
    const next = await send('careful', 'hello', { contextId: task.contextId })
    expect(next?.status).to.include({ state: 'TASK_STATE_COMPLETED' })
  })

  it('are steered by a message to a task that is worked on', async () => {
    const params = { message: message('count'), configuration: { returnImmediately: true } }
    const { result } = await call('slow', 'SendMessage', params)
    const { id: taskId } = result.task ?? {}
    const steered = await send('slow', 'hello', { taskId })
    expect(steered).to.include({ id: taskId })
    expect(textOf(steered).at(-1)).to.equal('You said: hello')
  })

  it('lose nothing of a context to another message with a known id, which is refused', async () => {
    const contextId = 'ids'
    const first = await send('quick', 'My name is Ada.', { contextId, messageId: '1' })
    const other = message('What is my name?', { contextId, messageId: '1' })
    const { error } = await call('quick', 'SendMessage', { message: other })
    expect(error.code).to.equal(-32_602)
    expect(error.message).to.include('the id "1"')
    await send('quick', 'And then?', { contextId, messageId: '2' })
    const again = await send('quick', 'My name is Ada.', { contextId, messageId: '1' })
    expect(again).to.deep.equal(first)
    expect(await storage.conversations.history('ada', contextId)).to.have.length(4)
  })

  it('have one task of a context at a time', async () => {
    const params = { contextId: 'busy' }
    const configuration = { returnImmediately: true }
    const begun = await call('slow', 'SendMessage', {
      message: message('count', params),
      configuration,
    })
    const body = { message: message('hello', params) }
    const { error, status } = await call('slow', 'SendMessage', body)
    expect([error.code, status]).to.deep.equal([-32_004, 200])
    expect(error.message).to.include('"taskId"')
    const other = await served.ask('/a2a/slow/message:send', { body })
    expect([other.status, other.text.includes('UNSUPPORTED_OPERATION')]).to.deep.equal([400, true])
    await call('slow', 'CancelTask', { id: taskIn(begun.result).id })
  })

  it('are not listed by a state that the protocol does not have', async () => {
    for (const status of ['FOO', 'completed']) {
      const { error } = await call('quick', 'ListTasks', { status })
      expect([error.code, error.message.includes('TASK_STATE_COMPLETED')]).to.deep.equal([
        -32_602,
        true,
      ])
      const { status: http } = await served.ask(`/a2a/quick/tasks?status=${status}`)
      expect(http).to.equal(400)
    }
    for (const status of ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_REJECTED']) {
      const { result } = await call('quick', 'ListTasks', { status })
      expect(result.tasks, status).to.be.an('array')
    }
  })

  it('begin one task for a message that is sent twice in a context', async () => {
    const twice = message('hello', { contextId: 'repeated' })
    const configuration = { returnImmediately: true }
    const first = await call('slow', 'SendMessage', { message: twice, configuration })
    const second = await call('slow', 'SendMessage', { message: twice })
    expect(taskIn(second.result).id).to.equal(taskIn(first.result).id)
    const other = { message: message('and?', { contextId: 'repeated' }) }
    const third = await call('slow', 'SendMessage', other)
    expect(taskIn(third.result).id).to.not.equal(taskIn(first.result).id)
  })

  it('list the tasks of a context, or of all, newest first, in pages', async () => {
    const contextId = 'listed'
    const ids: unknown[] = []
    for (const text of ['one', 'two', 'overload'])
      ids.push((await send('quick', text, { contextId }))?.id)
    const list = async (params: object) => (await call('quick', 'ListTasks', params)).result
    const first = await list({ contextId, pageSize: 2 })
    expect(first.tasks?.map(({ id }) => id)).to.deep.equal([ids[2], ids[1]])
    expect(first.tasks?.[0]).to.not.have.property('artifacts')
    const rest = await list({
      contextId,
      pageToken: first.nextPageToken,
      includeArtifacts: true,
    })
    expect(rest).to.deep.include({ nextPageToken: '', totalSize: 3 })
    expect(textOf(rest.tasks?.[0] ?? {})).to.deep.equal(['You said: one'])
    const failed = await list({ contextId, status: 'TASK_STATE_FAILED' })
    expect(failed.tasks?.map(({ id }) => id)).to.deep.equal([ids[2]])
    const all = await list({ pageSize: 100 })
    expect(all.tasks?.map(({ id }) => id)).to.include.members(ids)
    expect(all.tasks?.some((task) => task.contextId !== contextId)).to.equal(true)
    const last = await list({ pageSize: 1, pageToken: all.tasks?.at(-2)?.id })
    expect([last.tasks?.[0]?.id, last.nextPageToken]).to.deep.equal([all.tasks?.at(-1)?.id, ''])
    const { result } = await call('quick', 'ListTasks', {}, { as: 'bob' })
    expect(result.tasks).to.deep.equal([])
  })

  it('are listed from no place that is unknown, and on from a task whose state has changed', async () => {
    const contextId = 'places'
    const ids: unknown[] = []
    for (const text of ['one', 'overload', 'three'])
      ids.push((await send('quick', text, { contextId }))?.id)
    const { error } = await call('quick', 'ListTasks', { pageToken: 'zzz' })
    expect(error?.code).to.equal(-32602)
    expect(error?.message).to.include('pageToken')
    const { status, text } = await served.ask('/a2a/quick/tasks?pageSize=1&pageToken=garbage', {})
    expect([status, text.includes('pageToken')]).to.deep.equal([400, true])
    const completed = { contextId, status: 'TASK_STATE_COMPLETED' }
    const { result } = await call('quick', 'ListTasks', { ...completed, pageToken: ids[1] })
    expect(result.tasks?.map(({ id }) => id)).to.deep.equal([ids[0]])
    expect(result.totalSize).to.equal(2)
  })

  it('do not have tasks of another owner, agent or protocol', async () => {
    const task = await send('careful', 'calculate')
    const id = task.id
    const none = await get('careful', 'none', { as: 'bob' })
    const shown = ({ text }: { text: string }, own: unknown) => text.replaceAll(String(own), '*')
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      const other = await call('careful', method, { id }, { as: 'bob' })
      expect(shown(other, id), method).to.equal(shown(none, 'none'))
    }
    const answer = { message: message('yes', { taskId: id }) }
    const answered = await call('careful', 'SendMessage', answer, { as: 'bob' })
    expect(shown(answered, id)).to.equal(shown(none, 'none'))
    expect((await get('quick', id)).error).to.include({ code: -32_001 })
    const chat = { model: 'quick', messages: [{ role: 'user', content: 'hi' }], store: true }
    const { headers } = await served.ask('/v1/chat/completions', { body: chat })
    expect((await get('quick', headers.get('x-run-id'))).error).to.include({ code: -32_001 })
    expect((await storage.runs.load('ada', id ?? ''))?.status).to.equal('suspended')
  })

  it('refuse what they cannot do, in the words of the specification', async () => {
    const config = { taskPushNotificationConfig: { url: 'https://a.test' } }
    for (const [method, params, code] of [
      ['CreateTaskPushNotificationConfig', { taskId: 'x' }, -32_003],
      ['tasks/pushNotificationConfig/set', {}, -32_003],
      ['SendMessage', { message: message('hi'), configuration: config }, -32_003],
      ['GetExtendedAgentCard', {}, -32_004],
      ['Fly', {}, -32_601],
      ['GetTask', {}, -32_602],
    ] as const) {
      const { error, status } = await call('quick', method, params)
      expect([error.code, status], method).to.deep.equal([code, 200])
    }
    const hooks = await served.ask('/a2a/quick/tasks/x/pushNotificationConfigs', { body: {} })
    expect([hooks.status, hooks.text]).to.have.property('0', 400)
    expect(hooks.text).to.include('PUSH_NOTIFICATION_NOT_SUPPORTED')
    const headers = { 'a2a-version': '7.0' }
    const future = await call('quick', 'GetTask', { id: 'x' }, { headers })
    expect(future.error).to.include({ code: -32_009 })
    for (const [body, code] of [
      ['{', -32_700],
      ['[]', -32_600],
      ['{"jsonrpc":"1.0"}', -32_600],
    ] as const) {
      const { json } = await served.ask('/a2a/quick', { body })
      expect(json['error'], body).to.deep.include({ code })
    }
    expect((await call('none', 'GetTask', { id: 'x' })).error).to.include({ code: -32_602 })
  })
})

describe('questions by A2A', () => {
  it('are answered by a text, in another process of the server, and the task goes on', async () => {
    const storage = memoryStorage()
    const input = { question: 'Which color?', options: ['red', 'blue'] }
    const script = [
      { when: { tool: 'ask_user' }, then: { text: 'You said {{result.ask_user}}.' } },
      { then: { text: 'Well.', tool_calls: [{ name: 'ask_user', input }] } },
    ]
    const settings = { scripted: { script, delay_ms: 0 } }
    const config = { enabled_plugins: ['ask-user'], settings }
    const start = () =>
      Served.start(
        { storage, models: { asking: { config } } },
        { plugins: [scripted, calculator, askUser], config: {} },
      )
    const first = await start()
    const body = { message: message('paint') }
    const asked = (await first.ask('/a2a/asking/message:send', { body })).json[
      'task'
    ] as unknown as Task
    await first.close()
    const second = await start()
    try {
      const found = await second.ask(`/a2a/asking/tasks/${asked.id}`)
      expect(found.json).to.deep.equal(asked)
      expect(asked.status?.message?.parts?.[0]).to.deep.equal({ text: 'Which color?' })
      const answer = async (text: string) =>
        second.ask('/a2a/asking/message:send', {
          body: { message: message(text, { taskId: asked.id }) },
        })
      expect((await answer('green')).text).to.include('It must be one of')
      const task = (await answer('blue')).json['task'] as unknown as Task
      expect(task).to.include({ id: asked.id })
      const texts = task.artifacts?.map(({ parts }) => parts?.[0]?.text)
      expect(texts).to.deep.equal(['Well.', 'You said {"answer":"blue"}.'])
    } finally {
      await second.close()
    }
  })
})

describe('a message by A2A to a task that is worked on', () => {
  it('is taken at once where the client wants the task or a stream, and enters later', async () => {
    const { served, began, release } = await serveWaiting(memoryStorage())
    try {
      const say = (text: string, path: string, more: object = {}) =>
        served.ask(`/a2a/quick/message:${path}`, {
          body: { message: message(text, more), configuration: { returnImmediately: true } },
        })
      const taskOf = ({ json }: Awaited<ReturnType<typeof say>>) => json['task'] as unknown as Task
      const { id: taskId } = taskOf(await say('go', 'send'))
      await began
      const steered = taskOf(await say('Be brief.', 'send', { taskId }))
      expect([steered.id, steered.status.state]).to.deep.equal([taskId, 'TASK_STATE_WORKING'])
      const body = { message: message('In verse.', { taskId }) }
      const stream = await served.fetch('/a2a/quick/message:stream', { body })
      release()
      expect(await stream.text()).to.include('TASK_STATE_COMPLETED')
      const events = await served.ask(`/runs/${taskId}/events`)
      const entered = [...events.text.matchAll(/Be brief\.|In verse\./g)].map(([text]) => text)
      expect(entered).to.include.members(['Be brief.', 'In verse.'])
    } finally {
      await served.close()
    }
  })
})
