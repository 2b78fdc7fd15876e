import { expect } from 'chai'
import askUser from '../../tools/ask-user/index.ts'
import mcp from '../../tools/mcp/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { sdkServer } from '../tools/mcp/servers.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send } from './writing.ts'

const SCRIPT = [
  { when: { tool: 'fx__asks' }, then: { text: 'It says: {{result.fx__asks}}' } },
  { when: { tool: 'ask_user' }, then: { text: 'You said {{result.ask_user}}.' } },
  { when: { text: 'paint' }, then: { tool_calls: [{ name: 'fx__asks', input: {} }] } },
  {
    when: { text: 'name' },
    then: { tool_calls: [{ name: 'ask_user', input: { question: 'Which name?' } }] },
  },
]
const CONFIG = {
  enabled_plugins: ['mcp', 'ask-user'],
  settings: { mcp: { servers: { fx: sdkServer('--era', '2026') } } },
}

/** What the page says of a refused answer, by its status. */
const TOLD = [
  [409, 'An answer is still coming in this conversation.'],
  [413, 'This is too large for the server.'],
  [429, 'Too many requests. Try again in a moment.'],
] as const

describe('a question whose answer is refused', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage
  /** The status of the next request that sends an answer. */
  let refusal: number | undefined

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const front = ({ method, url }: Request) => {
      if (method !== 'POST' || !/\/(approvals|api\/chat)\b/.test(url)) return undefined
      const status = refusal
      refusal = undefined
      if (status === undefined) return undefined
      return Response.json({ error: { code: 'REFUSED', message: 'Not now.' } }, { status })
    }
    served = await ServedPage.start({
      script: SCRIPT,
      plugins: [mcp, askUser],
      config: CONFIG,
      front,
    })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function ask(text: string): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await send(page, text)
    return page
  }

  const CHOSEN = `document.querySelector('.asked .rjsf select').selectedOptions[0].text === 'blue'`

  it('keeps what was filled into its form, and says why', async () => {
    const page = await ask('paint')
    await page.waitForSelector('.asked .rjsf select')
    await page.selectOption('.asked .rjsf select', 'blue')
    for (const [status, words] of TOLD) {
      refusal = status
      await page.click('.asked button.main')
      await page.waitForSelector(`.notice >> text=${words}`)
      await until(page, CHOSEN)
    }
    expect(browser.takeRefusals()).to.deep.equal(TOLD.map(([status]) => String(status)))
    await page.click('.asked button.main')
    await page.waitForSelector(said('It says: accept: blue'))
  })

  it('keeps what was written in words, and says why', async () => {
    const page = await ask('name')
    await page.fill('.asked input', 'Emma')
    for (const [status, words] of TOLD) {
      refusal = status
      await page.click('.asked button.main')
      await page.waitForSelector(`.notice >> text=${words}`)
      expect(await page.inputValue('.asked input')).to.equal('Emma')
    }
    expect(browser.takeRefusals()).to.deep.equal(TOLD.map(([status]) => String(status)))
    await page.click('.asked button.main')
    await page.waitForSelector(said('You said'))
    expect(await page.textContent('.messages')).to.include('Emma')
  })

  it('keeps an answer that the network lost', async () => {
    const page = await ask('name')
    await page.fill('.asked input', 'Emma')
    await page.context().setOffline(true)
    await page.click('.asked button.main')
    await page.waitForSelector('.notice >> text=The server cannot be reached.')
    expect(await page.inputValue('.asked input')).to.equal('Emma')
    await page.context().setOffline(false)
    await page.click('.asked button.main')
    await page.waitForSelector(said('You said'))
    expect(browser.faults.splice(0).join()).to.include('ERR_INTERNET_DISCONNECTED')
  })
})
