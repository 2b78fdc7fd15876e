import { expect } from 'chai'
import '../english.ts'
import { errorText } from '../../../src/page/site/reasons/error-text.ts'
import { ServerError } from '../../../src/page/site/server/errors.ts'

async function textOf(code: string, headers: { readonly [name: string]: string } = {}) {
  const body = JSON.stringify({ error: { code, message: 'Not now.' } })
  return errorText(await ServerError.of(new Response(body, { status: 429, headers })))
}

describe('errors in words', () => {
  it('tell a quota that is used up from too many requests', async () => {
    expect(await textOf('QUOTA_EXCEEDED')).to.equal(
      'The quota of the model API is used up. Only the operator of the server can change this.',
    )
  })

  it('say who limits requests, and when to try again', async () => {
    const times = {
      '1': 'in a moment',
      '90': 'in 90 seconds',
      '600': 'in 10 minutes',
      '86000': 'in 24 hours',
    }
    for (const [seconds, when] of Object.entries(times)) {
      const headers = { 'retry-after': seconds }
      expect(await textOf('RATE_LIMITED', headers)).to.equal(
        `The model API limits the requests of this server. Try again ${when}.`,
      )
      expect(await textOf('TOO_MANY_REQUESTS', headers)).to.equal(
        `Too many requests. Try again ${when}.`,
      )
    }
  })

  it('name no time that the server has not named in seconds', async () => {
    const date = { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }
    expect(await textOf('TOO_MANY_REQUESTS', date)).to.include('Try again in a moment.')
  })

  it('go by the status for codes of others', async () => {
    expect(await textOf('OTHER', {})).to.equal('Too many requests. Try again in a moment.')
  })
})
