import { expect } from 'chai'
import askUser from '../../tools/ask-user/index.ts'
import type { Page } from './open-page.ts'
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
  { when: { text: 'list' }, then: { text: '- שלום עולם\n- עוד שורה\n' } },
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

  it('has the marks of a list where its lines begin, and what is typed too', async () => {
    const page = await asked('list')
    await page.waitForSelector('.markdown li')
    const direction = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`)
    expect(await direction('.markdown ul')).to.equal('rtl')
    await settled(page)
    expect(await direction(TEXT)).to.equal('ltr')
    await page.fill(TEXT, 'שלום')
    expect(await direction(TEXT)).to.equal('rtl')
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
