import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { axeFindings, Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const waits = { tool_calls: [{ name: 'wait', input: {} }] }
const SCRIPT = [
  { when: { step: 1, text: 'go' }, then: { text: 'First part.', ...waits } },
  { when: { step: 1, text: 'twice' }, then: { text: 'Second part.', ...waits } },
  { then: { text: 'Last part.' } },
]

describe('what is said to an answer that comes', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser
  /** The calls that wait. */
  let waiting: (() => void)[] = []
  /** How many messages to an answer the server has received. */
  let steered = 0

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const wait = tool('wait', {
      getToolSchemas: () => [schema('wait')],
      executeTool: () => new Promise((done) => waiting.push(() => done('waited'))),
    })
    const front = ({ url }: Request) => {
      if (url.endsWith('/steer')) steered++
      return undefined
    }
    served = await ServedPage.start({ script: SCRIPT, plugins: [wait], front })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  beforeEach(() => {
    steered = 0
    waiting = []
  })
  afterEach(() => {
    for (const done of waiting) done()
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function until(isThere: () => boolean): Promise<void> {
    while (!isThere()) await turn()
    for (let turns = 0; turns < 10; turns++) await turn()
  }

  /** Lets the call that waits end, once the server knows all that was said. */
  async function release(messages: number): Promise<void> {
    await until(() => waiting.length > 0 && steered >= messages)
    waiting.shift()?.()
  }

  /** A page whose answer waits for a call, and to which something was said meanwhile. */
  async function steeredPage(text = 'Be brief.'): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await send(page, 'go')
    await page.waitForSelector('.tool')
    await send(page, text)
    await page.waitForSelector(`.steered >> text=${text}`)
    return page
  }

  /** The texts of a chat, in their order, once its answer is whole. */
  async function textsOf(page: Page): Promise<readonly string[]> {
    await page.waitForSelector(said('Last part.'))
    await settled(page)
    await page.waitForSelector('.message.own ~ .message.own')
    return page.evaluate(
      '[...document.querySelectorAll(".messages .said, .messages .markdown")].map(({ textContent }) => textContent.trim())',
    )
  }

  it('is shown at once, and then where the answer took it', async () => {
    const page = await steeredPage()
    expect(await page.inputValue(TEXT)).to.equal('')
    expect(await axeFindings(page)).to.deep.equal([])
    await release(1)
    expect(await textsOf(page)).to.deep.equal(['go', 'First part.', 'Be brief.', 'Last part.'])
  })

  it('is still there after a reload before the answer took it', async () => {
    const page = await steeredPage()
    await until(() => steered === 1)
    await page.reload()
    await page.waitForSelector('.steered >> text=Be brief.')
    expect(await page.inputValue(TEXT)).to.equal('')
    await release(2)
    expect(await textsOf(page)).to.deep.equal(['go', 'First part.', 'Be brief.', 'Last part.'])
  })

  it('is still there after a reload when the answer has taken it', async () => {
    const page = await steeredPage('Say it twice.')
    await release(1)
    await page.waitForSelector('.steering >> text=Say it twice.')
    await page.waitForSelector('.steered', { state: 'detached' })
    await page.waitForSelector(said('Second part.'))
    await page.reload()
    await page.waitForSelector('.steering >> text=Say it twice.')
    await release(1)
    const texts = ['go', 'First part.', 'Say it twice.', 'Second part.', 'Last part.']
    expect(await textsOf(page)).to.deep.equal(texts)
  })

  it('is still there when another chat was open meanwhile', async () => {
    const page = await steeredPage()
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await page.click('.chat-row .title')
    await page.waitForSelector('.steered >> text=Be brief.')
    await release(1)
    expect(await textsOf(page)).to.deep.equal(['go', 'First part.', 'Be brief.', 'Last part.'])
  })

  it('is in the box again where the answer ended without it', async () => {
    const page = await steeredPage()
    await until(() => steered === 1)
    await page.click('[aria-label="Stop"]')
    await settled(page)
    await page.waitForSelector('.notice >> text=The answer ended before it could take this.')
    expect(await page.inputValue(TEXT)).to.equal('Be brief.')
    await page.waitForSelector('.steered', { state: 'detached' })
    expect(browser.takeRefusals()).to.deep.equal(['409'])
  })

  it('is in the box after a reload where the answer has ended without it', async () => {
    const page = await steeredPage()
    await until(() => steered === 1)
    const address = page.url()
    const beside = await browser.openBeside(page, served.url)
    await page.close()
    const id = new URL(address).searchParams.get('chat')
    await fetch(`${served.url}api/chat/${id}/stop`, { method: 'POST', body: '{}' })
    await beside.goto(address)
    await beside.waitForSelector(said('First part.'))
    await settled(beside)
    expect(await beside.inputValue(TEXT)).to.equal('Be brief.')
  })
})
