import { expect } from 'chai'
import fc from 'fast-check'
import { checkRecord } from '../../../src/agent/storage/check-record.ts'
import type { DocumentKind, StoredRecord } from '../../../src/agent/storage/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'

const TYPES = [
  'conversation',
  'entry',
  'run',
  'event',
  'approval',
  'shared',
  'file',
  'settings',
  'agent',
  'document',
  'value',
] satisfies StoredRecord['type'][]

async function faultOf(value: unknown): Promise<HostError> {
  const thrown = await checkRecord(value).then(
    () => expect.fail(`it was taken: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (HostError.is(thrown)) return thrown
  throw thrown
}

describe('checkRecord', () => {
  it('takes no value without the members of its type', async () => {
    for (const type of [...TYPES, '__proto__', 'constructor', 'toString', 1, null]) {
      expect(await faultOf({ type })).to.include({ code: 'REQUEST_INVALID' })
    }
  })

  it('says where a member is wrong', async () => {
    const event = { runId: 'r', seq: 0, type: 'x' }
    expect(await checkRecord({ type: 'event', event })).to.deep.equal({ type: 'event', event })
    for (const [change, pointer] of [
      [{ seq: -1 }, '/event/seq'],
      [{ seq: '0' }, '/event/seq'],
      [{ runId: {} }, '/event/runId'],
      [{ at: 'now' }, '/event/at'],
    ] as const) {
      const { pointer: found } = await faultOf({ type: 'event', event: { ...event, ...change } })
      expect(found).to.equal(pointer)
    }
  })

  it('takes documents of every kind', async () => {
    const kinds = ['memory', 'skill', 'manifest', 'config', 'costs', 'model'] as const
    for (const kind of kinds satisfies readonly DocumentKind[]) {
      const document = { kind, owner: 'ada', name: 'n', content: {}, updatedAt: 1 }
      expect(await checkRecord({ type: 'document', document })).to.deep.include({ document })
    }
  })

  it('takes a file under its own hash alone', async () => {
    const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    const file = { hash, mediaType: 'text/plain', bytes: Buffer.from('abc').toString('base64') }
    await checkRecord({ type: 'file', owner: 'a', file })
    const forged = { ...file, bytes: Buffer.from('abd').toString('base64') }
    expect(await faultOf({ type: 'file', owner: 'a', file: forged })).to.include({
      pointer: '/file/hash',
    })
  })

  it('answers any value with a record, or a typed error', async () => {
    const values = fc.record({ type: fc.constantFrom(...TYPES) }).chain(({ type }) =>
      fc
        .dictionary(fc.constantFrom('owner', type, 'layer', 'key', 'value'), fc.jsonValue())
        .map((rest) => ({
          ...rest,
          type,
        })),
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(values, fc.jsonValue()), async (value) => {
        try {
          await checkRecord(value)
        } catch (error) {
          expect(HostError.is(error) && error.code).to.equal('REQUEST_INVALID')
        }
      }),
    )
  })
})
