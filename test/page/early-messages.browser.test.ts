import { expect } from 'chai'
import type { Page } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { echoed, ready, said, send, settled, TEXT } from './writing.ts'

const SCRIPT = [{ then: { text: 'You said: {{user}}' } }]
/** The messages of a conversation. */
const HISTORY = /\/api\/conversations\/[^/?]+(?:\?.*)?$/
const SHOWN = `[...document.querySelectorAll('.message')].map(
  ({ textContent }) => /(You said: )?(hello|my thought)/.exec(textContent)?.[0],
)`

describe('a message to a conversation that is being read', function () {
  this.timeout(60_000)
  /** While it is there, the server tells the messages of no conversation before it settles. */
  let held: Promise<undefined> | undefined
  const front = ({ method, url }: Request) =>
    method === 'GET' && HISTORY.test(url) ? held : undefined
  const suite = new PageSuite({ script: SCRIPT, front })

  const shown = (page: Page) => page.evaluate<readonly string[]>(SHOWN)

  it('waits in the box, and is said after what is there', async () => {
    let release = () => {}
    const page = await ready(await suite.browser.open(suite.served.url))
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
