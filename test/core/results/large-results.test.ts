import { expect } from 'chai'
import { LargeResults, memoryResults, ResultLost } from '../../../src/core/results/index.ts'
import { hashOf, largeResults, notingStore } from './stores.ts'

const { signal } = new AbortController()
const LONG = 'é'.repeat(1000)
const IMAGE = { type: 'file', mediaType: 'image/png', data: 'A'.repeat(400_000) } as const
const text = (one: string) => ({ type: 'text', text: one }) as const

function keep(output: unknown, { store } = notingStore()) {
  return largeResults(store).keep(output, signal)
}

async function lost(output: unknown, store = memoryResults()): Promise<string> {
  try {
    await largeResults(store).keep(output, signal)
  } catch (error) {
    expect(error).to.be.instanceOf(ResultLost)
    return (error as Error).message
  }
  return expect.fail('it was kept')
}

describe('a result above the limit', () => {
  it('LT-09 is stored by its hash, and shown as a preview with its size and reference', async () => {
    const hash = hashOf(LONG)
    const { output, references } = await keep(LONG)
    expect(references).to.deep.equal([{ hash, mediaType: 'text/plain', size: 2000 }])
    expect(output).to.equal(
      [
        `[The result has 2000 bytes. It is stored as "${hash}". Read on with the tool "read_result": {"reference":"${hash}","offset":256}. The beginning:]`,
        'é'.repeat(128),
        '[1616 bytes left out. The end:]',
        'é'.repeat(64),
      ].join('\n'),
    )
  })

  it('LT-09 stays as it is at the limit, and nothing is stored', async () => {
    const noting = notingStore()
    for (const output of ['é'.repeat(512), { a: 'x'.repeat(1016) }, null, [text('x')]]) {
      expect((await keep(output, noting)).output).to.equal(output)
    }
    expect(noting.puts).to.deep.equal([])
  })

  it('LT-09 that is no text is stored as the JSON that the model would get', async () => {
    const value = { list: Array.from({ length: 500 }, (_, at) => at), half: '\ud800' }
    const json = JSON.stringify(value)
    const noting = notingStore()
    const { references } = await keep(value, noting)
    const size = Buffer.byteLength(json)
    expect(references).to.deep.equal([{ hash: hashOf(json), mediaType: 'application/json', size }])
    expect(Buffer.from(noting.puts[0]?.bytes ?? []).toString()).to.equal(json)
  })

  it('LT-09 with half of a character is stored as the model would get it', async () => {
    const broken = `${'\ud83d'.repeat(400)}x`
    const { output, references } = await keep(broken)
    expect(references[0]?.size).to.equal(1201)
    expect(String(output)).to.include(`${'\ufffd'.repeat(85)}\n`)
  })

  it('LT-09 is stored once where it occurs twice', async () => {
    const store = memoryResults()
    const results = largeResults(store)
    const [first, second] = [await results.keep(LONG, signal), await results.keep(LONG, signal)]
    expect(first).to.deep.equal(second)
    const full = 'x'.repeat(16_000_000)
    // Together they would have more than the 64 MiB that are kept in memory.
    for (let time = 0; time < 5; time++) await results.keep(full, signal)
  })

  it('LT-09 has images that are small enough for the model as images', async () => {
    const noting = notingStore()
    const parts = [text('A picture:'), IMAGE]
    expect(await keep(parts, noting)).to.deep.equal({ output: parts, references: [] })
    const { output, references } = await keep([text(LONG), IMAGE, text('end')], noting)
    expect(references.map(({ mediaType }) => mediaType)).to.deep.equal(['text/plain'])
    expect(output).to.have.length(2)
    expect((output as readonly unknown[])[1]).to.deep.equal(IMAGE)
    expect(Buffer.from(noting.puts[0]?.bytes ?? []).toString()).to.equal(`${LONG}\nend`)
  })

  it('LT-09 has files that are too large as bytes of their own', async () => {
    const large = { ...IMAGE, name: 'a "b".png', data: Buffer.alloc(4_000_000).toString('base64') }
    const pdf = { type: 'file', mediaType: 'application/pdf', data: IMAGE.data }
    const odd = { type: 'file', mediaType: 'text/html\r\nx: y', data: IMAGE.data }
    const noting = notingStore()
    const { output, references } = await keep([text('Look:'), large, pdf, odd, IMAGE], noting)
    expect(references.map(({ mediaType, size }) => [mediaType, size])).to.deep.equal([
      ['image/png', 4_000_000],
      ['application/pdf', 300_000],
      ['application/octet-stream', 300_000],
    ])
    const [first, second, ...others] = output as readonly { readonly text?: string }[]
    expect(first).to.deep.equal(text('Look:'))
    const [hash] = references.map((reference) => reference.hash)
    expect(second?.text).to.equal(
      `[The file "a \\"b\\".png" (image/png, 4000000 bytes) is stored as "${hash}". Read on with the tool "read_result": {"reference":"${hash}"}.]`,
    )
    expect(others).to.have.length(3)
    expect(others[2]).to.deep.equal(IMAGE)
  })

  it('LT-09 of many large files is stored as one text', async () => {
    const noting = notingStore()
    const pdf = { type: 'file', mediaType: 'application/pdf', data: IMAGE.data.slice(0, 1000) }
    const { references } = await keep(
      Array.from({ length: 19 }, () => pdf),
      noting,
    )
    expect(references.map(({ mediaType }) => mediaType)).to.deep.equal(['application/json'])
    expect(noting.puts).to.have.length(1)
  })

  it('LT-09 keeps the form for its provider, up to the size of an image', async () => {
    const native = { p: 'x'.repeat(100_000) }
    const small = { native, output: 'short' }
    expect((await keep(small)).output).to.deep.equal(small)
    const { output, references } = await keep({ native, output: LONG })
    expect(references).to.have.length(1)
    expect(output).to.have.property('native', native)
    const all = { native: { p: 'x'.repeat(5_000_001) }, output: 'short' }
    expect((await keep(all)).references[0]?.mediaType).to.equal('application/json')
  })

  it('LT-09 has no advice to read on where the model cannot have the tool for it', async () => {
    const results = largeResults()
    const { output } = await results.keep(LONG, signal)
    expect(output).to.include('read_result')
    const parts = { store: memoryResults(), limit: 1024, readerName: () => undefined }
    const without = await new LargeResults(parts).keep(LONG, signal)
    expect(without.output).to.match(/^\[The result has 2000 bytes\. It is stored as "\w+"\. The/)
  })

  it('LT-09 beyond 16 MiB is lost, and says so at once', async () => {
    const dropped = 'it has more than 16777216 bytes, the most that is stored.'
    const begun = performance.now()
    expect(await lost('x'.repeat(50_000_000))).to.include(dropped)
    expect(await lost({ data: 'x'.repeat(50_000_000) })).to.include(dropped)
    expect(await lost([{ ...IMAGE, data: 'A'.repeat(50_000_000) }])).to.include(dropped)
    expect(performance.now() - begun).to.be.below(2000)
  })

  it('LT-09 that cannot be stored is lost but for its preview, and says why', async () => {
    const put = async () => {
      throw new Error('The disk is full.')
    }
    const { store } = notingStore({ put })
    const message = await lost(LONG, store)
    expect(message).to.include('The tool ran, but its result of 2000 bytes could not be stored')
    expect(message).to.include('The disk is full.').and.include('é'.repeat(128))
    expect(await lost([{ ...IMAGE, data: 'A'.repeat(6_000_000) }], store)).to.include('is full')
  })

  it('LT-09 in memory is lost where all together have more than 64 MiB', async () => {
    const store = memoryResults()
    for (const one of 'abcd') await largeResults(store).keep(one.repeat(16_777_216), signal)
    expect(await lost('e'.repeat(16_777_216), store)).to.include('67108864 bytes together')
  })

  it('LT-09 of a cancelled run is not waited for', async () => {
    const cancel = new AbortController()
    const { store } = notingStore({ put: () => new Promise(() => undefined) })
    const kept = largeResults(store).keep(LONG, cancel.signal)
    setTimeout(() => cancel.abort(), 5)
    const error = await kept.catch((thrown: unknown) => thrown)
    expect(error).not.to.be.instanceOf(ResultLost)
  })

  it('LT-09 that is told as progress is a preview, and nothing is stored', () => {
    const noting = notingStore()
    const results = largeResults(noting.store)
    expect(results.shown({ done: 1 })).to.deep.equal({ done: 1 })
    expect(results.shown(LONG)).to.match(/^\[2000 bytes\. The beginning:\]\né+\n/)
    expect(results.shown('x'.repeat(20_000_000))).to.equal('[more than 16777216 bytes]')
    expect(noting.puts).to.deep.equal([])
  })
})
