import { expect } from 'chai'
import { type Field, fieldsOfSchema } from '../../../src/cli/settings/fields.ts'
import { aboutOf, shownValue } from '../../../src/cli/settings/show-document.ts'

function field(schema: object): Field {
  const [one] = fieldsOfSchema({ type: 'object', properties: { a: schema } })
  return one ?? expect.fail('no field')
}

const TEXTS = { type: 'array', items: { type: 'string' } }
const TABLE = { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } }

describe('a line of the settings', () => {
  it('says what may stand in a field and its default, but no default that is empty', () => {
    expect(aboutOf(field({ type: 'integer', minimum: 1, maximum: 9, default: 3 }))).to.equal(
      'at least 1; at most 9; default 3',
    )
    expect(aboutOf(field({ ...TEXTS, default: ['x', 'y'] }))).to.equal('default x, y')
    expect(aboutOf(field({ ...TEXTS, default: [] }))).to.equal('')
    expect(aboutOf(field({ type: 'string', default: '' }))).to.equal('')
  })

  it('counts the rows of a table, and says of a secret whether it is set', () => {
    expect(shownValue(field(TABLE), { a: [{ b: 'x' }] }, [])).to.equal('1 row')
    expect(shownValue(field(TABLE), { a: [] }, [])).to.equal('0 rows')
    expect(shownValue(field({ type: 'string' }), { a: 'sesame' }, ['/a'])).to.equal('set')
    expect(shownValue(field({ type: 'string' }), {}, [])).to.equal('not set')
  })
})
