import { expect } from 'chai'
import type { FileInput } from '../../src/ai-sdk/call-types.ts'
import { UnsupportedContentError } from '../../src/ai-sdk/errors.ts'
import { fileOf } from '../../src/ai-sdk/files.ts'

const base64 = (content: string) => Buffer.from(content, 'latin1').toString('base64')

/** The beginnings of files, as the formats define them. */
const FILES: readonly (readonly [mediaType: string, data: string])[] = [
  ['image/png', base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['image/jpeg', base64('\xff\xd8\xff\xe0\0\x10JFIF\0')],
  ['image/gif', base64('GIF89a\x01\0\x01\0')],
  ['image/webp', base64('RIFF\x24\0\0\0WEBPVP8 ')],
  ['application/pdf', base64('%PDF-1.7\n')],
]

describe('a file of a prompt', () => {
  for (const [mediaType, data] of FILES) {
    const [kind = ''] = mediaType.split('/')
    for (const given of [kind, `${kind}/*`]) {
      it(`of the kind "${given}" is known to be ${mediaType} by its first bytes`, () => {
        const file: FileInput = { type: 'file', data, mediaType: given }
        expect(fileOf(file)).to.deep.equal({ type: 'file', mediaType, data })
      })
    }
  }

  it('is not taken for a kind that it was not said to be', () => {
    for (const [mediaType, data] of FILES) {
      const given = mediaType.startsWith('image/') ? 'application/*' : 'image/*'
      expect(() => fileOf({ type: 'file', data, mediaType: given })).to.throw(
        UnsupportedContentError,
        `a file of the media type "${given}"; name the full type`,
      )
    }
  })
})
