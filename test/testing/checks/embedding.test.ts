import { expect } from 'chai'
import { caller } from '../../helpers/plugins.ts'
import { saidOf } from './one-check.ts'

const SAME_LENGTH = 'embeds inputs as vectors of one length'
const SAME_VECTOR = 'embeds an input the same each time'

type Embed = (text: string, at: number) => readonly number[]

describe('the checks of embeddings', () => {
  const said = (check: string, embed: Embed) => {
    const plugin = caller('p', [], {
      embed: (inputs: readonly string[]) => ({
        vectors: inputs.map((text, at) => embed(text, at)),
      }),
    })
    return saidOf(check, { kind: 'provider', plugin })
  }

  it('pass a provider whose vectors depend on the text alone', async () => {
    const embed: Embed = (text) => [text.length, text.charCodeAt(0) || 0]
    for (const check of [SAME_LENGTH, SAME_VECTOR])
      expect(await said(check, embed), check).to.equal(undefined)
  })

  it('find vectors of several lengths, and two vectors of one text', async () => {
    const growing: Embed = (text) => Array.from({ length: text.length + 1 }, () => 1)
    expect(await said(SAME_LENGTH, growing)).to.match(/./)
    expect(await said(SAME_VECTOR, (_text, at) => [at, 1])).to.match(/^One text has two vectors\./)
  })

  it('are not made of a provider without embeddings', async () => {
    const checked = { kind: 'provider', plugin: caller('p', []) } as const
    expect(await saidOf(SAME_VECTOR, checked)).to.equal('it makes no embeddings')
  })
})
