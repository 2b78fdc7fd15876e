import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import type { ActionContext, Config, ToolOutput } from '../../src/plugin/index.ts'
import { indexOf } from '../../tools/search-docs/document-index.ts'
import { Documents } from '../../tools/search-docs/documents.ts'
import searchDocs from '../../tools/search-docs/index.ts'
import { Pace } from '../../tools/search-docs/pace.ts'
import { passagesOf } from '../../tools/search-docs/passages.ts'
import { Ranking } from '../../tools/search-docs/rank.ts'
import { readSettings } from '../../tools/search-docs/settings.ts'
import { wordsOf } from '../../tools/search-docs/words.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { errorOf } from '../helpers/plugins.ts'

interface Found {
  readonly path: string
  readonly heading: string
  readonly from_line: number
  readonly to_line: number
  readonly excerpt: string
}

describe('search-docs', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'docs-'))
    await mkdir(join(root, 'guide'))
    await writeFile(
      join(root, 'guide', 'bread.md'),
      '# Bread\nOf flour.\n\n## Baking\nBake the loaves for an hour.\n',
    )
    await writeFile(join(root, 'soup.txt'), 'Soup is cooked for an hour, and not baked.\n')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  function configOf(settings: object = {}): Config {
    return { enabled_plugins: ['search-docs'], settings: { 'search-docs': { root, ...settings } } }
  }

  async function call(query: string, settings: object = {}, signal = new AbortController().signal) {
    const state = searchDocs.init(configOf(settings))
    const call = { callId: 'c', name: 'search_docs', input: { query } }
    return (await searchDocs.executeTool(call, state, { signal } as ActionContext)) as ToolOutput
  }

  async function search(query: string, settings: object = {}): Promise<readonly Found[]> {
    const { output } = await call(query, settings)
    return (output as { results: readonly Found[] }).results
  }

  it('finds documents in 32 folders within each other, and in no more', async () => {
    const levels = Array.from({ length: 33 }, (_, at) => `f${at + 1}`)
    await mkdir(join(root, ...levels), { recursive: true })
    for (const depth of [32, 33])
      await writeFile(join(root, ...levels.slice(0, depth), 'deep.txt'), `A marmot at ${depth}.\n`)
    const found = await search('marmot')
    expect(found.map(({ excerpt }) => excerpt.trim())).to.deep.equal(['A marmot at 32.'])
  })

  it('finds passages with their place, the best first', async () => {
    const [first, second] = await search('baking hour')
    expect(first).to.deep.include({
      path: 'guide/bread.md',
      heading: 'Bread > Baking',
      from_line: 4,
      to_line: 5,
      excerpt: '## Baking\nBake the loaves for an hour.',
    })
    expect(second).to.include({ path: 'soup.txt', heading: '', from_line: 1 })
  })

  it('answers with nothing where nothing fits', async () => {
    expect(await search('xylophone')).to.deep.equal([])
    expect((await call('!?')).isError).to.equal(true)
  })

  it('shows as many as its limit', async () => {
    expect(await search('hour', { max_results: 1 })).to.have.length(1)
  })

  it('shows of a long passage what is around the words', async () => {
    await writeFile(
      join(root, 'long.txt'),
      `${'filler line\n'.repeat(30)}the needle\n${'more\n'.repeat(9)}${'x '.repeat(800)}`,
    )
    const [first] = await search('needle')
    expect(first?.excerpt).to.include('needle').and.have.length.below(700)
    expect(first?.excerpt).to.match(/^… .* …$/s)
    await writeFile(join(root, 'long.txt'), `the needle\n${'more '.repeat(200)}`)
    const [early] = await search('needle')
    expect(early?.excerpt).to.match(/^the needle\n.* …$/s)
  })

  it('notices what changed, came and went, and indexes nothing again that did not', async () => {
    const documents = new Documents(readSettings(configOf()))
    const { signal } = new AbortController()
    const find = async (query: string) => (await documents.current(signal)).ranking.search(query, 5)
    const [flour] = await find('flour')
    await writeFile(join(root, 'soup.txt'), 'Now of dumplings.')
    await writeFile(join(root, 'new.md'), '# Tea')
    expect(await find('dumplings')).to.have.length(1)
    expect(await find('cooked')).to.deep.equal([])
    expect(await find('tea')).to.have.length(1)
    await rm(join(root, 'new.md'))
    expect(await find('tea')).to.deep.equal([])
    expect((await find('flour'))[0]?.passage).to.equal(flour?.passage)
  })

  it('is cancelled in the middle of a document, and keeps those that are complete', async () => {
    await mkdir(join(root, 'z'))
    await writeFile(
      join(root, 'z', 'large.txt'),
      `${'many different words '.repeat(10)}\n`.repeat(4_500),
    )
    const documents = new Documents(readSettings(configOf()))
    let looks = 0
    const throwIfAborted = () => {
      // Behind the entries of the three folders, only slices of an index look.
      if (++looks > 5) throw new Error('cancelled')
    }
    const cancelled = documents.current({ throwIfAborted } as AbortSignal)
    expect(await errorOf(cancelled)).to.have.property('message', 'cancelled')
    const { ranking } = await documents.current(new AbortController().signal)
    expect(ranking.search('hour', 5)).to.have.length(2)
    expect(ranking.search('different', 500)).to.have.length.above(50)
  })

  it('leaves out what is no document, and says what it could not read', async () => {
    await symlink('/etc/passwd', join(root, 'link.txt'))
    await writeFile(join(root, 'program.js'), 'hour')
    await writeFile(join(root, 'binary.txt'), 'hour\0')
    await writeFile(join(root, 'large.txt'), 'hour '.repeat(100))
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'pipe.txt')])
    const { output } = await call('hour root', { max_file_bytes: 400 })
    const { results, not_searched } = output as {
      results: readonly Found[]
      not_searched: string[]
    }
    expect(results.map(({ path }) => path)).to.have.members(['guide/bread.md', 'soup.txt'])
    expect(not_searched).to.deep.equal(['binary.txt', 'large.txt'])
    const few = (await call('hour', { max_files: 1 })).output as { not_searched: string[] }
    expect(few.not_searched.at(-1)).to.include('first 1')
  })

  it('leaves out documents beyond the total, and says how many behind the first names', async () => {
    const { output } = await call('hour', { max_total_bytes: 50 })
    expect(output).to.have.property('results').with.length(1)
    expect(output)
      .to.have.property('not_searched')
      .that.deep.equals(['documents beyond a total of 50 bytes: 1'])
    for (let at = 0; at < 25; at++) await writeFile(join(root, `b${at}.txt`), 'hour\0')
    const many = (await call('hour', { max_total_bytes: 50 })).output as { not_searched: string[] }
    expect(many.not_searched).to.have.length(22)
    expect(many.not_searched.slice(-2).join()).to.equal(
      'more documents: 5,documents beyond a total of 50 bytes: 1',
    )
  })

  it('reads UTF-8 and UTF-16, and leaves out other bytes', async () => {
    const text = 'Überstunden im März'
    const utf16 = Buffer.from(text, 'utf16le')
    const files = {
      'latin.txt': Buffer.from(text, 'latin1'),
      'marked.txt': Buffer.from(`\ufeff${text}`),
      'little.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      'big.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
      'odd.txt': Buffer.from([0xff, 0xfe, 0x41]),
    }
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, name), bytes)
    const { output } = await call('Überstunden')
    const { results, not_searched } = output as {
      results: readonly Found[]
      not_searched: string[]
    }
    expect(results.map(({ path }) => path)).to.have.members(['big.txt', 'little.txt', 'marked.txt'])
    expect(new Set(results.map(({ excerpt }) => excerpt))).to.deep.equal(new Set([text]))
    expect(not_searched).to.deep.equal(['latin.txt', 'odd.txt'])
  })

  it('leaves out names that begin with a dot', async () => {
    await writeFile(join(root, '.notes.md'), 'An hour.')
    await writeFile(join(root, '.md'), 'An hour.')
    await mkdir(join(root, '.hidden'))
    await writeFile(join(root, '.hidden', 'a.md'), 'An hour.')
    expect((await call('hour')).output).to.not.have.property('not_searched')
    const paths = (await search('hour')).map(({ path }) => path)
    expect(paths).to.have.members(['guide/bread.md', 'soup.txt'])
  })

  it('reads nothing of a folder that becomes a link while it is looked at', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    await writeFile(join(outside, 'bread.md'), 'A secret hour.')
    const guide = join(root, 'guide')
    let looks = 0
    const throwIfAborted = () => {
      // Its two entries, and the one of the folder in it.
      if (++looks !== 3) return
      rmSync(guide, { recursive: true })
      symlinkSync(outside, guide)
    }
    const documents = new Documents(readSettings(configOf()))
    const { ranking, skipped } = await documents.current({ throwIfAborted } as AbortSignal)
    expect(looks).to.be.at.least(3)
    expect(ranking.search('secret', 5)).to.deep.equal([])
    expect(skipped).to.deep.equal([join('guide', 'bread.md')])
    await rm(outside, { recursive: true })
  })

  it('may have a link as its folder', async () => {
    const link = join(root, 'link')
    await symlink(join(root, 'guide'), link)
    expect(await search('hour', { root: link })).to.have.length(1)
  })

  it('says that its folder is not there', async () => {
    expect((await call('hour', { root: join(root, 'none') })).output)
      .to.include('ENOENT')
      .and.include('settings.search-docs.root')
    expect((await call('hour', { root: join(root, 'soup.txt') })).output).to.include('ENOTDIR')
  })

  it('ends where the call is cancelled, and goes on for the next', async () => {
    expect(await errorOf(call('hour', {}, AbortSignal.abort()))).to.have.property(
      'name',
      'AbortError',
    )
    expect(await search('hour')).to.have.length(2)
    const both = await Promise.all([search('hour'), search('flour')])
    expect(both.map((found) => found.length)).to.deep.equal([2, 1])
  })

  describe('cuts documents', () => {
    it('by headings of both kinds, and not in code', () => {
      const text =
        'Intro\n=====\na\n\nPart\n----\nb\n```sh\n# no heading\n```\n### Deep ###\nc\n# Next\nd'
      const shown = passagesOf('a.md', text).map(({ heading, from_line }) => [heading, from_line])
      expect(shown).to.deep.equal([
        ['Intro', 1],
        ['Intro > Part', 5],
        ['Intro > Part > Deep', 11],
        ['Next', 13],
      ])
    })

    it('where a paragraph ends, if they are long', () => {
      const passages = passagesOf('a.txt', `${'line\n'.repeat(45)}\n${'more\n'.repeat(200)}`)
      expect(passages.map(({ to_line }) => to_line).slice(0, 2)).to.deep.equal([45, 125])
    })

    it('without losing a line, whatever is in them', () => {
      const line = fc.constantFrom(
        '# A',
        '## B',
        'text',
        '',
        '```',
        '===',
        '---',
        '- item',
        '> quote',
        '    # code',
      )
      fc.assert(
        fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
          const passages = passagesOf('a.md', lines.join('\n'))
          const kept = passages
            .map(({ text }) => text)
            .join('\n')
            .replaceAll(/\s/g, '')
          expect(kept).to.equal(lines.join('').replaceAll(/\s/g, ''))
          for (const [at, { from_line, to_line }] of passages.entries()) {
            expect(from_line).to.be.above(passages[at - 1]?.to_line ?? 0)
            expect(to_line).to.be.within(from_line, lines.length)
          }
        }),
      )
    })
  })

  it('compares words without case, accents and plurals, in any script', () => {
    expect(wordsOf('Crème BRÛLÉES, glass 2x')).to.deep.equal(['creme', 'brulee', 'glass', '2x'])
    expect(wordsOf('東京 tower')).to.deep.equal(['東', '京', 'tower'])
    expect(wordsOf('Москва')).to.deep.equal(wordsOf('МОСКВА'))
  })

  it('ranks rare words above common ones, and short passages above long ones', async () => {
    const passage = (text: string) => ({ path: text, heading: '', from_line: 1, to_line: 1, text })
    const texts = ['common rare', 'common a', 'common b', `common ${'x '.repeat(50)}`]
    const pace = new Pace(new AbortController().signal)
    const ranking = new Ranking([await indexOf(texts.map(passage), pace)])
    const found = ranking.search('common rare', 4)
    expect(found[0]?.passage.text).to.equal('common rare')
    expect(found.at(-1)?.passage.text).to.include('x x')
    const apart = await Promise.all(texts.map((text) => indexOf([passage(text)], pace)))
    expect(new Ranking(apart).search('common rare', 4)).to.deep.equal(found)
    expect(new Ranking(apart).search('common', 2)).to.deep.equal(
      ranking.search('common', 4).slice(0, 2),
    )
    expect(ranking.search('constructor __proto__', 4)).to.deep.equal([])
  })

  it('is off until it is asked for, and offers nothing without a folder', async () => {
    const host = await scriptedHost([searchDocs])
    const toolsOf = async (config: Config) => (await host.resolve(config)).enabled.tools
    expect(await toolsOf({ settings: { 'search-docs': { root } } })).to.deep.equal([])
    expect(await toolsOf({ enabled_plugins: ['search-docs'] })).to.deep.equal(['search-docs'])
    expect(await host.toolSchemas({ enabled_plugins: ['search-docs'] })).to.deep.equal([])
    expect(await host.toolSchemas(configOf())).to.have.length.above(0)
    expect(await toolsOf(configOf())).to.deep.equal(['search-docs'])
  })

  it('refuses settings that are wrong', () => {
    for (const settings of [
      { root: '' },
      { endings: 'md' },
      { max_results: 0 },
      { max_files: 1.5 },
    ]) {
      expect(() => readSettings(configOf(settings)))
        .to.throw()
        .with.property('code', 'SETTINGS_INVALID')
    }
  })
})
