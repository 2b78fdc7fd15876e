import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../../../src/agent/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../../src/agent/storage/index.ts'
import { type Asked, Served } from '../served.ts'
import { type Received, Receiver } from './receiver.ts'

interface Answer {
  readonly result: {
    readonly id: string
    readonly token?: string
    readonly task: { readonly id: string; readonly contextId: string }
    readonly configs: readonly { readonly id: string }[]
    readonly pushNotificationConfig?: { readonly id: string }
  }
  readonly error: { readonly code: number; readonly message: string }
}

let count = 0
const message = (text: string, more: object = {}) => ({
  messageId: `n${++count}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
})
const stateIn = ({ body }: Received): string => JSON.parse(body).task?.status.state ?? ''
const isState = (state: string) => (one: Received) => stateIn(one) === `TASK_STATE_${state}`

describe('push notifications of A2A', () => {
  let storage: Storage
  let served: Served
  let receiver: Receiver
  const logged: object[] = []
  const pushNotifications = { allowPrivate: true }
  const start = (more: object = {}) =>
    Served.start({ storage, pushNotifications, log: (entry) => void logged.push(entry), ...more })

  beforeEach(async () => {
    storage = memoryStorage()
    receiver = new Receiver()
    await receiver.start()
    served = await start()
  })
  afterEach(async () => {
    await served.close()
    await receiver.close()
    logged.length = 0
  })

  async function call(agent: string, method: string, params: object, options: Asked = {}) {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const answer = await served.ask(`/a2a/${agent}`, { body, ...options })
    return answer.json as unknown as Answer
  }
  const withReceiver = (text: string, config: object = {}) => ({
    message: message(text),
    configuration: { taskPushNotificationConfig: { url: receiver.url, ...config } },
  })
  /** A task that waits for a permission. */
  const waiting = async (config: object = {}) =>
    (await call('careful', 'SendMessage', withReceiver('calculate', config))).result.task

  it('are a capability of the card where they are configured', async () => {
    const path = '/a2a/quick/.well-known/agent-card.json'
    const capabilities = async () => (await served.ask(path)).json['capabilities']
    expect(await capabilities()).to.include({ pushNotifications: true })
    await served.close()
    served = await Served.start({ storage })
    expect(await capabilities()).to.include({ pushNotifications: false })
  })

  it('post the task with its token and its credentials when it waits, and when it ends', async () => {
    const authentication = { scheme: 'Bearer', credentials: 'of-the-receiver' }
    const { id, contextId } = await waiting({ token: 'known', authentication })
    const asked = await receiver.received(isState('INPUT_REQUIRED'))
    expect(asked.headers).to.include({
      'x-a2a-notification-token': 'known',
      authorization: 'Bearer of-the-receiver',
      'content-type': 'application/a2a+json',
    })
    expect(JSON.parse(asked.body).task).to.include({ id, contextId })
    await call('careful', 'SendMessage', { message: message('yes', { taskId: id }) })
    const ended = await receiver.received(isState('COMPLETED'))
    expect(ended.body).to.include('It is {')
  })

  it('have the form of the version that has named the receiver', async () => {
    const parts = [{ kind: 'text', text: 'hello' }]
    const old = { kind: 'message', messageId: 'old', role: 'user', parts }
    const configuration = { pushNotificationConfig: { url: receiver.url } }
    await call('quick', 'message/send', { message: old, configuration })
    const isOver = ({ body }: Received) => JSON.parse(body).status?.state === 'completed'
    const { body } = await receiver.received(isOver)
    expect(JSON.parse(body)).to.include({ kind: 'task' })
  })

  it('have configs that can be set, read, listed and deleted, by both bindings', async () => {
    const { id: taskId } = await waiting({ id: 'first' })
    const authentication = { scheme: 'Bearer', credentials: 'secret' }
    const config = { taskId, id: 'second', url: receiver.url, token: 't', authentication }
    const shown = { ...config, authentication: { scheme: 'Bearer' } }
    const { result } = await call('careful', 'CreateTaskPushNotificationConfig', config)
    expect(result).to.deep.equal(shown)
    const path = `/a2a/careful/tasks/${taskId}/pushNotificationConfigs`
    expect((await served.ask(`${path}/second`)).json).to.deep.equal(shown)
    const made = await served.ask(path, { body: { url: receiver.url } })
    const { configs } = (await call('careful', 'ListTaskPushNotificationConfigs', { taskId }))
      .result
    const ids = configs.map(({ id }) => id)
    expect(ids).to.have.members(['first', 'second', String(made.json['id'])])
    await call('careful', 'DeleteTaskPushNotificationConfig', { taskId, id: 'second' })
    expect((await served.ask(`${path}/first`, { method: 'DELETE' })).status).to.equal(200)
    expect((await served.ask(path)).json['configs']).to.have.length(1)
    const gone = await call('careful', 'GetTaskPushNotificationConfig', { taskId, id: 'first' })
    expect(gone.error).to.include({ code: -32_001 })
  })

  it('have configs in version 0.3 too', async () => {
    const { id: taskId } = await waiting({ id: 'new' })
    const pushNotificationConfig = { id: 'old', url: receiver.url }
    const set = { taskId, pushNotificationConfig }
    const { result } = await call('careful', 'tasks/pushNotificationConfig/set', set)
    expect(result).to.deep.equal(set)
    const which = { id: taskId, pushNotificationConfigId: 'old' }
    const read = await call('careful', 'tasks/pushNotificationConfig/get', which)
    expect(read.result).to.deep.equal(set)
    await call('careful', 'tasks/pushNotificationConfig/delete', which)
    const { result: listed } = await call('careful', 'tasks/pushNotificationConfig/list', {
      id: taskId,
    })
    expect(listed).to.have.length(1)
  })

  it('are of their owner alone', async () => {
    const { id: taskId } = await waiting({ id: 'own' })
    const config = { taskId, id: 'own', url: receiver.url }
    for (const method of ['Create', 'Get', 'Delete'].map((verb) => `${verb}TaskPushNotification`)) {
      const { error } = await call('careful', `${method}Config`, config, { as: 'bob' })
      expect(error, method).to.include({ code: -32_001 })
    }
    const list = { taskId }
    const others = await call('careful', 'ListTaskPushNotificationConfigs', list, { as: 'bob' })
    expect(others.error).to.include({ code: -32_001 })
    const own = await call('careful', 'GetTaskPushNotificationConfig', config)
    expect(own.result.id).to.equal('own')
  })

  it('go on after a restart of the server', async () => {
    const { id: taskId } = await waiting({ token: 'kept' })
    await served.close()
    served = await start()
    await call('careful', 'SendMessage', { message: message('yes', { taskId }) })
    const { headers } = await receiver.received(isState('COMPLETED'))
    expect(headers).to.include({ 'x-a2a-notification-token': 'kept' })
  })

  it('are posted by another process where the first one died with them, once it is certain that it did', async () => {
    await served.close()
    const isRetry = (milliseconds: number) => milliseconds === 1000 || milliseconds === 5000
    // The first process hangs between two tries, as one that was killed there.
    const sleep: Environment['sleep'] = (milliseconds, signal) => {
      if (milliseconds === 8000) return Promise.resolve()
      return systemEnvironment.sleep(isRetry(milliseconds) ? 3_600_000 : milliseconds, signal)
    }
    const dying = await start({ environment: { ...systemEnvironment, sleep } })
    served = dying
    const { id } = await waiting()
    await receiver.received(isState('INPUT_REQUIRED'))
    receiver.answers = [[503, {}]]
    await call('careful', 'CancelTask', { id })
    await receiver.received(isState('CANCELED'))
    let passed = 0
    let passes = 0
    const elapsed = () => {
      passes++
      return systemEnvironment.elapsed() + passed
    }
    const lease = { heartbeat: 0.01, expiry: 1 }
    served = await start({
      lease,
      environment: { ...systemEnvironment, elapsed },
    })
    const before = passes
    while (passes < before + 6) await pause(2)
    expect(receiver.all.filter(isState('CANCELED'))).to.have.length(1)
    passed = 60_000
    await receiver.received(() => receiver.all.filter(isState('CANCELED')).length === 2)
    expect(JSON.parse(receiver.all.at(-1)?.body ?? '')).to.have.nested.property('task.id', id)
    const marks = () => storage.storageOf('a2a:notifications').list('left/')
    while ((await marks()).length > 0) await pause(2)
    await dying.close()
  })

  it('tell that a task was canceled while it waited', async () => {
    const { id } = await waiting()
    await call('careful', 'CancelTask', { id })
    await receiver.received(isState('CANCELED'))
  })

  it('tell that a new message of its context ended a task that waited, which its own state says too', async () => {
    const { id, contextId } = await waiting()
    await receiver.received(isState('INPUT_REQUIRED'))
    await call('careful', 'SendMessage', { message: message('hello', { contextId }) })
    const { body } = await receiver.received(isState('CANCELED'))
    expect(JSON.parse(body)).to.have.nested.property('task.id', id)
    const { result } = await call('careful', 'GetTask', { id })
    expect(result).to.have.nested.property('status.state', 'TASK_STATE_CANCELED')
  })

  it('are tried again a few times where the receiver fails, and no more', async () => {
    await served.close()
    const waited: number[] = []
    const isWait = (milliseconds: number) => milliseconds === 1000 || milliseconds === 5000
    const sleep: Environment['sleep'] = async (milliseconds, signal) => {
      if (!isWait(milliseconds)) return systemEnvironment.sleep(milliseconds, signal)
      waited.push(milliseconds)
    }
    served = await start({ environment: { ...systemEnvironment, sleep } })
    const { id } = await waiting()
    await receiver.received(isState('INPUT_REQUIRED'))
    receiver.answers = [
      [503, {}],
      [500, {}],
    ]
    await call('careful', 'CancelTask', { id })
    await receiver.received(() => receiver.all.filter(isState('CANCELED')).length === 3)
    expect(waited).to.deep.equal([1000, 5000])
    const again = await waiting({ token: 'the-secret', url: `${receiver.url}/the-path` })
    await receiver.received((one) => one.body.includes(again.id) && isState('INPUT_REQUIRED')(one))
    receiver.answers = Array.from({ length: 40 }, () => [500, {}])
    await call('careful', 'CancelTask', { id: again.id })
    await served.close()
    const tries = receiver.all.filter(
      (one) => one.body.includes(again.id) && isState('CANCELED')(one),
    )
    expect(tries).to.have.length(3)
    expect(JSON.stringify(logged)).to.include('The receiver answered with the status 500.')
    expect(JSON.stringify(logged)).to.not.match(/the-secret|the-path/)
    served = await start()
  })

  it('give up at once where the receiver says no', async () => {
    const { id } = await waiting()
    await receiver.received(isState('INPUT_REQUIRED'))
    receiver.answers = Array.from({ length: 40 }, () => [404, {}])
    await call('careful', 'CancelTask', { id })
    await served.close()
    expect(receiver.all.filter(isState('CANCELED'))).to.have.length(1)
    served = await start()
  })

  it('follow no redirect, and refuse addresses that are not public unless they are allowed', async () => {
    const other = new Receiver()
    await other.start()
    receiver.answers = Array.from({ length: 20 }, () => [307, { location: other.url }])
    await call('quick', 'SendMessage', withReceiver('hello'))
    await receiver.received(isState('COMPLETED'))
    await served.close()
    expect(other.all).to.deep.equal([])
    await other.close()
    served = await start({ pushNotifications: {} })
    for (const url of [
      receiver.url,
      'http://1.1.1.1/hook',
      'https://printer/hook',
      'ftp://a.test',
    ]) {
      const { error } = await call('quick', 'SendMessage', withReceiver('hello', { url }))
      expect(error, url).to.include({ code: -32_602 })
    }
  })

  it('have no more than ten receivers a task', async () => {
    const { id: taskId } = await waiting()
    const set = () =>
      call('careful', 'CreateTaskPushNotificationConfig', { taskId, url: receiver.url })
    for (let others = 1; others < 10; others++) expect((await set()).error).to.equal(undefined)
    expect((await set()).error).to.include({ code: -32_602 })
  })
})
