import { expect } from 'chai'
import { textProvider } from '../../helpers/hosts.ts'
import { Served } from './served.ts'

interface Shown {
  readonly id: string
  readonly output: readonly { readonly id: string; readonly type: string }[]
}

describe('a stored response of an answer without text', () => {
  let served: Served
  before(async () => {
    const config = { forceEnabledPlugins: ['text'] }
    served = await Served.start({ models: { quick: {} } }, { plugins: [textProvider('')], config })
  })
  after(() => served.close())

  const ask = (more: object) =>
    served.ask('/v1/responses', { body: { model: 'quick', input: 'hello', store: true, ...more } })
  const shown = (text: string) => JSON.parse(text) as Shown

  it('has the same item when it is read again, also in a stream', async () => {
    const { id, output } = shown((await ask({})).text)
    expect(output.map(({ type }) => type)).to.deep.equal(['message'])
    expect(shown((await served.ask(`/v1/responses/${id}`)).text).output).to.deep.equal(output)
    const { text } = await served.ask(`/v1/responses/${id}?stream=true`)
    expect(text).to.include(`"output":${JSON.stringify(output)}`)
  })

  it('has the same item in its conversation, behind its question', async () => {
    const made = JSON.parse((await served.ask('/v1/conversations', { body: {} })).text)
    const first = shown((await ask({ conversation: made.id })).text)
    const second = shown((await ask({ conversation: made.id, input: 'again' })).text)
    const listed = await served.ask(`/v1/conversations/${made.id}/items?order=asc`)
    const { data } = JSON.parse(listed.text) as {
      readonly data: readonly { readonly id: string }[]
    }
    expect(data.map(({ id }) => id)).to.deep.equal([
      data[0]?.id,
      first.output[0]?.id,
      data[2]?.id,
      second.output[0]?.id,
    ])
    expect(data[1]).to.deep.equal(first.output[0])
  })

  it('can be continued, also by a reference to its item', async () => {
    const { id, output } = shown((await ask({})).text)
    expect((await ask({ previous_response_id: id })).status).to.equal(200)
    const input = [
      { type: 'item_reference', id: output[0]?.id },
      { role: 'user', content: 'More' },
    ]
    expect((await ask({ input })).status).to.equal(200)
  })
})
