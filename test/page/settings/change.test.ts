import { expect } from 'chai'
import fc from 'fast-check'
import { changeOf, isNothing, touches } from '../../../src/page/site/settings/change.ts'

const SHOWN = {
  temperature: 0.5,
  stop: ['a'],
  settings: { clock: { time_zone: 'UTC', now: 'x' } },
  switches: { clock: true },
}

const values = fc.letrec((tie) => ({
  value: fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f'), tie('value'), { maxKeys: 4 }),
})).object as fc.Arbitrary<{ [key: string]: unknown }>

/** What the server makes of a change. */
function applied(before: object, { data, unset }: ReturnType<typeof changeOf>): unknown {
  const merged = (old: unknown, value: unknown): unknown =>
    isPlain(old) && isPlain(value)
      ? {
          ...old,
          ...Object.fromEntries(
            Object.entries(value).map(([key, inner]) => [
              key,
              merged(Reflect.get(old, key), inner),
            ]),
          ),
        }
      : value
  const whole = structuredClone(merged(before, data)) as { [key: string]: unknown }
  for (const pointer of unset) {
    const keys = pointer.split('/').slice(1)
    const path = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = path.pop() ?? ''
    const parent = path.reduce<unknown>((at, key) => Reflect.get(at as object, key), whole)
    Reflect.deleteProperty(parent as object, last)
  }
  return whole
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('what a person changed in a form', () => {
  it('is what differs, and what is gone', () => {
    const { temperature: _, ...rest } = SHOWN
    const after = { ...rest, stop: ['a', 'b'], settings: { clock: { time_zone: 'UTC' } } }
    expect(changeOf(SHOWN, after)).to.deep.equal({
      data: { stop: ['a', 'b'] },
      unset: ['/temperature', '/settings/clock/now'],
    })
  })

  it('is nothing where nothing differs', () => {
    expect(isNothing(changeOf(SHOWN, structuredClone(SHOWN)))).to.equal(true)
    expect(isNothing(changeOf(SHOWN, { ...SHOWN, temperature: 1 }))).to.equal(false)
  })

  it('makes of the shown values those of the form', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        const change = changeOf(before, after)
        // An emptied object stays as an object, and tells nothing.
        const bare = (value: unknown): unknown =>
          isPlain(value)
            ? Object.fromEntries(
                Object.entries(value).flatMap(([key, inner]) => {
                  const left = bare(inner)
                  return isPlain(left) && Object.keys(left).length === 0 ? [] : [[key, left]]
                }),
              )
            : value
        expect(bare(applied(before, change))).to.deep.equal(bare(after))
      }),
    )
  })

  it('touches places at, above and below it', () => {
    const change = changeOf(SHOWN, { ...SHOWN, switches: { clock: false } })
    const touched = (pointer: string) => touches(change, [pointer])
    expect(
      ['/switches', '/switches/clock', '/switches/clock/x', '', '/switches/cloc'].map(touched),
    ).to.deep.equal([true, true, true, true, false])
    expect(touches({ data: {}, unset: ['/model'] }, ['/model'])).to.equal(true)
  })
})
