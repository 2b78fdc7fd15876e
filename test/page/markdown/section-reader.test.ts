import { expect } from 'chai'
import fc from 'fast-check'
import { BlockReader } from '../../../src/page/site/markdown/block-reader.ts'
import type { Block } from '../../../src/page/site/markdown/nodes.ts'
import { type Section, SectionReader } from '../../../src/page/site/markdown/section-reader.ts'
import { MAX_CODE, SECTION } from '../../../src/page/site/markdown/section-splitter.ts'
import { propertyRuns } from '../../helpers/cases.ts'

const PART =
  '## Part\n\nLorem **ipsum** dolor.\n\n- one\n- two\n\n```js\nconst a = 1\n\nconst b = 2\n```\n\n'

function read(text: string): readonly Section[] {
  return new SectionReader().read(text, false)
}

function blocksOf({ text, isStreaming, links }: Section): readonly Block[] {
  return new BlockReader('http://x/', links).read(text, isStreaming)
}

const kindsOf = (sections: readonly Section[]) =>
  sections.map((section) => [...new Set(blocksOf(section).map(({ kind }) => kind))])

describe('SectionReader', () => {
  it('leaves a text as one that is not long', () => {
    const sections = read(PART.repeat(300).slice(0, SECTION))
    expect(sections).to.have.length(1)
    expect(read('')).to.deep.equal([{ text: '', isStreaming: false, links: {} }])
  })

  it('divides a long text where a block begins, and reads Markdown to its end', () => {
    const text = PART.repeat(10_000)
    const sections = read(text)
    expect(sections.map((one) => one.text).join('')).to.equal(text)
    for (const section of sections) {
      expect(section.text.length).to.be.at.most(SECTION)
      expect(section.text).to.match(/^(?:##|Lorem|```)/)
    }
    for (const kinds of kindsOf(sections))
      expect(kinds).to.have.members(['heading', 'paragraph', 'list', 'code'])
  })

  it('divides a list between its items, and counts on', () => {
    const items = Array.from({ length: 5000 }, (_, at) => `${at + 1}. item\n      - more of it\n`)
    const sections = read(items.join(''))
    const lists = sections.flatMap(blocksOf)
    expect(lists.every(({ kind }) => kind === 'list')).to.equal(true)
    const ends = lists.map((list) =>
      list.kind === 'list' ? [list.start, (list.start ?? 0) + list.items.length] : [],
    )
    expect(ends.slice(1).map(([start]) => start)).to.deep.equal(
      ends.slice(0, -1).map(([, end]) => end),
    )
  })

  it('repeats the head of a table that it divides', () => {
    const text = `| name | value |\n|:--|--:|\n${'| a cell of words | 1 |\n'.repeat(8000)}`
    for (const section of read(text)) {
      const blocks = blocksOf(section)
      expect(blocks).to.have.length(1)
      expect(blocks[0]).to.deep.include({ kind: 'table', aligns: ['left', 'right'] })
    }
  })

  it('leaves code together with what would be Markdown in it, up to a limit', () => {
    const code = `# a\n\n- b\n`.repeat(10_000)
    const sections = read(`before\n\n\`\`\`\`md\n${code}\`\`\`\n\`\`\`\`\nafter **it**\n`)
    expect(kindsOf(sections)).to.deep.equal([['paragraph'], ['code'], ['paragraph']])
    expect(blocksOf(sections[1] as Section)[0]).to.include({ text: `${code}\`\`\`` })
    const cut = read(`\`\`\`js\n${'a line\n'.repeat(100_000)}`)
    expect(
      cut.map((section) =>
        blocksOf(section).map((block) => [block.kind, block.kind === 'code' && block.language]),
      ),
    ).to.deep.equal(cut.map(() => [['code', 'js']]))
    for (const { text } of cut) expect(text.length).to.be.at.most(MAX_CODE + 6)
  })

  it('divides a line that is too long between words, and no character', () => {
    const words = read('word '.repeat(50_000))
    for (const { text } of words.slice(0, -1)) expect(text).to.match(/ $/)
    for (const { text } of read(`x${'😀'.repeat(40_000)}`))
      expect(() => encodeURIComponent(text)).to.not.throw()
  })

  it('knows the addresses of all sections when the text is complete, but not those in code', () => {
    const links = '[one] and [two]\n\n'
    const named = '[one]: https://one.example\n\n```\n[two]: https://two.example\n```\n'
    const text = `${links}${PART.repeat(500)}${named}${PART.repeat(500)}${links}`
    const reader = new SectionReader()
    const addressesOf = (section: Section | undefined) =>
      JSON.stringify(section ? blocksOf(section) : []).match(/https:[^"]+/g)
    reader.read(text.slice(0, 40_000), true)
    const streaming = reader.read(text, true)
    expect(addressesOf(streaming[0])).to.equal(null)
    expect(addressesOf(streaming.at(-1))).to.deep.equal(['https://one.example/'])
    const whole = reader.read(text, false)
    expect(addressesOf(whole[0])).to.deep.equal(['https://one.example/'])
    expect(whole[1]).to.equal(streaming[1])
  })

  it('keeps the finished sections while the text grows, and begins anew for another text', () => {
    const reader = new SectionReader()
    const before = reader.read(PART.repeat(1000), true)
    const after = reader.read(PART.repeat(1001), true)
    expect(before.length).to.be.above(2)
    expect(after.slice(0, before.length - 1)).to.deep.equal(before.slice(0, -1))
    expect(after.slice(0, before.length - 1).every((one, at) => one === before[at])).to.equal(true)
    expect(reader.read('other', true)).to.deep.equal([
      { text: 'other', isStreaming: true, links: {} },
    ])
  })

  it('makes of pieces what it makes of the whole, wherever it is cut', () => {
    const part = fc.tuple(
      fc.constantFrom(
        PART,
        '- item\n',
        '\r\n',
        '```\n',
        '~~~~\n',
        '| a |\n|---|\n',
        '| b |\n',
        'word ',
        '> q\n',
        '[a]: b\n',
        '   ',
        'é😀',
      ),
      fc.integer({ min: 1, max: 4000 }),
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.integer({ min: 700, max: 9000 }),
        (parts, step) => {
          const text = parts
            .map(([words, times]) => words.repeat(times))
            .join('')
            .slice(0, 300_000)
          const reader = new SectionReader()
          for (let end = 0; end < text.length; end += step) reader.read(text.slice(0, end), true)
          const sections = reader.read(text, false)
          expect(sections.map((one) => one.text)).to.deep.equal(read(text).map((one) => one.text))
        },
      ),
      { numRuns: propertyRuns(50) },
    )
  })
})
