import { expect } from 'chai'
import fc from 'fast-check'
import { memoryResults, readResultTool } from '../../../src/core/results/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { hashOf, largeResults } from './stores.ts'

const { signal } = new AbortController()
const REST = { signal, callId: 'c' }

/** Stores bytes, and reads them as a model does. */
async function readerOf(content: string | Uint8Array, mediaType = 'text/plain', limit = 1024) {
  const store = memoryResults()
  const reference = await store.put({ mediaType, bytes: Buffer.from(content) })
  const tool = readResultTool(largeResults(store, limit))
  return async (asked: object = {}) => tool.execute({ reference, ...asked }, REST)
}

describe('read_result', () => {
  it('LT-09 reads on in parts that are whole together, whatever the text is', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
        fc.integer({ min: 1, max: 900 }),
        async (text, length) => {
          const read = await readerOf(text)
          let whole = ''
          let offset: number | undefined = 0
          while (offset !== undefined) {
            const answer: string = String(await read({ offset, length }))
            const [first = '']: readonly string[] = answer.split('\n', 1)
            whole += answer.slice(first.length + 1)
            const next: string | undefined = /Read on at offset (\d+)\./.exec(first)?.[1]
            if (next !== undefined) expect(Number(next)).to.be.above(offset)
            offset = next === undefined ? undefined : Number(next)
          }
          expect(whole).to.equal(text)
        },
      ),
    ))

  it('LT-09 says which bytes it shows, of how many, and where to read on', async () => {
    const read = await readerOf(`${'a'.repeat(3000)}ende`)
    expect(await read({ offset: 10, length: 5 })).to.equal(
      '[Bytes 10 to 15 of 3004. Read on at offset 15.]\naaaaa',
    )
    expect(await read({ offset: 3000 })).to.equal(
      '[Bytes 3000 to 3004 of 3004. This is the end.]\nende',
    )
  })

  it('LT-09 moves to the beginning of a character, and never cuts one', async () => {
    const read = await readerOf('aé😀b')
    expect(await read({ offset: 2, length: 1 }))
      .to.include('[Bytes 1 to 3 of 8.')
      .and.include('\né')
    expect(await read({ offset: 5, length: 2 }))
      .to.include('[Bytes 3 to 7 of 8.')
      .and.include('\n😀')
  })

  it('LT-09 never answers with more than the limit, so that no answer is stored itself', async () => {
    for (const text of ['x'.repeat(9000), '😀'.repeat(3000), '\u0000"\n'.repeat(4000)]) {
      const read = await readerOf(text)
      for (const asked of [{}, { length: 1e9 }, { offset: 7 }, { search: text.slice(0, 2) }]) {
        expect(Buffer.byteLength(String(await read(asked)))).to.be.at.most(1024)
      }
    }
    const binary = await readerOf(new Uint8Array(9000).fill(200), 'a/b')
    expect(String(await binary()).length).to.be.within(800, 1024)
  })

  it('LT-09 reads bytes that are no text as base64', async () => {
    const bytes = Uint8Array.from({ length: 50 }, (_, at) => 255 - at)
    for (const type of ['application/pdf', 'text/plain']) {
      const read = await readerOf(bytes, type)
      expect(await read({ offset: 10, length: 3 })).to.equal(
        '[Bytes 10 to 13 of 50. Read on at offset 13.] As base64:\n9fTz',
      )
      expect(await errorOf(read({ search: 'x' }))).to.include({ code: 'OPTION_INVALID' })
    }
  })

  it('LT-09 shows an image that is small enough as an image', async () => {
    const read = await readerOf(new Uint8Array(90_000), 'image/png')
    const [told, file] = (await read()) as readonly object[]
    expect(told).to.deep.equal({ type: 'text', text: '[90000 bytes, image/png]' })
    expect(file).to.include({ type: 'file', mediaType: 'image/png' }).and.have.property('data')
    const large = await readerOf(new Uint8Array(4_000_000), 'image/png')
    expect(await large()).to.match(/^\[Bytes 0 to 576 of 4000000\./)
  })

  it('LT-09 refuses an offset behind the end, and a reference that is not known, with advice', async () => {
    const read = await readerOf('abc')
    expect(await errorOf(read({ offset: 3 }))).to.include({
      code: 'OPTION_INVALID',
      message: 'The result has 3 bytes, so "offset" must be less than 3.',
    })
    const error = await errorOf(read({ reference: 'f'.repeat(64) }))
    expect(error.code).to.equal('OPTION_INVALID')
    expect(error.message).to.match(/^No result is stored as "f{64}" in this conversation\. Use/)
    expect(await (await readerOf(''))()).to.include('[Bytes 0 to 0 of 0.')
  })

  it('LT-09 is available once there is a result to read', async () => {
    const store = memoryResults()
    const results = largeResults(store)
    const tool = readResultTool(results)
    expect(tool.unavailable()).to.deep.equal({
      text: 'There is no large result to read.',
      why: { code: 'RESULTS_MISSING' },
    })
    const hash = hashOf('x')
    const part = { type: 'tool-result', callId: 'c', name: 'n', output: '' } as const
    const references = [{ hash, mediaType: 'text/plain', size: 1 }]
    results.note([{ role: 'tool', parts: [part] }])
    expect(tool.unavailable()).not.to.equal(undefined)
    // A reference alone is not enough where the store is known to be empty.
    results.note([{ role: 'tool', parts: [{ ...part, references }] }])
    expect(tool.unavailable()).not.to.equal(undefined)
    await store.put({ mediaType: 'text/plain', bytes: Buffer.from('x') })
    results.note([{ role: 'tool', parts: [{ ...part, references }] }])
    expect(tool.unavailable()).to.equal(undefined)
  })
})
