import { expect } from 'chai'
import type { Extension, Feature, Provider, Tool } from '../../src/plugin/index.ts'

interface Depth {
  readonly depth: number
}

interface Weather {
  readonly sky: string
}

// `npm run types` is the test here: it refuses a line that is wrong, and an expected error that is none.
describe('the types of plugins', () => {
  it('take a state and a result that are interfaces, and a list as a result', () => {
    const tool = {
      kind: 'tool',
      name: 'digger',
      init: () => ({ depth: 3 }),
      executeTool: async ({ name }, state): Promise<Weather | number[]> =>
        name === 'weather' ? { sky: 'grey' } : [state.depth],
    } satisfies Tool<Depth>
    const provider = {
      kind: 'provider',
      name: 'parrot',
      init: () => ({ depth: 3 }),
      call: (native, state) => [[], [native.length + state.depth], native, state],
    } satisfies Provider<string, Depth>
    expect([tool.kind, provider.kind]).to.deep.equal(['tool', 'provider'])
  })

  it('tell an event from a message by its type', () => {
    const extension = {
      kind: 'extension',
      name: 'quiet',
      fromNative: (_natives, core) =>
        core.map((item) => ('type' in item ? item : { ...item, parts: item.parts.slice(0, 1) })),
    } satisfies Extension
    expect(extension.kind).to.equal('extension')
  })

  it('refuse what the check at load and the host refuse', () => {
    const wrong = [
      // @ts-expect-error neither call nor stream
      { kind: 'provider', name: 'mute' } satisfies Provider,
      // @ts-expect-error a misspelled hook
      { kind: 'extension', name: 'a', procesChunk: () => [] } satisfies Extension,
      // @ts-expect-error a hook of another kind
      { kind: 'feature', name: 'b', processChunk: () => [] } satisfies Feature,
      // @ts-expect-error a text is no list of tags
      { kind: 'feature', name: 'c', getTags: () => 'text' } satisfies Feature,
      // @ts-expect-error native alone, without the state
      { kind: 'extension', name: 'd', initializeRequest: (native) => native } satisfies Extension,
    ]
    expect(wrong).to.have.length(5)
  })
})
