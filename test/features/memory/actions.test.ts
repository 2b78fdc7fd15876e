import { expect } from 'chai'
import fc from 'fast-check'
import { type Fact, idFor } from '../../../features/memory/facts.ts'
import { MemoryValues } from '../../../src/core/storage.ts'
import type { PluginStorage } from '../../../src/plugin/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { conversation, shownIn, textsIn } from './conversation.ts'

const NUTS = 'The user is allergic to nuts.'

describe('actions of memory', () => {
  it('remember a fact, list it, and forget it', async () => {
    const { act } = conversation()
    const fact = { id: idFor(NUTS, []), text: NUTS, pinned: false }
    expect(await act('remember', { text: ` ${NUTS}\n` })).to.deep.equal(fact)
    expect(await act('list')).to.deep.equal([fact])
    expect(await act('forget', { id: fact.id })).to.deep.equal(fact)
    expect(await act('list', {})).to.deep.equal([])
  })

  it('repeat no more than the beginning of an unknown id', async () => {
    const { act } = conversation()
    const { message } = (await errorOf(act('forget', { id: 'x'.repeat(101) }))) as Error
    expect(message).to.include(`"${'x'.repeat(100)}" (any more)`)
  })

  it('keep a text once, and pin it when asked to', async () => {
    const { act } = conversation()
    await act('remember', { text: NUTS })
    expect(await act('remember', { text: NUTS, pinned: true })).to.include({ pinned: true })
    expect(await act('remember', { text: NUTS })).to.include({ pinned: true })
    expect(await act('list')).to.have.length(1)
  })

  it('edit a fact in its place, under its id', async () => {
    const { act } = conversation()
    const { id } = (await act('remember', { text: 'One' })) as Fact
    const two = await act('remember', { text: 'Two' })
    const edited = { id, text: 'First', pinned: true }
    expect(await act('edit', { id, text: 'First', pinned: true })).to.deep.equal(edited)
    expect(await act('edit', { id, text: 'First' })).to.deep.equal(edited)
    expect(await act('list')).to.deep.equal([edited, two])
    const again = (await act('remember', { text: 'One' })) as Fact
    expect(again.id).to.not.equal(id)
    expect(await act('list')).to.deep.equal([edited, two, again])
  })

  it('give a fact that is remembered anew its id again', async () => {
    const { act } = conversation()
    const fact = await act('remember', { text: NUTS })
    await act('clear')
    expect(await act('remember', { text: NUTS })).to.deep.equal(fact)
  })

  it('find facts by their words, the best first, the newer of equals', async () => {
    const { act } = conversation()
    const texts = [
      'The user likes Café Mokka.',
      'Mokka is a cat.',
      'Cats sleep.',
      '我对花生过敏',
      'Müller',
      'The user sings.',
    ]
    for (const text of texts) await act('remember', { text })
    const found = async (query: string) =>
      ((await act('find', { query })) as readonly Fact[]).map(({ text }) => texts.indexOf(text))
    expect(await found('MOKKA')).to.deep.equal([1, 0])
    expect(await found('the cafe mokka')).to.deep.equal([0, 5, 1])
    expect(await found('CAT')).to.deep.equal([2, 1])
    expect(await found('花生')).to.deep.equal([3])
    expect(await found('the sleep')).to.deep.equal([2, 5, 0])
    expect(await found('muller')).to.deep.equal([4])
    expect(await found('?!')).to.deep.equal([])
    expect(await found('__proto__ constructor toString')).to.deep.equal([])
  })

  it('clear what is kept', async () => {
    const { act } = conversation()
    await act('remember', { text: 'One' })
    await act('remember', { text: 'Two' })
    expect(await act('clear')).to.deep.equal({ forgotten: 2 })
    expect(await act('list')).to.deep.equal([])
  })

  describe('that cannot be done are an error with a code', () => {
    const ID = idFor(NUTS, [])
    const faults: readonly (readonly [
      title: string,
      action: string,
      input: unknown,
      code: string,
      pointer?: string,
    ])[] = [
      ['another action', 'recall', {}, 'ACTION_UNKNOWN'],
      ['an action of a prototype', 'toString', {}, 'ACTION_UNKNOWN'],
      ['no object', 'remember', NUTS, 'INPUT_INVALID', ''],
      ['a list', 'remember', [NUTS], 'INPUT_INVALID', ''],
      ['no input', 'remember', undefined, 'INPUT_INVALID', '/text'],
      ['no text', 'remember', { text: 5 }, 'INPUT_INVALID', '/text'],
      ['an empty text', 'remember', { text: ' \n' }, 'INPUT_INVALID', '/text'],
      ['a long text', 'remember', { text: 'a'.repeat(1001) }, 'INPUT_INVALID', '/text'],
      ['a wrong pin', 'remember', { text: 'a', pinned: 1 }, 'INPUT_INVALID', '/pinned'],
      ['a misspelled field', 'remember', { 'te/xt': 'a' }, 'INPUT_INVALID', '/te~1xt'],
      ['an own __proto__', 'list', JSON.parse('{"__proto__": 1}'), 'INPUT_INVALID', '/__proto__'],
      ['no id', 'edit', { text: 'a' }, 'INPUT_INVALID', '/id'],
      ['no change', 'edit', { id: ID }, 'INPUT_INVALID', ''],
      ['an unknown fact', 'edit', { id: 'x', text: 'a' }, 'FACT_UNKNOWN', '/id'],
      ['a fact of a prototype', 'forget', { id: '__proto__' }, 'FACT_UNKNOWN', '/id'],
      ['a text of another fact', 'edit', { id: ID, text: 'Two' }, 'FACT_EXISTS', '/text'],
      ['one fact too many', 'remember', { text: 'Three' }, 'MEMORY_FULL'],
    ]
    for (const [title, action, input, code, pointer] of faults) {
      it(title, async () => {
        const { act } = conversation({ settings: { max_facts: 2 } })
        await act('remember', { text: NUTS })
        await act('remember', { text: 'Two' })
        const before = await act('list')
        const error = await errorOf(act(action, input))
        expect(error).to.include({ code, ...(pointer === undefined ? {} : { pointer }) })
        expect(error.message.length).to.be.within(20, 300)
        expect(await act('list')).to.deep.equal(before)
      })
    }

    it('a fact that was forgotten meanwhile', async () => {
      const { act } = conversation()
      const { id } = (await act('remember', { text: NUTS })) as Fact
      const [, error] = await Promise.all([
        act('forget', { id }),
        errorOf(act('edit', { id, text: 'Late' })),
      ])
      expect(error).to.include({ code: 'FACT_UNKNOWN', pointer: '/id' })
      expect(await act('list')).to.deep.equal([])
    })

    it('without a conversation', async () => {
      for (const conversationId of [undefined, '']) {
        const error = await errorOf(conversation({ conversationId }).act('list'))
        expect(error).to.include({ code: 'CONVERSATION_MISSING' })
      }
    })

    it('with settings that are wrong', async () => {
      for (const [name, value] of Object.entries({ max_facts: 1001, max_characters: 0.5 })) {
        const error = await errorOf(conversation({ settings: { [name]: value } }).act('list'))
        const pointer = `/settings/memory/${name}`
        expect(error).to.include({ code: 'SETTINGS_INVALID', pointer })
      }
    })
  })

  it('that were cancelled while they waited change nothing', async () => {
    const cancel = new AbortController()
    const { act, storage } = conversation({ signal: cancel.signal })
    const waiting = act('remember', { text: NUTS })
    cancel.abort()
    expect(await errorOf(waiting)).to.include({ name: 'AbortError' })
    expect(await storage.list()).to.deep.equal([])
  })

  it('go on where the storage failed for one before them', async () => {
    const kept = new MemoryValues().storageOf('memory')
    let fails = true
    const storage: PluginStorage = {
      ...kept,
      set: async (key, value) => {
        if (fails) throw new Error('disk full')
        await kept.set(key, value)
      },
    }
    const { act } = conversation({ storage })
    const first = errorOf(act('remember', { text: 'One' }))
    expect((await first).message).to.equal('disk full')
    fails = false
    await act('remember', { text: 'Two' })
    expect(await act('list')).to.have.length(1)
  })
})

