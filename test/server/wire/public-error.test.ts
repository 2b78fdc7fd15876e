import { expect } from 'chai'
import { publicError } from '../../../src/server/wire/index.ts'

const refused = (pointer?: string) =>
  publicError({
    code: 'INVALID_REQUEST',
    status: 400,
    message: 'OpenAI answered with status 400: the word is xyzzy',
    ...(pointer === undefined ? {} : { pointer }),
  })

describe('the public form of a refusal by a model API', () => {
  it('names the field that the API refuses, and nothing of what the API said', () => {
    expect(refused('/temperature')).to.deep.equal({
      code: 'INVALID_REQUEST',
      message: 'The model API refused the field "temperature".',
      status: 400,
      pointer: '/temperature',
    })
    expect(refused('/messages/0/content').message).to.include('"messages.0.content"')
  })

  it('says nothing of a refusal where a provider asked no API', () => {
    const error = { code: 'INVALID_REQUEST', message: 'No.', pointer: '/response_format/schema' }
    const { message } = publicError(error)
    expect(message).to.equal('The model does not take the field "response_format.schema".')
  })

  it('names no field of the host’s messages, which the client did not send', () => {
    expect(refused('/messages/0/parts/1')).to.deep.equal({
      code: 'INVALID_REQUEST',
      message:
        'The model does not take a part of the messages, such as a file of its type or size.',
      status: 400,
    })
  })

  it('names the list of messages, but no place in the host’s own', () => {
    for (const pointer of ['/messages', '/2/parts/0', '/messages/2/parts/0']) {
      const error = { code: 'MESSAGES_INVALID' as const, message: 'No result.', pointer }
      expect(publicError(error)).to.include({ status: 400, pointer: '/messages' })
    }
  })

  it('names no field whose name may be a text', () => {
    for (const pointer of [
      undefined,
      '',
      '/',
      '/the word',
      '/a"b',
      `/${'x'.repeat(65)}`,
      '/a'.repeat(10),
    ]) {
      const { message, pointer: shown } = refused(pointer)
      expect(message).to.equal('The model API refused the request.')
      expect(shown).to.equal(undefined)
    }
  })
})
