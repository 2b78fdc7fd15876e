import { expect } from 'chai'
import { createHost } from '../../../src/core/index.ts'
import type { Message } from '../../../src/plugin/index.ts'
import { caller, feature } from '../../helpers/plugins.ts'

const call = { callId: 'c', name: 'look' } as const

/** The output of a tool that provider and features read where a history has the given one. */
async function readOutput(output: unknown): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  const note = (messages: readonly Message[]) => {
    const parts = messages.flatMap((message): readonly object[] => message.parts)
    seen.push(parts.flatMap((part) => ('output' in part ? [part.output] : []))[0])
    return messages
  }
  const answer: Message = { role: 'assistant', parts: [{ type: 'text', text: 'ok' }] }
  const provider = caller('p', [answer], { toNative: note })
  await using host = await createHost({ plugins: [provider, feature('f', { editMessages: note })] })
  const history: readonly Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', parts: [{ type: 'tool-call', ...call, input: {} }] },
    { role: 'tool', parts: [{ type: 'tool-result', ...call, output }] },
  ]
  const before = structuredClone(history)
  await host.send({}, history)
  expect(history).to.deep.equal(before)
  return seen
}

describe('the history of a request', () => {
  it('CL-46 has the plain form of an output whose own forms are for other providers', async () => {
    expect(await readOutput({ native: { q: 'own' }, output: 'plain' })).to.deep.equal([
      'plain',
      'plain',
    ])
    expect(await readOutput({ native: { q: 'own' } })).to.deep.equal([null, null])
  })

  it('CL-46 has the whole output where one form is for its provider', async () => {
    const output = { native: { p: 'own', q: 'other' }, output: 'plain' }
    expect(await readOutput(output)).to.deep.equal([output, output])
  })

  it('leaves an object of a tool that has a member of that name', async () => {
    const output = { native: { speaker: true }, language: 'de' }
    expect(await readOutput(output)).to.deep.equal([output, output])
    expect(await readOutput('text')).to.deep.equal(['text', 'text'])
  })
})
