import type { Tool } from '@braidwork/plugin'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready } from './writing.ts'

const places: Tool = {
  kind: 'tool',
  name: 'trip',
  configSchema: {
    type: 'object',
    properties: {
      places: { type: 'array', title: 'Places', items: { type: 'string' }, maxItems: 3 },
      notes: {
        type: 'array',
        title: 'Notes',
        items: {
          type: 'object',
          properties: { title: { type: 'string' } },
          additionalProperties: { type: 'string' },
        },
      },
    },
  },
  getToolSchemas: () => [],
  executeTool: () => ({ output: '' }),
}

describe('a list in a form', function () {
  this.timeout(60_000)
  const suite = new PageSuite({
    script: [{ then: { text: 'Yes.' } }],
    plugins: [places],
    server: { settable: ['/settings/trip'] },
  })

  async function opened(): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    await page.click('.bar [aria-label="Settings"]')
    return page
  }

  /** Presses a button with the keyboard, and waits until another element has the focus. */
  async function press(page: Page, name: string, next: string): Promise<void> {
    await page.focus(name.includes('=') ? name : `[aria-label="${name}"]`)
    await page.keyboard.press('Enter')
    await until(page, `document.activeElement.matches('${next}')`)
  }

  it('keeps the focus where its buttons change it', async () => {
    const page = await opened()
    for (const next of ['[aria-label="Add: Places"]', '[aria-label="Add: Places"]', 'input']) {
      await press(page, 'Add: Places', next)
    }
    await until(page, 'document.activeElement.id.endsWith("_places_2")')
    await press(page, 'Move up: Places 3', '[aria-label="Move up: Places 2"]')
    await press(page, 'Move up: Places 2', '[aria-label="Move down: Places 1"]')
    await press(page, 'Move down: Places 2', '[aria-label="Move up: Places 3"]')
    await press(page, 'Remove: Places 3', '[aria-label="Remove: Places 2"]')
    await press(page, 'Remove: Places 1', '[aria-label="Remove: Places 1"]')
    await press(page, 'Remove: Places 1', '[aria-label="Add: Places"]')
  })

  it('leaves the button alone that adds a key to an object in it', async () => {
    const page = await opened()
    await page.click('[aria-label="Add: Notes"]')
    const add = '.rjsf button[id$=_notes_0__add]'
    await page.waitForSelector(`${add}:not([aria-label])`)
    await press(page, add, add)
    await page.waitForSelector('.rjsf input[id$=_notes_0_newKey]')
    await until(page, `document.activeElement.matches('${add}')`)
  })

  it('has no mark in the names of its fields, and says which are wrong', async () => {
    const page = await opened()
    await page.click('[aria-label="Add: Places"]')
    await page.waitForSelector('.control-label > .required[aria-hidden=true]')
    const field = '.rjsf input[id$=_places_0]'
    await page.click('.rjsf button.main')
    await page.waitForSelector(`${field}[aria-invalid=true]`)
    await page.fill(field, 'Rome')
    await page.click('.rjsf button.main')
    await page.waitForSelector(`${field}:not([aria-invalid])`)
  })
})
