import { expect } from 'chai'
import { fileAt } from '../../../src/server/wire/file-address.ts'

describe('a file at an address', () => {
  const TYPES: { readonly [ending: string]: string } = {
    gif: 'image/gif',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    mp3: 'audio/mpeg',
    pdf: 'application/pdf',
    png: 'image/png',
    txt: 'text/plain',
    wav: 'audio/wav',
    webp: 'image/webp',
  }
  for (const [ending, mediaType] of Object.entries(TYPES)) {
    it(`has the media type of its ending: ${ending}`, () => {
      const url = `https://files.test/a.${ending}`
      expect(fileAt(url)).to.deep.equal({ file: { type: 'file', mediaType, url } })
    })
  }
})
