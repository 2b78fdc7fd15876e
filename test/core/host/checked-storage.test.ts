import { expect } from 'chai'
import { createHost } from '../../../src/core/index.ts'
import type { Context } from '../../../src/plugin/index.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('the storage of a plugin', () => {
  async function storing(act: (storage: Context['storage']) => Promise<void>): Promise<void> {
    const feature = {
      kind: 'feature' as const,
      name: 'keeper',
      init: async (_config: unknown, state: object, { storage }: Context) => {
        await act(storage)
        return state
      },
    }
    const host = await createHost({ plugins: [textProvider(), feature] })
    for (const conversationId of [undefined, 'talk'])
      await host.send({}, 'go', conversationId === undefined ? {} : { conversationId })
    await host.close()
  }

  for (const [title, value, pointer] of [
    ['a map', new Map([['a', 1]]), ''],
    ['a set', { seen: new Set([1]) }, '/seen'],
    ['bytes', [new Uint8Array([1])], '/0'],
    ['a number that JSON lacks', { n: NaN }, '/n'],
    ['a function', () => 1, ''],
    ['a big integer', 10n, ''],
    ['an error', new Error('oh'), ''],
  ] as const)
    it(`refuses ${title}, says where, and keeps what it has`, () =>
      storing(async (storage) => {
        await storage.set('key', 'before')
        const error = await errorOf(storage.set('key', value))
        expect(error).to.include({ code: 'OPTION_INVALID', plugin: 'keeper', pointer })
        expect(error.message).to.include('"key"')
        expect(await storage.get('key')).to.equal('before')
      }))

  it('keeps JSON, members without a value left out, dates and fields of a class', () =>
    storing(async (storage) => {
      class Point {
        readonly x = 1
      }
      const at = new Date(0)
      await storage.set('key', { list: [1, null], gone: undefined, at, point: new Point() })
      const kept = { list: [1, null], at: at.toJSON(), point: { x: 1 } }
      expect(await storage.get('key')).to.deep.equal(kept)
      await storage.set('none', undefined)
      expect(await storage.get('none')).to.equal(null)
      expect(await storage.list()).to.deep.equal(['key', 'none'])
      await storage.delete('key')
      expect(await storage.list()).to.deep.equal(['none'])
    }))
})
