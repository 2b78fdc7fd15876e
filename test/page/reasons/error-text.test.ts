import { expect } from 'chai'
import '../english.ts'
import { reasonIn } from '../../../src/page/site/chat/answer-stream.ts'
import { errorText, reasonText } from '../../../src/page/site/reasons/error-text.ts'
import { faultText } from '../../../src/page/site/reasons/fault-text.ts'
import { ServerError, UploadError } from '../../../src/page/site/server/errors.ts'
import { publicError } from '../../../src/server/wire/index.ts'
import { errorChunk } from '../../../src/server/wire/ui-message-stream/error.ts'

/** A text of an error in the stream of an answer. */
const streamed = (code: string, message = '') => reasonText(reasonIn(errorChunkText(code, message)))

/** As the server writes it into the stream. */
function errorChunkText(code: string, message: string): string {
  const { errorText: text } = errorChunk(publicError({ code, message })) as Streamed
  return text
}

interface Streamed {
  readonly errorText: string
}

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

  it('say why a token is not valid any more', () => {
    const textFor = (message: string) => errorText(new ServerError(401, 'UNAUTHORIZED', message))
    expect(textFor('The token has expired.')).to.equal('This token has expired.')
    expect(textFor('The token was revoked.')).to.equal('This token was revoked.')
    expect(textFor('Other.')).to.equal('The server does not know this token.')
  })

  it('go by the status for codes of others', async () => {
    expect(await textOf('OTHER', {})).to.equal('Too many requests. Try again in a moment.')
  })

  it('say what to do where a request is too large for the model API', () => {
    const { message } = publicError({ code: 'INVALID_REQUEST', message: 'No.', status: 413 })
    expect(errorText(new ServerError(413, 'REQUEST_TOO_LARGE', message))).to.equal(
      'This conversation, with its files, is larger than the model API takes. Send fewer or smaller files, or go on in a new chat.',
    )
  })

  it('are the same for an answer that has begun', async () => {
    const overloaded = 'The model API is overloaded. Try again in a moment.'
    expect(await textOf('OVERLOADED')).to.equal(overloaded)
    expect(streamed('OVERLOADED')).to.equal(overloaded)
    expect(streamed('STREAM_INTERRUPTED')).to.include('The connection to the model API broke.')
    expect(streamed('TIMEOUT')).to.include('The answer took too long.')
  })

  it('have words for all texts that the server gives in place of details', () => {
    expect(streamed('HOOK_FAILED')).to.include('Its log has the reason.')
    expect(streamed('INVALID_REQUEST')).to.include('The model API refused the request.')
    expect(streamed('INVALID_REQUEST')).not.to.include('INVALID_REQUEST')
    expect(streamed('SPEC_INVALID')).not.to.include('SPEC_INVALID')
    expect(streamed('MODEL_UNKNOWN')).to.include('Choose another model.')
  })

  it('keep a text of others as it is', () => {
    expect(streamed('AGENT_UNKNOWN', 'No "x".')).to.equal('No "x". (AGENT_UNKNOWN)')
    expect(reasonText(reasonIn('It broke.'))).to.equal('It broke.')
  })

  it('name the most that the server takes', () => {
    const told = (bytes: number) => `The body is larger than ${bytes} bytes, the limit in "x".`
    const of = (message: string) => errorText(new ServerError(413, 'REQUEST_TOO_LARGE', message))
    expect(of(told(26_214_400))).to.equal(
      'This is too large for the server. It takes at most 25 MiB.',
    )
    expect(of(told(1536))).to.include('at most 1.5 KiB.')
    expect(of(told(10))).to.include('at most 10 bytes.')
    expect(of('The body has more than 5 values.')).to.equal('This is too large for the server.')
    const full = 'The conversation has reached the limit of 5 bytes of messages.'
    expect(of(full)).to.include('branch off from an earlier message')
  })

  it('name the file that the server does not take, and why', () => {
    const of = (status: number, code: string, message: string) =>
      faultText(new UploadError(new ServerError(status, code, message), 'a.txt'))
    const large = 'The file is larger than 26214400 bytes, the limit in "limits.file".'
    expect(of(413, 'REQUEST_TOO_LARGE', large)).to.equal(
      'The file “a.txt” is too large for the server. It takes at most 25 MiB.',
    )
    expect(of(413, 'STORAGE_QUOTA_EXCEEDED', 'Full.')).to.include('is full. Delete conversations')
    expect(of(0, 'FILE_UNREADABLE', '')).to.include('The file “a.txt” could not be read.')
  })
})
