/**
 * Measures the page in a browser: how long a conversation of 5,000 messages takes to open, and the frames and layout shifts while an
 * answer of 200 tokens a second comes, and one with 50 calls, and what Lighthouse gives it without and with a conversation.
 * npm run page-measures, on a quiet machine.
 */

import { lighthouseScores } from '../test/page/lighthouse.ts'
import { CALLS, MEASURED_SCRIPT } from '../test/page/measured-script.ts'
import { Browser, type Page } from '../test/page/open-page.ts'
import { dialog, ServedPage } from '../test/page/served-page.ts'

const MESSAGES = 5000
const ANSWER = 'A **bold** answer with `code`:\n\n- one\n- two\n\n```js\nconst answer = 42\n```\n'

/** Writes down each frame, and each task that holds up the page for 50 ms and more. */
const WATCH = `
  window.frames_ = []
  window.tasks_ = []
  window.shifts_ = []
  let last = performance.now()
  const tick = (now) => {
    frames_.push(now - last)
    last = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  new PerformanceObserver((list) => tasks_.push(...list.getEntries().map((one) => one.duration)))
    .observe({ entryTypes: ['longtask'] })
  new PerformanceObserver((list) => shifts_.push(...list.getEntries().map((one) => one.value)))
    .observe({ type: 'layout-shift' })
`
const WATCHED = `(() => {
  const frames = frames_.toSorted((left, right) => left - right)
  const at = (part) => frames[Math.floor(frames.length * part)]
  return { frames: frames.length, median: at(0.5), p95: at(0.95), longestTask: Math.max(0, ...tasks_),
    shift: shifts_.reduce((sum, one) => sum + one, 0) }
})()`
/** The time from the beginning of the navigation until the first messages are drawn, in milliseconds. */
const OPENED = `new Promise((done) => {
  const drawn = () => requestAnimationFrame(() => setTimeout(() => done(performance.now())))
  const look = () => (document.querySelector('.message') ? drawn() : setTimeout(look, 5))
  look()
})`
const IS_ANSWERED = `!document.querySelector('[aria-label="Stop"]') && !!document.querySelector('.message:not(.own) .usage')`

interface Watched {
  readonly frames: number
  readonly median: number
  readonly p95: number
  readonly longestTask: number
  /** The sum of all layout shifts, as browsers score them. */
  readonly shift: number
}

const round = (ms: number) => ms.toFixed(0).padStart(5)

function line(name: string, { frames, median, p95, longestTask, shift }: Watched): string {
  const times = `median ${round(median)} ms, p95 ${round(p95)} ms, longest task ${round(longestTask)} ms, layout shift ${shift.toFixed(3)}`
  return `${name.padEnd(44)} ${String(frames).padStart(5)} frames, ${times}`
}

async function watched(page: Page, question: string): Promise<Watched> {
  await page.waitForSelector('option', { state: 'attached' })
  await page.evaluate(WATCH)
  await page.fill('.composer textarea', question)
  await page.keyboard.press('Enter')
  await page.waitForSelector('[aria-label="Stop"]')
  while (!(await page.evaluate<boolean>(IS_ANSWERED)))
    await new Promise((done) => setTimeout(done, 100))
  return page.evaluate<Watched>(WATCHED)
}

/** The scores of Lighthouse in hundredths, as its own page shows them. */
async function scoresLine(name: string, url: string): Promise<string> {
  const scores = Object.entries(await lighthouseScores(url))
  const texts = scores.map(([category, score]) => `${category} ${(100 * score).toFixed(0)}`)
  return `${name.padEnd(44)} ${texts.join(', ')}`
}

const served = await ServedPage.start({ script: MEASURED_SCRIPT, delay: 5 })
const browser = await Browser.launch()
try {
  const long = await served.store('long', dialog(MESSAGES, ANSWER))
  const times: number[] = []
  for (let count = 0; count < 5; count++) {
    times.push(await (await browser.open(long)).evaluate<number>(OPENED))
  }
  const [least = 0, , median = 0] = times.toSorted((left, right) => left - right)
  console.log(`opens ${MESSAGES} messages: median ${round(median)} ms, least ${round(least)} ms`)
  console.log(line('200 tokens a second', await watched(await browser.open(served.url), 'long')))
  const below = await browser.open(long)
  await below.waitForSelector('.message')
  console.log(line(`the same below ${MESSAGES} messages`, await watched(below, 'long')))
  console.log(line(`${CALLS} calls`, await watched(await browser.open(served.url), 'calls')))
  console.log(await scoresLine('Lighthouse', served.url))
  const told = await served.store('told', dialog(20, ANSWER))
  console.log(await scoresLine('Lighthouse with a conversation', told))
  if (browser.faults.length > 0) throw new Error(`The console tells: ${browser.faults.join('\n')}`)
} finally {
  await browser.close()
  await served.close()
}
