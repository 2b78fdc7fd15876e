import { expect } from 'chai'
import askUser from '../../tools/ask-user/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled } from './writing.ts'

const ASKED = [
  { name: 'remove', input: {} },
  { name: 'ask_user', input: { question: 'Which name?' } },
]
const SCRIPT = [{ when: { step: 1 }, then: { tool_calls: ASKED } }, { then: { text: 'Done.' } }]
const REMOVE = '.tool[aria-label="remove"]'
const ANSWER = '.asked [aria-label="Your answer"]'
const STATE = `${REMOVE} .tool-state`
const ALLOWED = `${STATE} >> text=allowed, waits for the other answers`
/** How much the first answer asks. */
const ASKED_FIRST = 'document.querySelectorAll(".message")[1].querySelectorAll(".asked").length'

describe('an answer that waits for several answers', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const remove = tool('remove', {
      getToolSchemas: () => [schema('remove')],
      executeTool: () => 'removed',
    })
    const config = { enabled_plugins: ['ask-user'], tool_policy: { remove: 'ask' } }
    served = await ServedPage.start({ script: SCRIPT, plugins: [remove, askUser], config })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function asked(): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await send(page, 'go')
    await settled(page)
    return page
  }

  async function giveName(page: Page): Promise<void> {
    await page.fill(ANSWER, 'Emma')
    await page.keyboard.press('Enter')
  }

  it('shows the call that was allowed as that, also after a reload', async () => {
    const page = await asked()
    await page.click(`${REMOVE} .asked button.main`)
    await page.waitForSelector(ALLOWED)
    await page.waitForSelector(`${REMOVE} .asked`, { state: 'detached' })
    await page.reload()
    await page.waitForSelector(ALLOWED)
    await giveName(page)
    await page.waitForSelector(said('Done.'))
    await page.waitForSelector(`${STATE}:text-is("done")`)
  })

  it('shows a call that was denied as that, before the others are answered', async () => {
    const page = await asked()
    await page.click(`${REMOVE} .asked button:not(.main)`)
    await page.waitForSelector(`${STATE}:text-is("not allowed")`)
    await giveName(page)
    await page.waitForSelector(said('Done.'))
  })

  it('shows the calls that a message has ended as that', async () => {
    const page = await asked()
    await send(page, 'never mind')
    await page.waitForSelector(`${STATE} >> text=failed`)
    expect(await page.evaluate(ASKED_FIRST)).to.equal(0)
  })

  it('shows what the server has where a call is over that is allowed', async () => {
    const page = await asked()
    const other = await ready(await browser.open(page.url()))
    await other.waitForSelector(`${REMOVE} .asked`)
    await send(other, 'never mind')
    await other.waitForSelector(`${STATE} >> text=failed`)
    await page.evaluate(`document.querySelector('${REMOVE} .asked button.main').click()`)
    await page.waitForSelector(`${STATE} >> text=failed`)
    expect(await page.evaluate(ASKED_FIRST)).to.equal(0)
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['410']))
  })

  it('asks no question again that was answered, also after a reload', async () => {
    const page = await asked()
    await giveName(page)
    await page.waitForSelector(ANSWER, { state: 'detached' })
    await settled(page)
    await page.reload()
    await page.waitForSelector(`${REMOVE} .asked`)
    expect(await page.evaluate('document.querySelectorAll(".asked").length')).to.equal(1)
    await page.click(`${REMOVE} .asked button.main`)
    await page.waitForSelector(said('Done.'))
  })
})
