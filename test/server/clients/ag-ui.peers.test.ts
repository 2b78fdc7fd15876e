import { expect } from 'chai'
import { needsPeer } from '../../helpers/peer-scripts.ts'
import { askClient, type ThreadJob, type ThreadSeen } from '../wire/ag-ui/ag-ui-clients.ts'
import { PackedServer } from './packed-server.ts'
import { COUNTED, SERVED } from './scripts.ts'

const LOCATE = {
  name: 'locate',
  description: 'Where a city is',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}
const CAREFUL = { forwardedProps: { agent: 'careful' } }

const SLOW = { forwardedProps: { agent: 'slow' } }

const say = (content: string) => ({ add: [{ id: `u-${content}`, role: 'user', content }] })
const answer = (approved: boolean) => ({ answer: { approved }, ...CAREFUL })
const located = { id: 't1', role: 'tool', toolCallId: 'call_1', content: 'there' }

const THREADS: { readonly [name: string]: ThreadJob['runs'] } = {
  talks: [say('hello'), say('calculate')],
  locates: [
    { ...say('locate'), tools: [LOCATE] },
    { add: [located], tools: [LOCATE] },
  ],
  approves: [{ ...say('calculate'), ...CAREFUL }, answer(true)],
  denies: [{ ...say('calculate'), ...CAREFUL }, answer(false)],
  'approves two': [{ ...say('twice'), ...CAREFUL }, answer(true)],
  overloads: [say('overload')],
  breaks: [say('break')],
  'answers once more': [
    { ...say('calculate'), ...CAREFUL },
    answer(true),
    answer(true),
    say('hello'),
  ],
  returns: [{ ...say('count'), abortAt: 60, ...SLOW }, SLOW, say('hello')],
  aborts: [{ ...say('count'), abortAt: 60, ...SLOW }],
}

describe('threads of AG-UI with a server', function () {
  this.timeout(60_000)
  let server: PackedServer
  let threads: ReadonlyMap<string, ThreadSeen>
  before(async function () {
    needsPeer(this, '@ag-ui/client')
    server = await PackedServer.start(SERVED)
    const url = `${server.url}/ag-ui`
    threads = await askClient(
      Object.entries(THREADS).map(([name, runs]) => ({ name, threadId: name, url, runs })),
    )
  })
  after(async () => {
    if (server) expect(await server.stop()).to.equal(0)
  })

  /** What was said in a thread, where the client found nothing odd. */
  function saidIn(name: string): readonly string[] {
    const { faults, errors, messages } = threads.get(name) ?? expect.fail(`no thread ${name}`)
    expect({ faults, errors }).to.deep.equal({ faults: [], errors: [] })
    return messages.flatMap(({ role, content }) => (content ? [`${role}: ${content}`] : []))
  }

  it('are answered, with the calls of the server done by it', () => {
    const said = saidIn('talks')
    expect(said).to.include.members(['user: hello', 'assistant: You said: hello'])
    expect(said.at(-1)).to.match(/^assistant: It is .*"result":"42"/)
  })

  it('answer calls of their own tools', () => {
    expect(saidIn('locates').at(-1)).to.equal('assistant: Rome is at there.')
  })

  for (const [name, told] of [
    ['approves two', /"result":"2"/],
    ['approves', /"result":"42"/],
    ['denies', /not approved/],
  ] as const) {
    it(`are interrupted for an approval, and go on with the answer: ${name}`, () => {
      expect(saidIn(name).at(-1)).to.match(told)
      const types = threads.get(name)?.outcomes.map(({ outcome }) => Object(outcome).type as string)
      expect(types).to.deep.equal(['interrupt', 'success'])
    })
  }

  it('are told of errors before and after the first byte', () => {
    expect(JSON.stringify(threads.get('overloads')?.errors)).to.include('529')
    const { errors, messages } = threads.get('breaks')!
    expect(errors[0]).to.include({ code: 'STREAM_INTERRUPTED' })
    expect(messages.at(-1)?.content).to.equal('number 1, number 2')
  })

  it('keep each message once where the same answers are sent again', () => {
    expect(saidIn('answers once more').at(-1)).to.equal('assistant: You said: hello')
    const { messages, outcomes } = threads.get('answers once more')!
    expect(messages.filter(({ role }) => role === 'tool')).to.have.length(1)
    expect(new Set(messages.map(({ id }) => id)).size).to.equal(messages.length)
    expect(outcomes).to.have.length(4)
  })

  it('have the whole of a text where the client comes back to it', () => {
    const { messages } = threads.get('returns')!
    const said = messages.map(({ content }) => content)
    expect(said.filter((one) => one?.startsWith('number'))).to.deep.equal([COUNTED])
    expect(said.at(-1)).to.equal('You said: hello')
  })

  it('may be left in the middle', async () => {
    const { messages } = threads.get('aborts')!
    const said = messages.at(-1)?.content ?? ''
    expect(COUNTED.startsWith(said) && said.length >= 60 && said.length < COUNTED.length).to.equal(
      true,
    )
    // Nobody reads it, yet it goes on for whoever comes back; a person may stop it.
    const stop = await fetch(`${server.url}/api/chat/aborts/stop`, { method: 'POST' })
    expect(await stop.json()).to.deep.equal({ stopped: true })
  })
})
