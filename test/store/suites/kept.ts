import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../src/plugin/index.ts'
import { conversationKey } from '../../../src/store/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { codeOf, OWNER, type Stored, TALK } from '../stored.ts'

/** What is kept under a name: settings, agents, values of plugins, documents. */
export function keptSuite(stored: Stored): void {
  it('keeps the settings of each', async () => {
    const { settings } = stored.storage
    expect(await settings.load(OWNER)).to.equal(undefined)
    await settings.save(OWNER, { temperature: 1 }, 1)
    await settings.save(OWNER, { temperature: 0, settings: { a: { b: [1] } } }, 2)
    expect(await settings.load(OWNER)).to.deep.equal({
      temperature: 0,
      settings: { a: { b: [1] } },
    })
    expect(await settings.load('bob')).to.equal(undefined)
    expect(await settings.delete(OWNER)).to.equal(true)
    expect(await settings.delete(OWNER)).to.equal(false)
  })

  it('keeps agents under ids that stay when their names change', async () => {
    const { agents } = stored.storage
    const agent = { id: '1', owner: OWNER, name: 'zoe', spec: { model: 'm' }, updatedAt: 1 }
    await agents.upsert(agent)
    await agents.upsert({ ...agent, id: '2', name: 'Ann' })
    await agents.upsert({ ...agent, id: '1', owner: 'bob' })
    expect((await agents.list(OWNER)).map(({ name }) => name)).to.deep.equal(['Ann', 'zoe'])
    expect(await agents.loadByName(OWNER, 'zoe')).to.deep.equal(agent)
    await agents.rename(OWNER, '1', { name: 'eva', updatedAt: 2 })
    expect(await agents.load(OWNER, '1')).to.deep.equal({ ...agent, name: 'eva', updatedAt: 2 })
    expect(await codeOf(agents.rename(OWNER, '1', { name: 'Ann', updatedAt: 3 }))).to.equal(
      'AGENT_NAME_TAKEN',
    )
    expect(await codeOf(agents.upsert({ ...agent, id: '9', name: 'eva' }))).to.equal(
      'AGENT_NAME_TAKEN',
    )
    expect(await codeOf(agents.rename('cid', '1', { name: 'x', updatedAt: 3 }))).to.equal(
      'AGENT_UNKNOWN',
    )
    expect(await agents.delete('cid', '1')).to.equal(false)
    expect(await agents.delete(OWNER, '1')).to.equal(true)
    expect(await agents.load(OWNER, '1')).to.equal(undefined)
    expect(await agents.load('bob', '1')).to.include({ name: 'zoe' })
  })

  it('stores an agent only if the one that is stored may be replaced', async () => {
    const { agents } = stored.storage
    const agent = { id: '1', owner: OWNER, name: 'zoe', spec: { v: 1 }, updatedAt: 1 }
    const seen: unknown[] = []
    await agents.upsert(agent, (before) => void seen.push(before))
    await agents.upsert({ ...agent, spec: { v: 2 } }, (before) => void seen.push(before))
    expect(seen).to.deep.equal([undefined, agent])
    const refused = agents.upsert({ ...agent, spec: { v: 3 } }, refuse)
    expect(await codeOf(refused)).to.equal('SPEC_CHANGED')
    expect(await agents.load(OWNER, '1')).to.deep.include({ spec: { v: 2 } })
  })

  it('renames and deletes an agent only if the one that is stored is the expected one', async () => {
    const { agents } = stored.storage
    const agent = { id: '1', owner: OWNER, name: 'zoe', spec: { v: 1 }, updatedAt: 1 }
    await agents.upsert(agent)
    const to = { name: 'eva', updatedAt: 2 }
    expect(await codeOf(agents.rename(OWNER, '1', to, refuse))).to.equal('SPEC_CHANGED')
    expect(await codeOf(agents.delete(OWNER, '1', refuse))).to.equal('SPEC_CHANGED')
    expect(await agents.load(OWNER, '1')).to.deep.equal(agent)
    expect(await agents.delete(OWNER, '2', refuse)).to.equal(false)
    const seen: unknown[] = []
    await agents.rename(OWNER, '1', to, (before) => seen.push(before))
    expect(await agents.delete(OWNER, '1', (before) => seen.push(before))).to.equal(true)
    expect(seen).to.deep.equal([agent, { ...agent, ...to }])
  })

  it('keeps the values of plugins, for a conversation, with which they go, or for none', async () => {
    await stored.create()
    const own = stored.storage.storageOf('memory', conversationKey(OWNER, TALK))
    const none = stored.storage.storageOf('memory')
    await own.set('b:2', { x: [1] })
    await own.set('b:1', 'y')
    await own.set('a', null)
    await none.set('a', 5)
    expect(await own.get('b:2')).to.deep.equal({ x: [1] })
    expect(await own.list()).to.deep.equal(['a', 'b:1', 'b:2'])
    expect(await own.list('b:')).to.deep.equal(['b:1', 'b:2'])
    expect(
      await stored.storage.storageOf('other', conversationKey(OWNER, TALK)).list(),
    ).to.deep.equal([])
    await own.set('b:1', 'z')
    expect(await own.get('b:1')).to.equal('z')
    await own.delete('b:1')
    expect(await own.get('b:1')).to.equal(undefined)
    await stored.storage.conversations.delete(OWNER, TALK)
    expect(await own.list()).to.deep.equal([])
    expect(await none.get('a')).to.equal(5)
  })

  it('keeps documents by kind and name', async () => {
    const { documents } = stored.storage
    const memo = {
      kind: 'memory',
      owner: OWNER,
      name: 'b',
      content: ['x'],
      updatedAt: 1,
    } as const
    await documents.save(memo)
    await documents.save({ ...memo, name: 'a' })
    await documents.save({ ...memo, kind: 'skill' })
    await documents.save({ ...memo, content: { y: 1 }, updatedAt: 2 })
    const listed = await documents.list(OWNER, 'memory')
    expect(listed.map(({ name, content }) => [name, content])).to.deep.equal([
      ['a', ['x']],
      ['b', { y: 1 }],
    ])
    expect(await documents.load(OWNER, 'manifest', 'b')).to.equal(undefined)
    expect(await documents.delete(OWNER, 'memory', 'b')).to.equal(true)
    expect(await documents.delete(OWNER, 'memory', 'b')).to.equal(false)
  })

  it('saves and deletes a document only if the one that is stored is the expected one', async () => {
    const { documents } = stored.storage
    const memo = { kind: 'model', owner: OWNER, name: 'b', content: [1], updatedAt: 1 } as const
    const seen: unknown[] = []
    await documents.save(memo, (before) => seen.push(before))
    const second = documents.save({ ...memo, content: [2] }, refuse)
    expect(await codeOf(second)).to.equal('SPEC_CHANGED')
    expect(await codeOf(documents.delete(OWNER, 'model', 'b', refuse))).to.equal('SPEC_CHANGED')
    expect(await documents.load(OWNER, 'model', 'b')).to.deep.equal(memo)
    expect(await documents.delete(OWNER, 'model', 'a', refuse)).to.equal(false)
    await documents.delete(OWNER, 'model', 'b', (before) => seen.push(before))
    expect(seen).to.deep.equal([undefined, memo])
  })

  it('creates an agent and a document once where many do it at the same time', async () => {
    const { agents, documents } = stored.storage
    const isFirst = (before: unknown) => before === undefined || refuse()
    const tries = Array.from({ length: 20 }, (_, at) => ({ id: String(at >> 2), v: at }))
    const outcomes = await Promise.allSettled(
      tries.flatMap(({ id, v }) => [
        agents.upsert({ id, owner: OWNER, name: id, spec: { v }, updatedAt: 1 }, isFirst),
        documents.save(
          { kind: 'model', owner: OWNER, name: id, content: v, updatedAt: 1 },
          isFirst,
        ),
      ]),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(10)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    const codes = refused.map(({ reason }) => (reason as HostError).code)
    expect(new Set(codes)).to.deep.equal(new Set(['SPEC_CHANGED']))
  })

  it('keeps whatever texts there are', async () => {
    await stored.create()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
        const safe = text.replaceAll('\0', ' ')
        await stored.storage.settings.save(safe, { [safe]: text }, 1)
        expect(await stored.storage.settings.load(safe)).to.deep.equal({ [safe]: text })
      }),
      { numRuns: propertyRuns(50) },
    )
  })

  it('takes no text with U+0000 for another', async () => {
    const { conversations, storageOf } = stored.storage
    await stored.create('a', 'ada')
    await storageOf('memory').set('a', 1)
    const found = [
      conversations.load('ada', 'a\0b'),
      conversations.load('ada\0', 'a'),
      storageOf('memory').get('a\0'),
    ].map((answer) => answer.catch((error: { code: string }) => error.code))
    for (const answer of await Promise.all(found)) {
      expect(answer).to.be.oneOf([undefined, 'REQUEST_INVALID'], JSON.stringify(answer))
    }
  })
}

/** A check of the stored value that it does not pass. */
function refuse(): never {
  throw new HostError('SPEC_CHANGED', 'Not this one.')
}
