import { expect } from 'chai'
import { type Body, drain, type Piece } from '../../../../providers/model-api/body/body.ts'

/** A body of given pieces. Without an end it waits after them, until it is closed. */
function bodyOf(pieces: readonly Piece[]) {
  const left = [...pieces]
  let onClose: (error: Error) => void = () => undefined
  const read = { count: 0, isClosed: false }
  const body: Body = {
    read: () => {
      read.count++
      const piece = left.shift()
      if (piece) return Promise.resolve(piece)
      return new Promise((_resolve, reject) => {
        onClose = reject
      })
    },
    close: () => {
      read.isClosed = true
      onClose(new Error('closed'))
    },
  }
  return { body, read }
}

describe('drain', () => {
  it('reads a body to its end, and closes it', async () => {
    const { body, read } = bodyOf([{ value: new Uint8Array(10) }, { done: true }])
    await drain(body)
    expect(read).to.deep.equal({ count: 2, isClosed: true })
  })

  it('closes a body that does not end in time', async () => {
    const { body, read } = bodyOf([{ value: new Uint8Array(10) }])
    await drain(body, 10)
    expect(read).to.deep.equal({ count: 2, isClosed: true })
  })

  it('closes a body that goes on for more than 64 KiB', async () => {
    const pieces = Array.from({ length: 100 }, () => ({ value: new Uint8Array(16 * 1024) }))
    const { body, read } = bodyOf(pieces)
    await drain(body)
    expect(read).to.deep.equal({ count: 5, isClosed: true })
  })

  it('closes a body whose connection is lost', async () => {
    const { body, read } = bodyOf([])
    const drained = drain(body)
    body.close()
    await drained
    expect(read.isClosed).to.equal(true)
  })
})
