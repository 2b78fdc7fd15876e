import { expect } from 'chai'
import fc from 'fast-check'
import { BlockReader } from '../../../src/page/site/markdown/block-reader.ts'
import type { Block } from '../../../src/page/site/markdown/nodes.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

const BASE = 'http://127.0.0.1:8080/chat/'

function read(text: string): readonly Block[] {
  return new BlockReader(BASE).read(text)
}

/** The blocks after each piece of a text that streams, and those of the complete text. */
function stream(...pieces: readonly string[]) {
  const reader = new BlockReader(BASE)
  let text = ''
  const seen = pieces.map((piece) => {
    text += piece
    return reader.read(text, true)
  })
  return { seen, whole: reader.read(text) }
}

const text = (words: string) => ({ kind: 'text', text: words })
const paragraph = (words: string) => ({ kind: 'paragraph', children: [text(words)] })

/** All nodes of blocks, however deep. */
function nodesIn(value: unknown): readonly { readonly [field: string]: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(nodesIn)
  return 'kind' in value ? [value, ...inner] : inner
}

describe('BlockReader', () => {
  it('reads tables, tasks, code and lists', () => {
    expect(read('| a | b |\n|:-:|--:|\n| 1 |')).to.deep.equal([
      {
        kind: 'table',
        aligns: ['center', 'right'],
        header: [[text('a')], [text('b')]],
        rows: [[[text('1')], []]],
      },
    ])
    expect(read('- [x] done\n- [ ] open')).to.deep.equal([
      {
        kind: 'list',
        items: [
          { isDone: true, blocks: [{ kind: 'line', children: [text('done')] }] },
          { isDone: false, blocks: [{ kind: 'line', children: [text('open')] }] },
        ],
      },
    ])
    expect(read('3. a')).to.have.nested.property('[0].start', 3)
    expect(read('```ts title="x"\nlet a\n```')).to.deep.equal([
      { kind: 'code', language: 'ts', text: 'let a', isOpen: false },
    ])
  })

  it('shows HTML as text', () => {
    expect(read('<b>bold</b> *em*')).to.deep.equal([
      {
        kind: 'paragraph',
        children: [text('<b>bold</b> '), { kind: 'em', children: [text('em')] }],
      },
    ])
    expect(read('<script>\nalert(1)\n</script>')).to.deep.equal([
      paragraph('<script>\nalert(1)\n</script>'),
    ])
  })

  it('follows links to web pages and mail alone', () => {
    const addressOf = (markdown: string) =>
      nodesIn(read(markdown)).find(({ kind }) => kind === 'link')?.['address']
    expect(addressOf('[a](https://example.org/?a=1&amp;b=2)')).to.equal(
      'https://example.org/?a=1&b=2',
    )
    expect(addressOf('<me@example.org>')).to.equal('mailto:me@example.org')
    expect(addressOf('see www.example.org')).to.equal('http://www.example.org/')
    for (const href of ['/own', 'javascript:1', 'data:text/html,a', 'ftp://a', 'blob:a', '#a']) {
      expect(addressOf(`[a](${href})`), href).to.equal(undefined)
    }
    for (const place of ['#token=a', 'x?b#c=1&token=a', '#%74oken=a', '#&#116;oken=a']) {
      const href = `http://127.0.0.1:8080/${place}`
      expect(addressOf(`[a](${href})`), href).to.equal(undefined)
      expect(addressOf(`![a](${href.replace('127.0.0.1', 'localhost')})`), href).to.equal(undefined)
    }
    expect(addressOf('[a](https://a.example/#tokens)')).to.equal('https://a.example/#tokens')
  })

  it('shows images of the page, and links to others', () => {
    const imageOf = (href: string) => nodesIn(read(`![alt](${href})`)).at(-1)
    const own = { kind: 'image', alt: 'alt' }
    for (const address of ['data:image/png;base64,AAAA', 'blob:http://127.0.0.1:8080/a']) {
      expect(imageOf(address)).to.deep.equal({ ...own, address })
    }
    expect(imageOf('/a.png')).to.deep.equal({ ...own, address: 'http://127.0.0.1:8080/a.png' })
    for (const href of ['//leak.example/a', 'https://leak.example/a', 'http://127.0.0.1:80/a']) {
      expect(imageOf(href), href).to.include({ kind: 'remote-image' })
    }
    for (const href of ['data:text/html,a', 'javascript:1', 'blob:https://leak.example/a']) {
      expect(imageOf(href), href).to.deep.equal(text('alt'))
    }
  })

  it('makes hidden characters visible, also those that are only named', () => {
    expect(read('a\u202eb\u0000c &#x202e;&#7;d')).to.deep.equal([
      paragraph('a\ufffdb\ufffdc \ufffd\ufffdd'),
    ])
    expect(read('`a\u2066`')).to.have.nested.property('[0].children[0].text', 'a\ufffd')
  })

  it('lets no address through that is not of its kinds, in any hostile text', () => {
    for (const hostile of HOSTILE_TEXTS) {
      for (const { kind, address } of nodesIn(read(hostile))) {
        if (kind === 'link' || kind === 'remote-image') expect(address).to.match(/^https?:/)
        if (kind === 'image')
          expect(address).to.match(/^(?:data:image\/|http:\/\/127\.0\.0\.1:8080\/)/)
      }
    }
  })

  it('keeps the blocks that are finished while a text grows, and when it is complete', () => {
    const { seen, whole } = stream('# One\n\nfirst\n\n', 'second\n\n', 'th', 'ird\n\n', 'last')
    for (const blocks of seen.slice(2)) expect(blocks[0]).to.equal(seen[1]?.[0])
    expect(seen[4]?.[1]).to.equal(seen[3]?.[1])
    expect(whole[1]).to.equal(seen[4]?.[1])
    expect(whole).to.deep.equal(read('# One\n\nfirst\n\nsecond\n\nthird\n\nlast'))
  })

  it('shows a fence as code before it is closed', () => {
    const { seen } = stream('``', '`js\n', 'let a\n', '``', '`\n')
    const code = { kind: 'code', language: 'js', text: '', isOpen: true }
    expect(seen).to.deep.equal([
      [],
      [code],
      [{ ...code, text: 'let a' }],
      [{ ...code, text: 'let a' }],
      [{ ...code, text: 'let a', isOpen: false }],
    ])
  })

  it('shows a table from its first cells on', () => {
    const { seen } = stream('Look:\n\n|', ' a ', '| b |', '\n|', '--', '|--|', '\n', '| 1')
    const kinds = seen.map((blocks) => blocks.at(-1)?.kind)
    expect(kinds).to.deep.equal(['paragraph', ...Array.from({ length: 7 }, () => 'table')])
    expect(seen.map((blocks) => nodesIn(blocks).length)).to.deep.equal([2, 4, 5, 5, 5, 5, 5, 6])
  })

  it('holds a last line back that only begins something', () => {
    for (const begun of ['-', '1.', '- [', '##', '===', '---', '> ', '``']) {
      expect(stream(`text\n${begun}`).seen.at(-1), begun).to.deep.equal([paragraph('text')])
    }
    expect(stream('text\n- a').seen.at(-1)).to.have.length(2)
  })

  it('knows an address that a later line names when the text is complete', () => {
    const { whole } = stream('[a]\n\nb\n\nc\n\n', '[a]: https://example.org\n')
    expect(whole).to.have.nested.property('[0].children[0].kind', 'link')
  })

  it('begins anew where another text comes', () => {
    const reader = new BlockReader(BASE)
    reader.read('one\n\ntwo\n\nthree', true)
    expect(reader.read('other', true)).to.deep.equal([paragraph('other')])
    expect(reader.read('other')).to.deep.equal([paragraph('other')])
    expect(reader.read('other, longer', true)).to.deep.equal([paragraph('other, longer')])
  })

  it('makes of pieces what it makes of the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { whole } = stream(...pieces)
        expect(whole).to.deep.equal(read(pieces.join('')))
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})

const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    ' ',
    '  ',
    '    ',
    '- ',
    '* ',
    '1. ',
    '# ',
    '> ',
    '```',
    '~~~',
    '|',
    '|a|b|\n',
    '|-|-|\n',
    '===',
    '---',
    '**',
    '*',
    '_',
    '`',
    '[a]',
    '(b)',
    '[a]: c\n',
    '![',
    '](',
    '$',
    '$$',
    '\\(',
    '\\)',
    '<b>',
    '</b>',
    '&amp;',
    '&#',
    'word',
    '\\',
    '~~',
  ),
  fc.string({ maxLength: 4 }),
)
