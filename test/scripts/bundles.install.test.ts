import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

const PROGRAM = fileURLToPath(new URL('./provider-outcomes.ts', import.meta.url))

interface Outcome {
  readonly name: string
  readonly status?: number
  readonly code?: string
  readonly messages?: readonly unknown[]
}

/** Runs the program with the packages as this file of settings for tsx leads to them. */
function outcomesWith(tsconfig: string): readonly Outcome[] {
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, tsconfig) }
  const text = execFileSync(process.execPath, ['--import', 'tsx', PROGRAM], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  return JSON.parse(text) as readonly Outcome[]
}

describe('the bundles of the providers', function () {
  this.timeout(60_000)

  it('answer and fail as the sources do, with the parts of the SDKs that they have', () => {
    const fromSources = outcomesWith('tsconfig.json')
    const fromBundles = outcomesWith('scripts/tsconfig.bundled.json')
    expect(fromBundles).to.deep.equal(fromSources)
    const answered = fromBundles.filter(({ status }) => status === 200)
    expect(answered.map(({ code, messages }) => [code, messages?.length])).to.deep.equal([
      [undefined, 1],
      [undefined, 1],
      [undefined, 1],
    ])
    const failed = fromBundles.filter(({ status = 200 }) => status !== 200)
    expect(failed.filter(({ code }) => code === undefined)).to.deep.equal([])
    expect(new Set(failed.map(({ code }) => code)).size).to.be.greaterThan(3)
  })
})