describe('damaged storage of memory', () => {
  const good = { text: NUTS, pinned: false, order: 1 }
  const bad: readonly (readonly [key: string, value: unknown])[] = [
    ['fact:__proto__', good],
    ['fact:../../0', good],
    ['fact:00000001', null],
    ['fact:00000002', 'text'],
    ['fact:00000003', { ...good, text: 'a'.repeat(5_000_000) }],
    ['fact:00000004', { ...good, text: ['a'] }],
    ['fact:00000005', { ...good, order: 'first' }],
    ['fact:00000006', { ...good, order: Number.NaN }],
    ['fact:00000007', JSON.parse('{"__proto__": {"text": "a", "pinned": true, "order": 1}}')],
    ['fact:00000008', { text: 'a', order: 1 }],
  ]

  it('is left out with a warning, and cleared', async () => {
    const { act, ask, storage, warnings } = conversation()
    for (const [key, value] of bad) await storage.set(key, value)
    await act('remember', { text: NUTS })
    expect(await act('list')).to.have.length(1)
    expect(textsIn(await ask())).to.deep.equal([NUTS])
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include(`not valid facts: ${bad.length};`).and.include('"clear"')
    expect(await act('clear')).to.deep.equal({ forgotten: 1 })
    expect(await storage.list()).to.deep.equal([])
  })

  it('with more entries than there can be is read as far as there can be', async () => {
    const { act, storage } = conversation({ settings: { max_facts: 1000 } })
    for (let count = 0; count < 1200; count++) {
      const key = `fact:${count.toString(16).padStart(8, '0')}`
      await storage.set(key, { ...good, text: `${count}` })
    }
    expect(await act('list')).to.have.length(1000)
    expect(await errorOf(act('remember', { text: NUTS }))).to.include({ code: 'MEMORY_FULL' })
  })

  it('counts to the facts that may be kept', async () => {
    const { act, storage } = conversation({ settings: { max_facts: 2 } })
    await storage.set('fact:00000001', null)
    await act('remember', { text: 'One' })
    expect(await errorOf(act('remember', { text: 'Two' }))).to.include({ code: 'MEMORY_FULL' })
  })

  it('leaves what is not of its making alone', async () => {
    const { act, storage } = conversation()
    await storage.set('version', 1)
    await act('clear')
    expect(await storage.list()).to.deep.equal(['version'])
  })
})

