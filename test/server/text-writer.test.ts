import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { TextWriter } from '../../src/server/text-writer.ts'

type Answer = (response: ServerResponse, path: string) => unknown

describe('the writer of texts', () => {
  let http: Server
  let answer: Answer
  let port: number
  before(async () => {
    http = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
      response.flushHeaders()
      void answer(response, request.url ?? '')
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    port = (http.address() as AddressInfo).port
  })
  after(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })

  function writing(texts: readonly string[]): Answer {
    return async (response) => {
      const writer = new TextWriter(response)
      for (const text of texts) await writer.write(text)
      response.end()
    }
  }

  /** What a server says to these requests until it ends the connection. */
  async function said(requests: string): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8')
    let text = ''
    socket.on('data', (piece) => {
      text += String(piece)
    })
    socket.write(requests)
    await once(socket, 'close')
    return text
  }

  it('writes what a client reads, of whatever text', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(texts, async (pieces) => {
        answer = writing(pieces)
        const response = await fetch(`http://127.0.0.1:${port}/`)
        expect(await response.text()).to.equal(pieces.join(''))
      }),
    )
  })

  it('writes a chunk for each text, of as many bytes as it says, and none for an empty one, which would end the body', async () => {
    answer = writing(['', 'a'.repeat(20), '', 'ü€😀', ''])
    const text = await said('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(text.match(/\r\n0\r\n\r\n/g)).to.have.length(1)
    expect(text).to.match(/\r\n\r\n14\r\na{20}\r\n9\r\nü€😀\r\n0\r\n\r\n$/)
  })

  for (const [name, sign] of [
    ['of one byte', 'x'],
    ['of three bytes', '€'],
    ['of two halves', '😀'],
    ['of two halves, from the second character on', '😀'],
  ] as const) {
    it(`writes a long text in pieces, each for a small buffer: signs ${name}`, async () => {
      const text = `${name.endsWith('on') ? '.' : ''}${sign.repeat(500_000)}`
      answer = writing([text])
      const told = await said('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      const body = told.slice(told.indexOf('\r\n\r\n') + 4)
      const pieces = body.split(/(?:^|\r\n)[0-9a-f]+\r\n/)
      expect(pieces.join('').trimEnd() === text).to.equal(true)
      expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).to.be.below(128 * 1024)
    })
  }

  it('waits for the answer to the request before its own', async () => {
    answer = (response, path) => {
      const write = () => writing([`answer to ${path}`])(response, path)
      return path === '/first' ? setImmediate(write) : write()
    }
    const text = await said(
      'GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(text.match(/answer to .*/g)).to.deep.equal(['answer to /first', 'answer to /second'])
  })

  it('writes no chunks to a client of HTTP/1.0', async () => {
    answer = writing(['one ', 'two'])
    expect(await said('GET / HTTP/1.0\r\n\r\n')).to.match(/\r\n\r\none two$/)
  })

  describe('to a client that does not read', () => {
    const MUCH = 'x'.repeat(1 << 14)
    const MORE = 'x'.repeat(1 << 24)
    let client: Socket
    let filled: Promise<void>
    beforeEach(async () => {
      client = connect({ port, host: '127.0.0.1' }).pause()
      filled = new Promise((resolve) => {
        answer = async (response) => {
          const writer = new TextWriter(response)
          let drained: Promise<void> | undefined
          while (!drained) drained = writer.write(MUCH)
          expect(writer.writableNeedDrain).to.equal(true)
          resolve()
          await drained
          await writer.write(MORE)
          answered()
        }
      })
    })
    let answered: () => void = () => undefined
    const isAnswered = () =>
      new Promise<void>((resolve) => {
        answered = resolve
      })

    for (const [what, act] of [
      ['goes on when it reads', () => client.resume()],
      ['goes on when it has gone', () => client.destroy()],
    ] as const) {
      it(what, async () => {
        const done = isAnswered()
        client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        await filled
        act()
        await done
        client.destroy()
      })
    }
  })
})
