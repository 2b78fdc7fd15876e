import { Readable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { NodeBody } from '../../../../providers/model-api/body/node-body.ts'
import { propertyRuns } from '../../../helpers/cases.ts'

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Waits until all that streams do by themselves is done: they go on by microtasks and ticks alone. */
async function settled(): Promise<void> {
  await turnOfLoop()
  await turnOfLoop()
}

async function failureOf(act: Promise<unknown>): Promise<unknown> {
  return act.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a body of Node’s client', () => {
  it('gives every byte once and in order, read at once or late', async () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40_000 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), async (sent, isLate) => {
        const body = new NodeBody(Readable.from(sent, { objectMode: false }))
        const read: Uint8Array[] = []
        for (;;) {
          if (isLate) await turnOfLoop()
          const { done, value } = await body.read()
          if (done) break
          read.push(value as Uint8Array)
        }
        expect(Buffer.concat(read).equals(Buffer.concat(sent))).to.equal(true)
      }),
      { numRuns: propertyRuns(50) },
    )
  })

  it('gives all that waits in one read', async () => {
    const source = new Readable({ read: () => undefined })
    const body = new NodeBody(source)
    for (const text of ['one ', 'two ', 'three']) source.push(text)
    source.push(null)
    await settled()
    expect(String((await body.read()).value)).to.equal('one two three')
    expect(await body.read()).to.deep.equal({ done: true })
  })

  it('holds back a source that nobody reads, and lets it go on once all is read', async () => {
    let sent = 0
    const piece = Buffer.alloc(8192)
    const source = new Readable({
      read() {
        sent += piece.length
        this.push(piece)
      },
    })
    const body = new NodeBody(source)
    await settled()
    expect(sent).to.be.within(32 * 1024, 128 * 1024)
    const before = sent
    for (let read = 0; read <= before; ) read += (await body.read()).value?.length ?? 0
    expect(sent).to.be.greaterThan(before)
    body.close()
    expect(source.destroyed).to.equal(true)
  })

  it('gives what came before a source was lost, then fails, as often as it is asked', async () => {
    const source = new Readable({ read: () => undefined })
    const body = new NodeBody(source)
    source.push('begun')
    await settled()
    source.destroy(new Error('reset'))
    await settled()
    expect(String(Buffer.from((await body.read()).value as Uint8Array))).to.equal('begun')
    for (let count = 0; count < 2; count++) {
      expect(await failureOf(body.read())).to.have.property('message', 'reset')
    }
  })

  it('fails a read that waits when the source closes without a word, or was closed before', async () => {
    const source = new Readable({ read: () => undefined })
    const waiting = failureOf(new NodeBody(source).read())
    source.destroy()
    expect(await waiting).to.have.property('message', 'the connection was lost')
    const late = new NodeBody(source).read()
    expect(await failureOf(late)).to.have.property('message', 'the connection was lost')
  })
})
