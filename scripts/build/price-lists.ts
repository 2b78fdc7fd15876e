import { mkdir, rm, writeFile } from 'node:fs/promises'
import { allPriceLists } from '../../providers/model-api/price-lists.ts'

const DIST = 'providers/model-api/dist'
/** Such an id is a file name on every system. */
const ID = /^[a-z\d][\w.-]*$/

/**
 * Replaces the module that reads @pydantic/genai-prices with the library's price lists as data, a file for each company,
 * so that a program loads no library and one list.
 */
export async function compilePriceLists(): Promise<void> {
  await rm(`${DIST}/price-lists`, { recursive: true, force: true })
  await mkdir(`${DIST}/price-lists`)
  const loaders: string[] = []
  for (const [id, models] of await allPriceLists()) {
    if (!ID.test(id)) throw new Error(`The id "${id}" of a price list cannot be a file name.`)
    // V8 parses JSON faster than an object literal.
    const text = JSON.stringify(JSON.stringify(models))
    await writeFile(`${DIST}/price-lists/${id}.js`, `export default JSON.parse(${text})\n`)
    loaders.push(`  ${JSON.stringify(id)}: () => import('./price-lists/${id}.js'),`)
  }
  await writeFile(`${DIST}/price-lists.js`, moduleOf(loaders))
}

function moduleOf(loaders: readonly string[]): string {
  return `const LISTS = {
${loaders.join('\n')}
}

export async function priceListOf(id) {
  return Object.hasOwn(LISTS, id) ? (await LISTS[id]()).default : undefined
}
`
}
