import type { Page } from './open-page.ts'

/** The box in which a person writes. */
export const TEXT = '.composer textarea'

/** A text in an answer. */
export const said = (text: string) => `.message:not(.own) >> text=${text}`

/** Waits until a page knows who may answer. */
export async function ready(page: Page): Promise<Page> {
  await page.waitForSelector('option', { state: 'attached' })
  return page
}

export async function send(page: Page, text: string): Promise<void> {
  await page.fill(TEXT, text)
  await page.keyboard.press('Enter')
}

/** Until no answer comes any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('.composer:not(:has([aria-label="Stop"]))')
}

/** Sends a text to a model that repeats it, and waits until its answer is whole. */
export async function echoed(page: Page, text: string): Promise<void> {
  await send(page, text)
  await page.waitForSelector(said(`You said: ${text}`))
  await settled(page)
}
