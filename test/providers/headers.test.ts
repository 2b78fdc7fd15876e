import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import compatible from '../../providers/openai-compatible/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import type { Extension, State } from '../../src/plugin/index.ts'
import { errorOf } from '../helpers/plugins.ts'
import { pythonOf } from '../helpers/python.ts'
import { PythonFolder } from '../helpers/python-hosts.ts'

const TEXT = { role: 'assistant', content: 'hi' }
const EVENT = { choices: [{ index: 0, delta: TEXT, finish_reason: 'stop' }] }
const USAGE = { input_tokens: 1, output_tokens: 1 }
const START = { type: 'message_start', message: { role: 'assistant', content: [], usage: USAGE } }
const STOP = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: USAGE }

const sse = (...events: readonly object[]) =>
  events.map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })

/** A whole answer of each API, and the same as a stream. */
const ANSWERS = {
  openai: [
    { id: 'r', object: 'response', status: 'completed', output: [] },
    sse({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } }),
  ],
  'openai-compatible': [
    { choices: [{ index: 0, message: TEXT, finish_reason: 'stop' }] },
    [...sse(EVENT), 'data: [DONE]\n\n'],
  ],
  anthropic: [
    { type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn', usage: USAGE },
    sse(START, STOP, { type: 'message_stop' }),
  ],
} as const

/** Adds headers in two hooks, and warns of one of the response. */
const tracing = {
  kind: 'extension',
  name: 'tracing',
  init: (_config, state) => ({ ...state, requestHeaders: { traceparent: '00-1-2-01' } }),
  initializeRequest: (native, state) => [
    native,
    { ...state, requestHeaders: { ...state.requestHeaders, 'x-signature': 'signed' } },
  ],
  finalize(finals, native, state, { warn }) {
    warn(`${state.responseHeaders?.['x-region']} ${Object.keys(state.responseHeaders ?? {})}`)
    return [finals, native, state]
  },
} satisfies Extension

const IN_PYTHON = `
kind = "extension"
name = "tracing"

def init(config, state):
    return {**state, "requestHeaders": {"traceparent": "00-1-2-01"}}

def initialize_request(native, state):
    headers = {**state["requestHeaders"], "x-signature": "signed"}
    return native, {**state, "requestHeaders": headers}

def finalize(finals, native, state, *, context):
    headers = state["responseHeaders"]
    context.warn(f"{headers['x-region']} {','.join(headers)}")
    return finals, native, state
`

