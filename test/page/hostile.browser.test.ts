import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { dialog, ServedPage } from './served-page.ts'

const MARK = 'window.harmed'

/** Texts of a model that would do something on a page that trusts them. */
const TEXTS: { readonly [name: string]: string } = {
  'scripts in HTML': `<script>${MARK} = 1</script><img src=x onerror="${MARK} = 1"><svg onload="${MARK} = 1">`,
  'links that run scripts': `[a](javascript:${MARK}=1) [b](data:text/html,<script>${MARK}=1</script>) <a href="javascript:${MARK}=1">c</a>`,
  'pictures from elsewhere':
    '![pixel](http://127.0.0.1:9/pixel.png?leak=1) <img src="http://127.0.0.1:9/2.png">',
  'styles, frames and forms':
    '<style>body{display:none}</style><iframe src="/api/settings"></iframe><form action="/api/settings"><input autofocus></form><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">',
  'a line of a megabyte': 'x'.repeat(1 << 20),
  'control characters': `${String.fromCharCode(0, 1, 7, 8, 27)}[31m \u202e\u2066backwards\u0085\u2028\ufeff`,
  'quotes in quotes': `${'>'.repeat(10_000)} deep`,
  'lists in lists': Array.from({ length: 2000 }, (_, at) => `${' '.repeat(2 * at)}- x`).join('\n'),
  'open marks': `${'['.repeat(20_000)}${'*'.repeat(20_000)}${'`'.repeat(20_000)}`,
  'a wide table': `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n|${'b|'.repeat(2000)}`,
  'names of the page':
    '<div id="page"></div><form name="document"></form><p class="composer">x</p>',
}

describe('hostile texts of models on the page', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: [{ then: { text: 'You said: {{user}}' } }] })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  // A violation of the content security policy is an error of the console.
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  /** The page can still be used, and nothing has happened to it. */
  async function isUnharmed(page: Page): Promise<void> {
    expect(await page.evaluate(`${MARK} === undefined`)).to.equal(true)
    const elsewhere = `[...document.querySelectorAll('.messages :is(img, iframe, script, style, form, meta, object)')]
      .map(({ outerHTML }) => outerHTML.slice(0, 100))`
    expect(await page.evaluate(elsewhere)).to.deep.equal([])
    const links = `[...document.querySelectorAll('.messages a')].map(({ protocol, rel }) => protocol + ' ' + rel)`
    for (const link of await page.evaluate<readonly string[]>(links)) {
      expect(link).to.match(/^https?: .*noopener/)
    }
    await page.fill('.composer textarea', 'still there?')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.message:not(.own) >> text=You said: still there?')
  }

  for (const [at, [name, text]] of Object.entries(TEXTS).entries()) {
    it(`do no harm: ${name}`, async () => {
      const page = await browser.open(await served.store(`hostile-${at}`, dialog(2, text)))
      await until(page, 'document.querySelectorAll(".message").length === 2')
      await isUnharmed(page)
    })
  }

  it('do no harm as they come', async () => {
    const texts = Object.values(TEXTS).filter((text) => text.length < 10_000)
    const streaming = await ServedPage.start({
      script: [
        { when: { text: 'go' }, then: { text: texts.join('\n\n'), chunks: 7 } },
        { then: { text: 'You said: {{user}}' } },
      ],
    })
    try {
      const page = await browser.open(streaming.url)
      await page.waitForSelector('option', { state: 'attached' })
      await page.fill('.composer textarea', 'go')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.message:not(.own) .usage')
      await isUnharmed(page)
    } finally {
      await streaming.close()
    }
  })
})
