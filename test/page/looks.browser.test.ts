import { expect } from 'chai'
import askUser from '../../tools/ask-user/index.ts'
import { axeFindings, type Page } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const schema = JSON.stringify({ type: 'object', properties: { hot: { type: 'boolean' } } })
const LONG = `const text = "${'word '.repeat(80)}end"`
const SCRIPT = [
  {
    when: { text: 'ask' },
    then: { tool_calls: [{ name: 'ask_user', input: { question: 'How?', schema } }] },
  },
  { when: { text: 'code' }, then: { text: `Here it is:\n\n\`\`\`js\n${LONG}\n\`\`\`\n` } },
  {
    when: { text: 'list' },
    then: { text: '- שלום עולם\n- עוד שורה\n\n> ציטוט\n\n| א | ב |\n|---|---|\n| 1 | 2 |\n' },
  },
]

describe('how the page looks', function () {
  this.timeout(60_000)
  const config = { enabled_plugins: ['ask-user'] }
  const suite = new PageSuite({ script: SCRIPT, plugins: [askUser], config })

  async function asked(text: string): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, text)
    return page
  }

  const boxOf = (page: Page, selector: string) =>
    page.evaluate<{ readonly left: number; readonly right: number; readonly width: number }>(
      `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
    )

  it('has boxes to check of their own size in a question, and its buttons apart', async () => {
    const page = await asked('ask')
    await page.waitForSelector('.asked input[type=checkbox]')
    expect((await boxOf(page, '.asked input[type=checkbox]')).width).to.be.below(30)
    const answer = await boxOf(page, '.asked button.main')
    const decline = await boxOf(page, '.asked .decline')
    expect(decline.left - answer.right).to.be.at.least(4)
  })

  it('has lists, quotes and tables in the direction of their letters, and what is typed too', async () => {
    const page = await asked('list')
    await page.waitForSelector('.markdown td')
    const direction = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`)
    for (const one of ['ul', 'blockquote', 'table']) {
      expect(await direction(`.markdown ${one}`), one).to.equal('rtl')
    }
    const [first, second] = [await boxOf(page, 'th'), await boxOf(page, 'th + th')]
    expect(first.left).to.be.above(second.left)
    await settled(page)
    expect(await direction(TEXT)).to.equal('ltr')
    await page.fill(TEXT, 'שלום')
    expect(await direction(TEXT)).to.equal('rtl')
  })

  it('leaves room to write on a phone where many files are attached, and has a header of one row', async () => {
    const viewport = { width: 390, height: 450 }
    for (const locale of ['de-DE', 'en-US']) {
      const options = { locale, viewport }
      const page = await ready(await suite.browser.open(suite.served.url, options))
      const heightOf = (selector: string) =>
        page.evaluate<number>(`document.querySelector('${selector}').offsetHeight`)
      expect(await heightOf('.bar')).to.be.below(70)
      const files = Array.from({ length: 8 }, (_, at) => ({
        name: `minutes of the meeting on 30 November, part ${at}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from(`text ${at}`),
      }))
      await page.setInputFiles('input[type=file]', files)
      await page.waitForSelector('.attached li:not(.uploading):nth-of-type(8)', {
        state: 'attached',
      })
      const bottom = `document.querySelector('.composer [type=submit]').getBoundingClientRect().bottom`
      expect(await page.evaluate<number>(bottom)).to.be.at.most(450)
      expect(await heightOf('.thread')).to.be.above(60)
      await page.focus('.attached li:last-of-type button')
      const isSeen = `(([list, last]) => last.bottom <= list.bottom + 1)(['.attached', '.attached li:last-of-type button']
        .map((one) => document.querySelector(one).getBoundingClientRect()))`
      expect(await page.evaluate(isSeen)).to.equal(true)
      expect(await axeFindings(page)).to.deep.equal([])
    }
  })

  it('has lines to open that a finger meets', async () => {
    const page = await asked('ask')
    await page.waitForSelector('.tool summary')
    const height = `document.querySelector('.tool summary').offsetHeight`
    expect(await page.evaluate<number>(height)).to.be.at.least(24)
  })

  it('has whole lines of code and no buttons on paper', async () => {
    const page = await asked('code')
    await page.waitForSelector(said('Here it is'))
    await settled(page)
    await page.emulateMedia({ media: 'print' })
    const [isWhole, isShown] = await page.evaluate<readonly boolean[]>(
      `[[...document.querySelectorAll('.markdown-code pre')].every((code) =>
        code.scrollWidth <= code.clientWidth), document.querySelector('.markdown-code button').checkVisibility()]`,
    )
    expect([isWhole, isShown]).to.deep.equal([true, false])
  })
})
