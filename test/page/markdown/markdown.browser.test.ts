import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../../browser/program.ts'
import { ofCommit } from '../../helpers/cases.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { LARGE_TEXTS } from './large-texts.ts'
import { MarkdownPage, type PageJob, type PageShown } from './markdown-page.ts'

const CODE = 'Code:\n\n```ts\nconst a = 1 < 2\n```\n'

const LONG = '## Part\n\nLorem **ipsum**\n\n```js\nconst a = 1\n```\n\n'.repeat(3000)

const LARGE = ofCommit(Object.keys(LARGE_TEXTS), 8)

const JOBS: readonly PageJob[] = [
  ...HOSTILE_TEXTS.map((show) => ({
    name: show,
    steps: [{ show: show.slice(0, -3), isStreaming: true }, { show }],
  })),
  ...LARGE.map((name) => ({ name, steps: [{ show: LARGE_TEXTS[name] as string }] })),
  { name: 'code', steps: [{ show: CODE }, { waitFor: '.hljs-keyword' }, { press: 'Copy' }] },
  {
    name: 'long',
    steps: [
      { show: LONG },
      { waitFor: '.markdown:not(:has(.markdown-section > .markdown-plain))' },
    ],
  },
  {
    name: 'long code',
    steps: [{ show: `\`\`\`js\n${'a line\n'.repeat(20_000)}` }, { press: 'Copy' }],
  },
  { name: 'open code', steps: [{ show: '```ts\nconst a', isStreaming: true }] },
  { name: 'unknown language', steps: [{ show: '```nothing\nconst a\n```' }] },
  {
    name: 'growing',
    steps: [
      { show: '# One\n\nfirst\n\nsec', isStreaming: true },
      { mark: 'h3' },
      { show: '# One\n\nfirst\n\nsecond\n\nthird\n\n| a', isStreaming: true },
      { isMarked: 'h3' },
      { mark: 'table' },
      { show: '# One\n\nfirst\n\nsecond\n\nthird\n\n| a |\n|---|\n| 1 |' },
      { isMarked: 'h3' },
      { isMarked: 'table' },
    ],
  },
  {
    name: 'links',
    steps: [
      {
        show: '[a](https://example.org "t") ![b](https://example.com/c.png) ![](data:image/png;base64,)',
      },
    ],
  },
  { name: 'table', steps: [{ show: '| a |\n|--:|\n| 1 |\n\n- [x] one' }] },
]

describe('Markdown on a page', function () {
  this.timeout(180_000)
  let page: MarkdownPage
  let pages: ReadonlyMap<string, PageShown>

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`"${this.test?.parent?.title}" is skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    page = await MarkdownPage.start()
    pages = await page.use(JOBS)
  })
  after(() => page?.stop())

  function shown(name: string): PageShown {
    const one = pages.get(name) ?? expect.fail(`no page ${name}`)
    expect({ thrown: one.thrown, said: one.said }, name).to.deep.equal({
      thrown: undefined,
      said: [],
    })
    return one
  }

  /** The scripts that the page loaded after its first ones. */
  const loadedBy = (name: string) =>
    shown(name).asked.filter((address) => /highlighter.*\.js$/.test(address))

  it('runs nothing of a hostile text, loads nothing for it, and keeps to its policy', function () {
    for (const text of HOSTILE_TEXTS) {
      const { hit, refused, title, address, asked } = shown(text)
      expect({ hit, refused, title, address }, text).to.deep.equal({
        hit: null,
        refused: [],
        title: 'Markdown',
        address: `${page.url}/`,
      })
      const others = asked.filter((one) => !/^(?:data|blob):/.test(one))
      expect(
        others.filter((one) => !one.startsWith(`${page.url}/`)),
        text,
      ).to.deep.equal([])
    }
    if (this.test) this.test.title += ` (${HOSTILE_TEXTS.length} texts)`
  })

  it('shows large and deep texts in time', () => {
    for (const name of LARGE) {
      expect(shown(name).took, name).to.be.below(10_000)
    }
  })

  it('formats a long text to its end', () => {
    const { html } = shown('long')
    expect(html.match(/<h4>/g)).to.have.length(3000)
    expect(html.match(/<strong>/g)).to.have.length(3000)
    expect(html).to.not.include('##')
  })

  it('copies all of a long code, which it shows in pieces', () => {
    const { html, clipboard } = shown('long code')
    expect(html.match(/class="markdown-piece"/g)).to.have.length.above(10)
    expect(clipboard).to.equal('a line\n'.repeat(20_000).trimEnd())
  })

  it('highlights closed code of a known language, for which alone it loads the highlighter', () => {
    const { html } = shown('code')
    expect(html).to.include('<span class="hljs-keyword">const</span>')
    expect(html).to.include('&lt;')
    expect(loadedBy('code')).to.have.length(1)
    for (const name of ['open code', 'unknown language', 'table']) {
      expect(loadedBy(name), name).to.deep.equal([])
    }
  })

  it('copies code, and says so', () => {
    expect(shown('code').clipboard).to.equal('const a = 1 < 2')
    expect(shown('code').html).to.match(/role="status"[^>]*>Copied</)
  })

  it('keeps the elements of finished blocks while a text grows', () => {
    expect(shown('growing').marks).to.deep.equal([true, true, true])
  })

  it('opens links and images of others in a new tab that knows nothing of the page', () => {
    const { html } = shown('links')
    const links = [...html.matchAll(/<a [^>]*>/g)].map(([link]) => link)
    expect(links).to.have.length(2)
    for (const link of links) {
      expect(link).to.include('target="_blank"').and.include('rel="noopener noreferrer"')
    }
    expect(html).to.include('Image from example.com: b')
    expect(html).to.include('<img src="data:image/png;base64,"')
  })

  it('puts tables into boxes that scroll and are reached by keyboard', () => {
    const { html } = shown('table')
    expect(html).to.match(
      /<div class="markdown-table" role="group" aria-label="Table" tabindex="0" dir="auto">/,
    )
    expect(html).to.include('<td class="markdown-right">1</td>')
    expect(html).to.include('<span role="img" aria-label="Done:">')
  })
})
