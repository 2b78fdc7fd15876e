import { freePort } from '../../scripts/free-port.ts'
import { LAUNCH } from '../browser/program.ts'

const PEERS = new URL('../peers/node_modules/', import.meta.url)
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

/** What Lighthouse gives a page, by category: at most 1. */
export type Scores = { readonly [category in (typeof CATEGORIES)[number]]: number }

/** The part of the results of Lighthouse that is used. */
interface Results {
  readonly lhr: {
    readonly categories: { readonly [category: string]: { readonly score: number | null } }
    readonly runtimeError?: { readonly message: string }
  }
}

type Lighthouse = (url: string, flags: object) => Promise<Results | undefined>

interface Playwright {
  readonly chromium: { launch(options: object): Promise<{ close(): Promise<void> }> }
}

/** Has Lighthouse load a page as a slow phone does, in a browser of its own without a network, and tells its scores. */
export async function lighthouseScores(url: string): Promise<Scores> {
  const { default: lighthouse } = await peer<{ readonly default: Lighthouse }>(
    'lighthouse/core/index.js',
  )
  const { chromium } = await peer<Playwright>('playwright-core/index.mjs')
  const port = await freePort()
  const loopback = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'
  const args = [...LAUNCH.args, `--remote-debugging-port=${port}`, loopback]
  const browser = await chromium.launch({ ...LAUNCH, args })
  try {
    const results = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'error' })
    const { categories = {}, runtimeError } = results?.lhr ?? {}
    if (runtimeError) throw new Error(runtimeError.message)
    const scores = CATEGORIES.map((name) => [name, categories[name]?.score ?? 0])
    return Object.fromEntries(scores) as Scores
  } finally {
    await browser.close()
  }
}

async function peer<T>(path: string): Promise<T> {
  return (await import(new URL(path, PEERS).href)) as T
}