/** A storage that answers a little later each time, so that what may overlap does. */
function slow(delays: () => number): PluginStorage {
  const { get, set, list, delete: remove } = new MemoryValues().storageOf('memory')
  const wait = async () => {
    for (let count = delays(); count > 0; count--) await Promise.resolve()
  }
  return {
    get: async (key) => wait().then(() => get(key)),
    set: async (key, value) => wait().then(() => set(key, value)),
    list: async (prefix) => wait().then(() => list(prefix)),
    delete: async (key) => wait().then(() => remove(key)),
  }
}

const MOST = 3
const text = fc.constantFrom('a', 'b', 'c', 'd')
const id = text.map((first) => idFor(first, []))
const pinned = fc.boolean()
type Command = readonly [action: string, input: { readonly [field: string]: unknown }]
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(
    fc.constant('remember'),
    fc.record({ text, pinned }, { requiredKeys: ['text'] }) as fc.Arbitrary<Command[1]>,
  ),
  fc.tuple(
    fc.constant('edit'),
    fc.record({ id, text, pinned }, { requiredKeys: ['id', 'text'] }) as fc.Arbitrary<Command[1]>,
  ),
  fc.tuple(fc.constant('forget'), fc.record({ id })),
  fc.tuple(fc.constantFrom('list', 'clear'), fc.constant({})),
  fc.tuple(fc.constant('ask'), fc.constant({})),
)

