import redact from '../../extensions/redact/index.ts'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready } from './writing.ts'

const REDACT = '#settings_settings_redact'

describe('a form that is not filled in rightly', function () {
  this.timeout(60_000)
  const suite = new PageSuite({
    script: [{ then: { text: 'Yes.' } }],
    plugins: [redact],
    config: { enabled_plugins: ['redact'] },
    server: { settable: ['/settings/redact'] },
  })

  async function saved(list: string): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    await page.click('.bar [aria-label="Settings"]')
    await page.click(`${REDACT}_${list}__add`)
    await page.click('.rjsf button.main')
    return page
  }

  it('says which values there are, and goes to the list of them', async () => {
    const page = await saved('rules')
    await page.waitForSelector('.error-detail >> text=/Choose one of these: [a-z_]+, /')
    await until(page, `document.activeElement.id === '${REDACT.slice(1)}_rules_0'`)
  })

  it('says that a text is wanted, and goes to its field', async () => {
    const page = await saved('patterns')
    await page.waitForSelector('.error-detail >> text=Fill this in.')
    await until(page, `document.activeElement.id.startsWith('${REDACT.slice(1)}_patterns_0_')`)
  })
})
