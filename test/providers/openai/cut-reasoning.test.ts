import { expect } from 'chai'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { createHost, type Message, type Part } from '../../../src/core/index.ts'
import { configFor, type Settings } from './asking.ts'

type Item = { readonly [key: string]: unknown }

const NOWHERE = { url: 'https://nowhere.test/v1' }
const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
const facts = (item: Item) => ({ providerMetadata: { openai: { item } } })

const OPEN = { id: 'rs_1', type: 'reasoning', summary: [] }
const SEALED = { ...OPEN, id: 'rs_2', encrypted_content: 'gA==' }
const thought = (item: Item): Part => ({ type: 'reasoning', text: '', ...facts(item) })
const TEXT = { type: 'output_text', annotations: [] }
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' }
const SAID: Part = {
  type: 'text',
  text: 'Hi',
  providerMetadata: { openai: { item: MESSAGE, content: TEXT } },
}
const SENT = { ...MESSAGE, content: [{ ...TEXT, text: 'Hi' }] }
const { id: _, ...SENT_AS_NEW } = SENT
/** Text of an item that has not ended. */
const CUT: Part = { type: 'text', text: 'Ha' }
const answer = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
const ended = (...parts: readonly Part[]): Message => ({
  ...answer(...parts),
  metadata: { finishReason: 'stop' },
})

interface Refusal {
  readonly status: number
  readonly message: string
}

/** Sends a conversation with these answers; the API refuses reasoning, if it refuses anything. */
async function asked(answers: readonly Message[], settings: Settings = {}, refusal?: Refusal) {
  const inputs: Item[][] = []
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const { input } = JSON.parse(String(init?.body)) as { input: Item[] }
    inputs.push(input.slice(1, -1))
    const isRefused = refusal && input.some(({ type }) => type === 'reasoning')
    if (!isRefused) return Response.json({ id: 'resp_1', status: 'completed', output: [] })
    const { status, message } = refusal
    return Response.json({ error: { type: 'invalid_request_error', message } }, { status })
  }
  await using host = await createHost({ plugins: [createOpenAI({ fetch })] })
  const { warnings } = await host.send(configFor(NOWHERE, settings), [hello, ...answers, hello])
  return { inputs, warnings }
}

const sent = async (answers: readonly Message[], settings?: Settings) =>
  (await asked(answers, settings)).inputs[0]

describe('reasoning in earlier answers of OpenAI', () => {
  it('is sent with what follows it', async () => {
    expect(await sent([ended(thought(OPEN), SAID)])).to.deep.equal([OPEN, SENT])
  })

  it('is left out where nothing follows it', async () => {
    expect(await sent([ended(SAID, thought(OPEN), thought(SEALED))])).to.deep.equal([SENT_AS_NEW])
    expect(await sent([answer(thought(SEALED))])).to.deep.equal([])
  })

  it('is left out of an answer that was cut off, unless it is sealed', async () => {
    const told = { role: 'assistant', content: 'Ha' }
    expect(await sent([answer(thought(OPEN), SAID, CUT)])).to.deep.equal([SENT_AS_NEW, told])
    expect(await sent([answer(thought(SEALED), CUT)])).to.deep.equal([SEALED, told])
    const refusal: Part = { ...CUT, providerMetadata: { openai: { refusal: true } } }
    const both = [...((await sent([answer(thought(OPEN), SAID, refusal)])) ?? [])]
    expect(both).to.deep.equal([SENT_AS_NEW, told])
  })

  it('is left out with the ids of its items if the API does not store answers', async () => {
    const history = [ended(thought(OPEN), SAID)]
    expect(await sent(history, { store: false })).to.deep.equal([SENT_AS_NEW])
  })

  const refusals: readonly Refusal[] = [
    { status: 404, message: "Item with id 'rs_1' not found. Items are not persisted." },
    {
      status: 400,
      message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    },
    {
      status: 400,
      message: "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item.",
    },
    { status: 400, message: 'The encrypted content gA== could not be verified.' },
  ]
  for (const refusal of refusals) {
    it(`is left out of a second request after: ${refusal.message}`, async () => {
      const { inputs, warnings } = await asked([ended(thought(OPEN), SAID)], {}, refusal)
      expect(inputs).to.deep.equal([[OPEN, SENT], [SENT_AS_NEW]])
      expect(warnings.join()).to.match(/refused the reasoning/)
    })
  }

  it('is not left out after other refusals', async () => {
    const refusal = { status: 400, message: 'Bad input.' }
    const failed = await asked([ended(thought(OPEN), SAID)], {}, refusal).catch(
      (error: unknown) => error,
    )
    expect(failed).to.have.property('code', 'INVALID_REQUEST')
  })
})