/** What actions mean, on a list. */
class Model {
  facts: Fact[] = []

  act([action, input]: Command): unknown {
    const given = input as Partial<Fact>
    const at = this.facts.findIndex((fact) => fact.id === given.id)
    const same = this.facts.findIndex((fact) => fact.text === given.text)
    switch (action) {
      case 'remember':
        if (same !== -1) return this.#put(same, { ...this.facts[same], ...given } as Fact)
        if (this.facts.length >= MOST) return 'MEMORY_FULL'
        return this.#put(this.facts.length, {
          id: idFor(given.text ?? '', this.facts),
          text: given.text ?? '',
          pinned: given.pinned ?? false,
        })
      case 'edit':
        if (at === -1) return 'FACT_UNKNOWN'
        if (same !== -1 && same !== at) return 'FACT_EXISTS'
        return this.#put(at, { ...this.facts[at], ...given } as Fact)
      case 'forget':
        return at === -1 ? 'FACT_UNKNOWN' : this.facts.splice(at, 1)[0]
      case 'list':
        return [...this.facts]
      case 'clear':
        return { forgotten: this.facts.splice(0).length }
      default:
        return this.facts.map((fact) => ({ id: fact.id, text: fact.text }))
    }
  }

  #put(at: number, fact: Fact): Fact {
    this.facts[at] = fact
    return fact
  }
}

describe('memory', () => {
  it('is what a list would be after any actions and requests, at once or one after the other', async () => {
    const batches = fc.array(fc.array(command, { minLength: 1, maxLength: 6 }), { maxLength: 6 })
    const delays = fc.infiniteStream(fc.nat({ max: 4 }))
    await fc.assert(
      fc.asyncProperty(batches, delays, async (all, waits) => {
        const storage = slow(() => waits.next().value as number)
        const { act } = conversation({ storage, settings: { max_facts: MOST } })
        const { ask } = conversation({ storage })
        const model = new Model()
        for (const batch of all) {
          // A request resolves its plugins first: it reads when it does, alone or beside the next.
          const answers = batch.map(([action, input]) =>
            action === 'ask'
              ? ask().then((messages) => shownIn(messages))
              : act(action, input).catch((error: { readonly code: string }) => error.code),
          )
          const states = [model.act(['ask', {}])]
          const expected = batch.map((one) => {
            const answer = model.act(one)
            states.push(model.act(['ask', {}]))
            return answer
          })
          for (const [at, answer] of (await Promise.all(answers)).entries()) {
            const isRequest = batch[at]?.[0] === 'ask'
            if (isRequest) expect(states, 'a state between two actions').to.deep.include(answer)
            else expect(answer).to.deep.equal(expected[at])
          }
        }
        expect(await act('list')).to.deep.equal(model.facts)
      }),
      { numRuns: propertyRuns(200, 10) },
    )
  })

  it('that is edited while a request reads it is shown as it was', async () => {
    const kept = new MemoryValues().storageOf('memory')
    let open: () => void = () => undefined
    let begun: () => void = () => undefined
    const isOpen = new Promise<void>((done) => {
      open = done
    })
    const hasBegun = new Promise<void>((done) => {
      begun = done
    })
    const plain = conversation({ storage: kept })
    const { id: first } = (await plain.act('remember', { text: 'One' })) as Fact
    const { id: second } = (await plain.act('remember', { text: 'Two' })) as Fact
    const late = conversation({
      storage: {
        ...kept,
        get: async (key) => {
          begun()
          if (key.endsWith(second)) await isOpen
          return kept.get(key)
        },
      },
    })
    const asked = late.ask()
    await hasBegun
    const edits = Promise.all([
      plain.act('edit', { id: first, text: '1' }),
      plain.act('edit', { id: second, text: '2' }),
    ])
    // All that can go on without the rest of the read has gone on.
    await new Promise((done) => setImmediate(done))
    open()
    expect(textsIn(await asked)).to.deep.equal(['One', 'Two'])
    await edits
    expect(textsIn(await plain.ask())).to.deep.equal(['1', '2'])
  })
})
