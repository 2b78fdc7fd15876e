import { linesOf } from '../../src/python/lines.ts'
import { Contexts, Session } from '../../src/python/session.ts'
import { expectLinear, type Work } from '../helpers/doubling.ts'
import { cut, hearing, message } from './messages.ts'

describe('what comes from Python is taken in time that grows as it does', function () {
  this.timeout(300_000)

  for (const [name, made, sizes] of [
    ['a message in small pieces', (size: number) => cut(message('a'.repeat(size)), 3), 50_000],
    ['many messages in one piece', (size: number) => [message('a').repeat(size)], 25_000],
    ['many messages in small pieces', (size: number) => cut(message('a').repeat(size), 5), 5000],
    ['lines that are no messages', (size: number) => ['\n'.repeat(size)], 2500],
  ] as const) {
    it(name, async () => {
      const make = (size: number) => hearing(made(size))
      await expectLinear({ name, sizes: [sizes, 2 * sizes, 4 * sizes], make })
    })
  }

  for (const [name, piece] of [
    ['a line without an end, letter by letter', 'a'],
    ['empty lines', '\n'],
  ] as const) {
    it(name, async () => {
      const make = (size: number): Work => {
        return () => {
          let length = 0
          const add = linesOf((line) => {
            length += line.length + 1
          })
          for (let at = 0; at < size; at++) add(piece)
          return length
        }
      }
      await expectLinear({ name, sizes: [50_000, 100_000, 200_000], make })
    })
  }

  it('a state of many keys that an answer changes', async () => {
    const make = (size: number): Work => {
      const put = Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, at]))
      const gone = Object.keys(put)
      return () => {
        const session = new Session({} as ConstructorParameters<typeof Session>[0], new Contexts())
        session.take(0, { n: [], u: put })
        const { state } = session.take(0, { g: gone.slice(size / 2) })
        return session.changes(0, undefined, { ...state, more: 1 })
      }
    }
    await expectLinear({ name: 'a state', sizes: [5000, 10_000, 20_000], make })
  })
})
