import { expect } from 'chai'
import { toolNameOf, unhidden } from '../../../src/page/site/message/index.ts'

describe('a text that a person decides by on the page', () => {
  it('has marks of text direction and characters without width visible', () => {
    expect(unhidden('notes-\u202etxt.hs')).to.equal('notes-<U+202E>txt.hs')
    expect(unhidden('rm\u2066\u200b -rf\u2069')).to.equal('rm<U+2066><U+200B> -rf<U+2069>')
    expect(unhidden('a\u{e0041}b\u3164c\ufeffd')).to.equal('a<U+E0041>b<U+3164>c<U+FEFF>d')
    expect(unhidden('a\u0007\u001b[2J')).to.equal('a<U+0007><U+001B>[2J')
    expect(unhidden('a\u200db')).to.equal('a<U+200D>b')
  })

  it('keeps line breaks, tabs, and joiners inside emoji and scripts', () => {
    for (const text of ['a\n\tb', '👩\u200d💻', 'می\u200cخواهم', 'שלום', '\u0601']) {
      expect(unhidden(text)).to.equal(text)
    }
    expect(unhidden('a\r\nb')).to.equal('a\nb')
  })

  it('is the name of a tool too', () => {
    const part = { type: 'tool-a\u202eb', toolCallId: 'c', state: 'input-available' } as const
    expect(toolNameOf(part)).to.equal('a<U+202E>b')
  })
})
