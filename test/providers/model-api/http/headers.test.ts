import { expect } from 'chai'
import { headersOf } from '../../../../providers/model-api/http/headers.ts'

describe('the headers of a response', () => {
  it('are all there in small letters but for cookies, whatever their names', () => {
    const response = new Response('', {
      headers: [
        ['X-Id', 'a'],
        ['__proto__', 'b'],
      ],
    })
    // A response of `fetch` shows cookies, which one made here does not.
    const entries = [...response.headers.entries(), ['Set-Cookie', 'c=d']].values()
    const headers = headersOf({ headers: { entries: () => entries } } as unknown as Response)
    expect(Object.entries(headers).filter(([name]) => name !== 'content-type')).to.deep.equal([
      ['__proto__', 'b'],
      ['x-id', 'a'],
    ])
  })
})
