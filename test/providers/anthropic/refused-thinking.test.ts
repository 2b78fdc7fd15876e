import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { createHost, type Host, type Message } from '../../../src/core/index.ts'
import { assistant, configFor, hello, NOWHERE, text, user } from './asking.ts'

interface Turn {
  readonly role: string
  readonly content: readonly { readonly type: string; readonly signature?: string }[]
}

interface Body {
  readonly messages: readonly Turn[]
  readonly system?: unknown
  readonly tools?: unknown
  readonly stream?: boolean
  readonly thinking?: { readonly type: string }
}

const digest = ({ system, tools }: Body, before: readonly Turn[]): string =>
  createHash('sha256')
    .update(JSON.stringify([system, tools, before]))
    .digest('hex')

/** The place of the first thinking whose signature does not fit to what is before it. */
function misfit(body: Body): string | undefined {
  for (const [index, { content }] of body.messages.entries()) {
    const wanted = digest(body, body.messages.slice(0, index))
    const at = content.findIndex(
      ({ type, signature }) => type === 'thinking' && signature !== wanted,
    )
    if (at >= 0) return `messages.${index}.content.${at}`
  }
  return undefined
}

const refused = (at: string, why = 'The block is bound to a different conversation.') => ({
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: `${at}: Invalid \`signature\` in \`thinking\` block. ${why}`,
  },
})

function answerTo(body: Body): Response {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: digest(body, body.messages) },
    { type: 'text', text: 'Hi' },
  ]
  const message = { id: 'msg_1', content, stop_reason: 'end_turn', usage: {} }
  if (!body.stream) return Response.json(message)
  const events = [{ type: 'message_start', message }, { type: 'message_stop' }]
  const lines = events.map((event) => JSON.stringify(event))
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(streamText('messages', lines), { headers })
}

/** An API that binds thinking to everything before it. */
function binding(refusal: (body: Body) => string | undefined = misfit) {
  const bodies: Body[] = []
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const body = JSON.parse(String(init?.body)) as Body
    bodies.push(body)
    const at = refusal(body)
    return at === undefined ? answerTo(body) : Response.json(refused(at), { status: 400 })
  }
  return { bodies, open: () => createHost({ plugins: [createAnthropic({ fetch })] }) }
}

const config = configFor(NOWHERE, {}, { model: 'claude-sonnet-5-5', reasoning_effort: 'high' })
const system = (said: string): Message => ({ role: 'system', parts: [text(said)] })

const ways = {
  send: (host: Host, messages: readonly Message[]) => host.send(config, messages),
  stream: (host: Host, messages: readonly Message[]) => host.stream(config, messages).result,
}

const kindsIn = (body: Body | undefined) =>
  body?.messages.map(({ content }) => content.map((b) => b.type))

describe('thinking that Anthropic refuses', () => {
  for (const [way, ask] of Object.entries(ways)) {
    it(`is left out of a second request (${way})`, async () => {
      const { bodies, open } = binding()
      await using host = await open()
      const first = await ask(host, [system('A'), hello])
      const second = await ask(host, [system('B'), hello, ...first.messages, hello])
      expect(second.messages.at(-1)?.parts.at(-1)).to.include({ text: 'Hi' })
      expect(second.warnings.join()).to.match(/refused the thinking of earlier answers/)
      expect(bodies.map(kindsIn)).to.deep.equal([
        [['text']],
        [['text'], ['thinking', 'text'], ['text']],
        [['text'], ['text'], ['text']],
      ])
    })

    it(`stays out of later requests, with the thinking that follows it (${way})`, async () => {
      const { bodies, open } = binding()
      await using host = await open()
      const asked = [system('A'), hello]
      const first = await ask(host, asked)
      const second = await ask(host, [system('B'), hello, ...first.messages, hello])
      const known = [hello, ...first.messages, hello, ...second.messages, hello]
      const third = await ask(host, [system('B'), ...known])
      expect(third.warnings).to.deep.equal([])
      expect(bodies).to.have.length(4)
      expect(kindsIn(bodies[3])).to.deep.equal([
        ['text'],
        ['text'],
        ['text'],
        ['thinking', 'text'],
        ['text'],
      ])
    })

    it(`is left out once only (${way})`, async () => {
      const { bodies, open } = binding((body) =>
        body.messages.length > 1 ? 'messages.1' : undefined,
      )
      await using host = await open()
      const { messages } = await ask(host, [hello])
      const failed = await Promise.resolve(ask(host, [hello, ...messages, hello])).then(
        ({ error }) => error,
        (error: unknown) => error,
      )
      expect(failed).to.have.property('code', 'INVALID_REQUEST')
      expect(bodies).to.have.length(3)
    })
  }

  it('turns a budget off while calls are answered that then begin without thinking', async () => {
    const { bodies, open } = binding((body) =>
      body.messages.some(({ content }) => content.some(({ type }) => type === 'thinking'))
        ? 'messages.1'
        : undefined,
    )
    await using host = await open()
    const block = { type: 'thinking', signature: 'of another account' }
    const thought = {
      type: 'reasoning',
      text: 'Hm',
      providerMetadata: { anthropic: { block } },
    } as const
    const call = { type: 'tool-call', callId: 'c1', name: 'look', input: {} } as const
    const result = { type: 'tool-result', callId: 'c1', name: 'look', output: 'ok' } as const
    const asked = [hello, assistant(thought, call), { role: 'tool', parts: [result] } as const]
    await host.send(configFor(NOWHERE, {}, { reasoning_effort: 'low' }), asked)
    expect(bodies.map(({ thinking }) => thinking?.type)).to.deep.equal(['enabled', 'disabled'])
  })

  it('does not repeat other refusals', async () => {
    const { bodies, open } = binding(() => 'messages.0')
    await using host = await open()
    const failed = await host.send(config, [user(text('Hi'))]).catch((error: unknown) => error)
    expect(failed).to.have.property('code', 'INVALID_REQUEST')
    expect(bodies).to.have.length(1)
  })
})
