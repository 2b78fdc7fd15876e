import { expect } from 'chai'
import { fillString } from '../../../providers/scripted/instance-strings.ts'

/** Of each format some characters that every text of it has. */
const FORMATS: { readonly [format: string]: RegExp } = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  time: /^\d\d:\d\d:\d\dZ$/,
  duration: /^P(?=.)(\d+D)?(T\d+[HMS])?$/,
  email: /^\w+@\w+\.\w+$/,
  hostname: /^\w+\.\w+$/,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  ipv6: /^[\da-f:]+::[\da-f]+$/,
  uri: /^https:\/\/\w+\.\w+\/$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
}

describe('a text that the scripted provider fills in', () => {
  for (const [format, pattern] of Object.entries(FORMATS)) {
    it(`has the format "${format}"`, () => {
      expect(fillString({ format }, 'name', 'hello')).to.match(pattern)
    })
  }

  it('is an example of the schema, if there is one', () => {
    expect(fillString({ examples: ['one', 'two'], format: 'date' }, 'a', 'b')).to.equal('one')
    expect(fillString({ example: 'one' }, 'a', 'b')).to.equal('one')
  })

  it('is the answer for a name that means it, and else the name itself', () => {
    expect(fillString({}, 'summary', 'hello')).to.equal('hello')
    expect(fillString({ format: 'unknown' }, 'first_name', 'hello')).to.equal('first name')
  })
})
