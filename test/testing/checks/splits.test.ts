import { expect } from 'chai'
import { PROVIDER, WORDS_API } from '../planted/correct-provider.ts'
import { saidOf } from './one-check.ts'

describe('the checks of answers in other pieces', () => {
  for (const [mode, pieces] of [
    ['a whole answer', 'byte by byte'],
    ['a stream', '7 bytes at a time'],
  ])
    it(`say that the answer differs: ${mode} ${pieces}`, async () => {
      const check = `reads ${mode} that arrives ${pieces}`
      const options = { api: WORDS_API }
      const checked = { kind: 'provider', options } as const
      expect(await saidOf(check, { ...checked, plugin: PROVIDER })).to.equal(undefined)
      let asked = 0
      const fromNative = (natives: readonly unknown[]) =>
        PROVIDER.fromNative(natives).map((one) => ({ ...one, metadata: { asked: asked++ } }))
      const other = { ...PROVIDER, fromNative }
      expect(await saidOf(check, { ...checked, plugin: other })).to.match(
        /^The answer differs when its bytes arrive in other pieces\./,
      )
    })
})
