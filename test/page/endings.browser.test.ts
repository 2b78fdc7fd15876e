import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { echoed, ready, said, send } from './writing.ts'

const clock = { tool_calls: [{ name: 'current_time', input: {} }] }
const SCRIPT = [
  { when: { text: 'long' }, then: { text: 'A long', finish_reason: 'length' } },
  { when: { text: 'bad' }, then: { text: 'A bad', finish_reason: 'content-filter' } },
  {
    when: { text: 'cut' },
    then: { text: 'One two three', fault: { type: 'cut', after_chunks: 2 } },
  },
  { when: { text: 'rounds' }, then: clock },
  { when: { tool: 'current_time' }, then: clock },
  { when: { text: 'nothing' }, then: { text: '' } },
  { then: { text: 'You said: {{user}}' } },
]

/** The answers of which this is told as long as they are there. */
const STAYS: ReadonlySet<string> = new Set(['long', 'bad'])

const ENDS = [
  ['long', 'This answer was cut off at the greatest length.'],
  ['bad', 'A filter ended this answer.'],
  ['rounds', 'A limit or a stop condition ended this answer before it was complete.'],
  ['nothing', 'This answer is empty.'],
] as const

/** What screen readers say of the last answer. */
const TOLD = `document.querySelector('.thread > [role=status]').textContent`

describe('an answer that is not whole', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const config = { limits: { max_rounds: 2 } }
    served = await ServedPage.start({ script: SCRIPT, config })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
    expect(browser?.faults ?? []).to.deep.equal([])
  })

  async function expectEnd(page: Page, words: string): Promise<void> {
    await page.waitForSelector(`.ended >> text=${words}`)
    await until(page, `${TOLD} === ${JSON.stringify(words)}`)
  }

  for (const [text, words] of ENDS) {
    it(`is told, also to screen readers and after a reload: ${text}`, async () => {
      const page = await ready(await browser.open(served.url))
      await send(page, text)
      await expectEnd(page, words)
      await page.reload()
      await expectEnd(page, words)
      await echoed(page, 'hello')
      await until(page, `${TOLD} === 'The answer is complete'`)
      if (!STAYS.has(text)) return
      await page.waitForSelector(`.message:not(.own) .ended >> text=${words}`)
      await page.reload()
      await page.waitForSelector(said('You said: hello'))
      await page.waitForSelector(`.message:not(.own) .ended >> text=${words}`)
      expect(await page.evaluate(`document.querySelectorAll('.ended').length`)).to.equal(1)
    })
  }

  it('is told as long as it is there where the model API broke off', async () => {
    const words = 'The answer ended early: The connection to the model API broke.'
    const page = await ready(await browser.open(served.url))
    await send(page, 'cut')
    await page.waitForSelector(`.ended >> text=${words}`)
    await echoed(page, 'hello')
    await page.waitForSelector(`.message:not(.own) .ended >> text=${words}`)
    await page.reload()
    await page.waitForSelector(said('You said: hello'))
    await page.waitForSelector(`.message:not(.own) .ended >> text=${words}`)
    expect(await page.evaluate(`document.querySelectorAll('.ended').length`)).to.equal(1)
  })
})
