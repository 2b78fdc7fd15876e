/**
 * Uses the drawer that explains in a browser. Reads {launch, url, html, headers, files, jobs} from stdin: the
 * page and its files are served under the server's own address. A job is {name, width, dark, agent, locale,
 * steps}; prints what each step read. Steps: {click: [role, name]}, {press: key}, {fail: status, or 0 for no answer, or nothing},
 * {read: 'aria' | 'focus' | 'clipboard' | 'overflow' | 'contrast' | selector}, {waitFor: text}, {picture}.
 */
import { chromium } from 'playwright-core'

let input = ''
for await (const piece of process.stdin) input += piece
const { launch, url, html, headers, files, jobs } = JSON.parse(input)
const browser = await chromium.launch(launch)
try {
  const shown = []
  for (const job of jobs) shown.push(await use(job))
  process.stdout.write(JSON.stringify(shown))
} finally {
  await browser.close()
}

async function use({ name, width = 1280, dark = false, agent = '', locale = 'en-US', steps }) {
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    locale,
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const said = []
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('console', (line) => {
    // The browser itself reports responses that are errors.
    const isOwn = line.type() === 'error' && !line.text().startsWith('Failed to load resource')
    if (isOwn) said.push(line.text())
  })
  await page.route(`${url}/page?*`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body: html }),
  )
  for (const [path, { type, body }] of Object.entries(files)) {
    await page.route(`${url}/${path}`, (route) => route.fulfill({ contentType: type, body }))
  }
  const read = []
  try {
    await page.goto(`${url}/page?${new URLSearchParams({ agent })}`)
    for (const step of steps) await take(page, step, read)
    return { name, said, read }
  } catch (error) {
    return { name, said, read, thrown: String(error) }
  } finally {
    await context.close()
  }
}

async function take(page, step, read) {
  if (step.click) {
    const [role, name] = step.click
    await page.getByRole(role, { name }).first().click()
  }
  if (step.press) await page.keyboard.press(step.press)
  if ('fail' in step) await fail(page, step.fail)
  if (step.waitFor) await page.getByText(step.waitFor).first().waitFor()
  if (step.picture) await page.screenshot({ path: step.picture, animations: 'disabled' })
  if (step.read) read.push(await readOf(page, step.read))
}

/** Has what the drawer asks for fail from now on, or work again. */
async function fail(page, status) {
  await page.unroute(`**/api/**`)
  if (status === null) return
  await page.route(`**/api/**`, (route) =>
    status === 0
      ? route.abort()
      : route.fulfill({ status, json: { error: { code: 'FAILED', message: 'the reason' } } }),
  )
}

function readOf(page, what) {
  if (what === 'aria') return page.locator('body').ariaSnapshot()
  if (what === 'clipboard') return page.evaluate(() => navigator.clipboard.readText())
  if (what === 'focus') return page.evaluate(nameOfFocus)
  if (what === 'overflow') return page.evaluate(overflowing)
  if (what === 'contrast') return page.evaluate(lowContrasts)
  // biome-ignore lint/performance/useDomNodeTextContent: what a person reads, with its spaces
  return page.locator(what).first().innerText()
}

function nameOfFocus() {
  const { activeElement: at } = document
  const label = document.getElementById(at?.getAttribute('aria-labelledby') ?? '')
  return at?.getAttribute('aria-label') ?? (label ?? at)?.textContent?.trim() ?? ''
}

/** The elements that are wider than the window and in no part that scrolls. */
function overflowing() {
  const isScrolling = (element) => element.closest('.why-picture, pre') !== null
  return [...document.querySelectorAll('.why *')]
    .filter((element) => !isScrolling(element))
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return left < -1 || right > innerWidth + 1
    })
    .map((element) => element.className || element.tagName)
}

/** Texts whose contrast with their background is below 4.5. */
function lowContrasts() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number)
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => {
      const part = value / 255
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const box = at.matches('.why-box') ? at.querySelector('rect') : undefined
      const { backgroundColor, fill } = getComputedStyle(box ?? at)
      if (box) return fill
      const [, , , alpha = 1] = channels(backgroundColor)
      if (alpha === 1) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  return [...document.querySelectorAll('.why *')].filter(hasText).flatMap((element) => {
    const style = getComputedStyle(element)
    const color = element instanceof SVGElement ? style.fill : style.color
    const values = [luminance(color), luminance(backgroundOf(element))].sort((a, b) => b - a)
    const contrast = (values[0] + 0.05) / (values[1] + 0.05)
    return contrast < 4.5 ? [`${element.textContent.trim()}: ${contrast.toFixed(2)}`] : []
  })
}