describe('headers that plugins add and read', () => {
  let server: ReplayServer
  let folder: PythonFolder
  const hosts: Host[] = []
  before(async () => {
    server = await new ReplayServer().start()
    folder = await PythonFolder.make()
  })
  after(async () => {
    await Promise.all(hosts.map((host) => host.close()))
    await folder.close()
    await server.close()
  })

  async function hostOf(plugin: unknown): Promise<Host> {
    const host = await createHost({ plugins: [openai, compatible, anthropic, plugin] })
    hosts.push(host)
    return host
  }

  const configFor = (name: string, more: object = {}) => ({
    provider: name,
    model: 'm',
    settings: {
      [name]: { api_key: 'sk-test-0123', base_url: server.url, max_retries: 0, ...more },
    },
  })

  const PLUGINS = {
    TypeScript: async () => tracing,
    Python: () => folder.write('tracing.py', IN_PYTHON),
  }

  const hostsIn = new Map<string, Promise<Host>>()

  /** One host for all APIs: an interpreter takes longer than their answers. */
  function hostIn(language: string, plugin: () => Promise<unknown>): Promise<Host> {
    const host = hostsIn.get(language) ?? plugin().then(hostOf)
    hostsIn.set(language, host)
    return host
  }

  for (const [language, plugin] of Object.entries(PLUGINS)) {
    for (const [name, [whole, stream]] of Object.entries(ANSWERS)) {
      it(`reach the API and the later hooks, sent and streamed (${name}, ${language})`, async function () {
        this.timeout(30_000)
        if (language === 'Python') await pythonOf(this)
        const host = await hostIn(language, plugin)
        const headers = { 'X-Region': 'eu', 'set-cookie': 'session=open-sesame' }
        const events = { 'content-type': 'text/event-stream', ...headers }
        for (const mode of ['send', 'stream'] as const) {
          server.reply = () =>
            mode === 'send'
              ? jsonReply(whole, { headers })
              : streamReply(stream, { headers: events })
          const result =
            mode === 'send'
              ? await host.send(configFor(name), 'Hello')
              : await host.stream(configFor(name), 'Hello').result
          expect(server.requests.at(-1)?.body['stream'] === true).to.equal(mode === 'stream')
          expect(result).not.to.have.property('error')
          const seen = server.requests.at(-1)?.headers
          expect(seen).to.include({ traceparent: '00-1-2-01', 'x-signature': 'signed' })
          expect(JSON.stringify(seen)).to.include('sk-test-0123')
          const [told] = result.warnings.filter((warning) => warning.startsWith('tracing'))
          expect(told)
            .to.match(/^tracing: eu /)
            .and.not.include('cookie')
        }
      })
    }
  }

  it('differ from request to request of one connection', async () => {
    let count = 0
    const counting = {
      kind: 'extension',
      name: 'counting',
      init: (_config, state) => ({ ...state, requestHeaders: { 'x-count': String(++count) } }),
    } satisfies Extension
    const host = await hostOf(counting)
    server.reply = () => jsonReply(ANSWERS.anthropic[0])
    for (const expected of ['1', '2']) {
      await host.send(configFor('anthropic'), 'Hello')
      expect(server.requests.at(-1)?.headers).to.include({ 'x-count': expected })
    }
  })

  it('continue the list of beta features, and take the place of a header of the settings', async () => {
    const headers = { 'anthropic-beta': 'mine-2026-01-01', 'x-team': 'b' }
    const init = (_config: unknown, state: State) => ({ ...state, requestHeaders: headers })
    const host = await hostOf({ kind: 'extension', name: 'beta', init })
    server.reply = () => jsonReply(ANSWERS.anthropic[0])
    const settings = { betas: ['theirs-2026-01-01'], headers: { 'x-team': 'a' } }
    await host.send(configFor('anthropic', settings), 'Hello')
    expect(server.requests.at(-1)?.headers).to.include({
      'anthropic-beta': 'theirs-2026-01-01,mine-2026-01-01',
      'x-team': 'b',
    })
  })

  for (const [headers, says] of [
    [{ authorization: 'Bearer sk-mine' }, '"authorization", which may carry a key'],
    [{ 'x-api-key': 'sk-mine' }, '"x-api-key", which may carry a key'],
    [{ 'api-key': 'sk-mine' }, '"api-key", which may carry a key'],
    [{ 'x-goog-api-key': 'sk-mine' }, '"x-goog-api-key", which may carry a key'],
    [{ cookie: 'sk-mine' }, '"cookie", which may carry a key'],
    [{ Authorization: 'sk-mine' }, '"Authorization", which is not the name of a header in lower'],
    [{ 'content-length': '3' }, '"content-length", which belongs to the connection'],
    [{ 'x-a': 'sk-mine\r\nx-b: 2' }, '"x-a", which has a line break'],
    [{ 'x-a\n': 'sk-mine' }, 'is not the name of a header'],
    [{ 'x-a': 1 }, '"x-a", which is not a text'],
    [{ 'x-a': 'sk-mine'.repeat(4000) }, 'has more than 16384 characters'],
    [['x-a'], '"requestHeaders" is not an object of texts'],
  ] as const) {
    it(`are refused where the hook returns them: ${JSON.stringify(headers).slice(0, 50)}`, async () => {
      const asked = server.requests.length
      const add = (state: State) => ({ ...state, requestHeaders: headers })
      for (const [hook, members] of Object.entries({
        init: { init: (_config: unknown, state: State) => add(state) },
        initializeRequest: {
          initializeRequest: (native: unknown, state: State) => [native, add(state)],
        },
      })) {
        const host = await hostOf({ kind: 'extension', name: 'odd', ...members })
        const error = await errorOf(host.send(configFor('openai'), 'Hello'))
        expect(error).to.include({ code: 'REQUEST_HEADER_REFUSED', plugin: 'odd', hook })
        expect(error?.message).to.include(says).and.not.include('sk-mine')
      }
      expect(server.requests).to.have.length(asked)
    })
  }

  it('are refused where a hook in Python returns them', async function () {
    this.timeout(30_000)
    await pythonOf(this)
    const text = `
kind = "extension"
name = "odd"

def initialize_request(native, state):
    return native, {**state, "requestHeaders": {"x-api-key": "sk-mine"}}
`
    const host = await hostOf(await folder.write('odd.py', text))
    const error = await errorOf(host.send(configFor('openai'), 'Hello'))
    expect(error).to.include({
      code: 'REQUEST_HEADER_REFUSED',
      plugin: 'odd',
      hook: 'initializeRequest',
      pointer: '/requestHeaders/x-api-key',
    })
  })
})
