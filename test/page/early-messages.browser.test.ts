import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { echoed, ready, said, send, settled, TEXT } from './writing.ts'

const SCRIPT = [{ then: { text: 'You said: {{user}}' } }]
/** The messages of a conversation. */
const HISTORY = /\/api\/conversations\/[^/?]+(?:\?.*)?$/

describe('a message to a conversation that is being read', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage | undefined
  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    browser = await Browser.launch()
  })
  after(() => browser?.close())
  afterEach(async () => {
    await served?.close()
    served = undefined
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  const shown = (page: Page) =>
    page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.message')].map((one) => /(You said: )?(hello|my thought)/.exec(one.textContent)?.[0])`,
    )

  it('waits in the box, and is said after what is there', async () => {
    let release = () => {}
    let held: Promise<undefined> | undefined
    const front = ({ method, url }: Request) =>
      method === 'GET' && HISTORY.test(url) ? held : undefined
    served = await ServedPage.start({ script: SCRIPT, front })
    const page = await ready(await browser.open(served.url))
    await echoed(page, 'hello')
    held = new Promise((resolve) => {
      release = () => resolve(undefined)
    })
    await page.reload()
    await ready(page)
    await send(page, 'my thought')
    expect(await page.inputValue(TEXT)).to.equal('my thought')
    release()
    await page.waitForSelector(said('You said: my thought'))
    await settled(page)
    expect(await page.inputValue(TEXT)).to.equal('')
    const all = ['hello', 'You said: hello', 'my thought', 'You said: my thought']
    expect(await shown(page)).to.deep.equal(all)
    await page.reload()
    await page.waitForSelector(said('You said: my thought'))
    expect(await shown(page)).to.deep.equal(all)
  })
})
