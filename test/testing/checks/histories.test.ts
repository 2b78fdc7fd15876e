import { expect } from 'chai'
import type { Message } from '../../../src/plugin/index.ts'
import { saidOf } from './one-check.ts'

const ANSWER = {
  role: 'assistant',
  parts: [{ type: 'text', text: 'Hi' }],
  metadata: { finishReason: 'stop' },
}

interface Native {
  readonly messages: readonly Message[]
  readonly offered: readonly string[]
}

/** A provider of an API that takes calls in messages only together with their tools. */
const STRICT = {
  kind: 'provider',
  name: 'strict',
  getTags: () => ['text', 'tools'],
  init: ({ tools = [] }: { readonly tools?: readonly { readonly name: string }[] }) => ({
    offered: tools.map(({ name }) => name),
  }),
  toNative: (messages: readonly Message[], { offered }: Pick<Native, 'offered'>) => ({
    messages,
    offered,
  }),
  call: (native: Native, state: object) => {
    for (const { parts } of native.messages)
      for (const part of parts)
        if (part.type === 'tool-call' && !native.offered.includes(part.name))
          throw new Error(`the tool "${part.name}" is not offered`)
    return [[], [ANSWER], native, state]
  },
}

describe('the checks of histories', () => {
  it('offer the tools whose calls are in a history', async () => {
    for (const what of ['tool calls and results', 'a failed call']) {
      const checked = { kind: 'provider', plugin: STRICT } as const
      expect(await saidOf(`takes a history with ${what}`, checked), what).to.equal(undefined)
    }
  })

  it('find a provider that fails with a history', async () => {
    const call = () => {
      throw new Error('no history')
    }
    const checked = { kind: 'provider', plugin: { ...STRICT, call } } as const
    expect(await saidOf('takes a history with many turns', checked)).to.match(/no history/)
  })
})
