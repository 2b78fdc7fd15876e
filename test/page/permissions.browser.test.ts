import { expect } from 'chai'
import { schema, tool } from '../helpers/plugins.ts'
import { axeFindings } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready, said, send, settled } from './writing.ts'

const remove = tool('remove', {
  getToolSchemas: () => [schema('remove')],
  executeTool: () => ({ output: 'removed' }),
})
const PATH = `/tmp/${'a long path '.repeat(40)}`
const removes = { tool_calls: [{ name: 'remove', input: { path: PATH } }] }
const SCRIPT = [
  { when: { tool: 'remove' }, then: { text: 'It says: {{result.remove}}' } },
  { when: { text: 'both' }, then: { tool_calls: [...removes.tool_calls, ...removes.tool_calls] } },
  { then: removes },
]

/** Notes the states that the calls show together from now on. */
const WATCH = `{
  globalThis.states = []
  const look = () => {
    const shown = [...document.querySelectorAll('.tool-state')].map((one) => one.textContent)
    states.push(shown.join(', '))
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
}`

describe('a call that asks first', function () {
  this.timeout(60_000)
  const config = { tool_policy: { remove: 'ask' } }
  const suite = new PageSuite({ script: SCRIPT, delay: 10, plugins: [remove], config })

  it('is prepared until the model has written all calls, and shows its arguments as they come', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await page.evaluate(WATCH)
    await send(page, 'both')
    await page.waitForSelector('.tool-state >> text=is being prepared')
    await page.click('.tool summary')
    await page.waitForSelector('.tool .value pre >> text=a long path')
    await page.waitForSelector('.tool:nth-of-type(2) .asked button:text-is("Allow")')
    const states = await page.evaluate<readonly string[]>('states')
    expect(states).to.include('is being prepared, is being prepared')
    expect(states).to.not.include('runs, is being prepared')
  })

  it('is denied with the reason that a person gives', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, 'go')
    await page.fill('.asked input', 'Wrong folder')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.asked button:text-is("Deny")')
    await page.waitForSelector(said('Wrong folder'))
    await settled(page)
  })
})
