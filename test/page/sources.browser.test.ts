import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled } from './writing.ts'

const SOURCES = [
  { url: 'https://example.org/tea', title: 'All about tea' },
  { url: 'https://example.org/untitled' },
  { url: 'javascript:alert(1)', title: 'A trap' },
  { title: 'A book' },
]

describe('the sources of an answer on the page', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`The tests of sources are skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    served = await ServedPage.start({
      script: [{ then: { text: 'Tea is hot.', sources: SOURCES } }],
    })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })

  /** The sources as the page lists them: each text, and its address if it is a link. */
  const listed = (page: Page) =>
    page.evaluate<readonly (readonly [string, string | null])[]>(
      '[...document.querySelectorAll(".message details ol li")].map((item) => [item.textContent, item.querySelector("a")?.href ?? null])',
    )

  it('are listed when somebody opens them, as links where the page may follow them', async () => {
    const page = await ready(await browser.open(served.url))
    await send(page, 'Is tea hot?')
    await page.waitForSelector(said('Tea is hot.'))
    await settled(page)
    const expected = [
      ['All about tea', 'https://example.org/tea'],
      ['https://example.org/untitled', 'https://example.org/untitled'],
      ['A trap', null],
      ['A book', null],
    ]
    await page.click('summary >> text=Sources (4)')
    expect(await listed(page)).to.deep.equal(expected)
    expect(await page.evaluate('document.querySelector(".message details ol a").rel')).to.equal(
      'noopener noreferrer',
    )
    expect(await axeFindings(page)).to.deep.equal([])
    await page.reload()
    await page.waitForSelector(said('Tea is hot.'))
    expect(await listed(page)).to.deep.equal(expected)
    expect(browser.faults.splice(0)).to.deep.equal([])
  })
})
