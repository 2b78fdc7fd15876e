import { expect } from 'chai'
import fc from 'fast-check'
import { type Change, changesBetween } from '../../../src/core/dry-run/changes.ts'
import { json } from '../../helpers/arbitraries.ts'

/** A value whose members tests may change. */
interface Holder {
  [key: string]: unknown
}

/** Applies changes one after another, as a reader of them would. */
function applied(before: unknown, changes: readonly Change[]): unknown {
  const root: Holder = { root: structuredClone(before) }
  for (const change of changes) {
    const keys = change.path.split('/').slice(1).map(unescaped)
    const last = keys.pop()
    const holder = ['root', ...keys].slice(0, last === undefined ? 0 : undefined)
    const at = holder.reduce<unknown>((value, key) => (value as Holder)[key], root)
    applyAt(at as Holder | unknown[], last ?? 'root', change)
  }
  return root['root']
}

function applyAt(holder: Holder | unknown[], key: string, change: Change): void {
  const isAdded = !('before' in change)
  if (Array.isArray(holder)) {
    const added = 'after' in change ? [structuredClone(change.after)] : []
    expect(Number(key)).to.be.at.most(holder.length)
    const replaced = holder.splice(Number(key), isAdded ? 0 : 1, ...added)
    if (!isAdded) expect(replaced).to.deep.equal([change.before])
    return
  }
  expect(Object.hasOwn(holder, key)).to.equal(!isAdded)
  if (!isAdded) expect(holder[key]).to.deep.equal(change.before)
  if ('after' in change) holder[key] = structuredClone(change.after)
  else delete holder[key]
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Two values that have much in common. */
const similar = fc
  .tuple(fc.array(json, { maxLength: 8 }), fc.infiniteStream(fc.nat(3)))
  .map(([items, choices]) => {
    const after = items.flatMap((item) => {
      const choice = choices.next().value ?? 0
      if (choice === 0) return []
      if (choice === 1) return [item, { role: 'user', more: item }]
      return [item]
    })
    return [items, after] as const
  })

const texts = (role: string, ...all: readonly string[]) => ({
  role,
  parts: all.map((text) => ({ type: 'text', text })),
})

describe('the changes between two values', () => {
  it('make the second of the first', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(json, json), similar), ([before, after]) => {
        expect(applied(before, changesBetween(before, after))).to.deep.equal(after)
      }),
    )
  })

  it('are none between equal values, whatever the order of their members', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(changesBetween(value, reversed(value))).to.deep.equal([])
      }),
    )
  })

  it('take back what they did, in the other direction', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const there = applied(before, changesBetween(before, after))
        expect(applied(there, changesBetween(after, before))).to.deep.equal(before)
      }),
    )
  })

  it('name a text that has changed in the middle of messages, and nothing else', () => {
    const before = [texts('user', 'a'), texts('assistant', 'b', 'c'), texts('user', 'd')]
    const after = [texts('user', 'a'), texts('assistant', 'b', 'C'), texts('user', 'd')]
    expect(changesBetween(before, after)).to.deep.equal([
      { path: '/1/parts/1/text', before: 'c', after: 'C' },
    ])
  })

  it('insert a message in front without a word about the others', () => {
    const first = texts('system', 'be short')
    const before = [texts('user', 'a'), texts('assistant', 'b')]
    expect(changesBetween(before, [first, ...before])).to.deep.equal([{ path: '/0', after: first }])
  })

  it('remove messages from the last one on', () => {
    const all = [texts('user', 'a'), texts('assistant', 'b'), texts('user', 'c')]
    expect(changesBetween(all, all.slice(2))).to.deep.equal([
      { path: '/1', before: all[1] },
      { path: '/0', before: all[0] },
    ])
  })

  it('replace a message of another role as a whole', () => {
    const [before, after] = [texts('user', 'a'), texts('system', 'a')]
    expect(changesBetween([before], [after])).to.deep.equal([{ path: '/0', before, after }])
  })

  it('escape keys in pointers', () => {
    expect(changesBetween({ 'a/b~': 1 }, { 'a/b~': 2 })).to.deep.equal([
      { path: '/a~1b~0', before: 1, after: 2 },
    ])
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]))
}
