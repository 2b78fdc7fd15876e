import { join } from 'node:path'
import { expect } from 'chai'
import { KINDS } from '../../src/plugin/kinds.ts'
import type { Python } from '../../src/python/venvs/find-python.ts'
import { CHECKS } from '../../src/testing/checks/index.ts'
import { pythonOf } from '../helpers/python.ts'
import { ROOT } from '../helpers/source-files.ts'
import { NO_JSONSCHEMA, runWithKit, suitesOf } from './python-suite.ts'
import { ONLY_IN_HOST } from './suite-names.ts'

const PLANTED = join(ROOT, 'test', 'testing', 'planted', 'python')

/** The checks of each kind, as pairs of name and link. */
const NAMES = `
import json
from braidwork.testing.suite.checks import CHECKS
print(json.dumps({kind: [[check.name, check.about] for check in checks] for kind, checks in CHECKS.items()}))
`

describe('the suite in Python', function () {
  this.timeout(60_000)
  let python: Python
  before(async function () {
    python = await pythonOf(this)
  })

  it('has the checks of the suite in TypeScript, with their names, links and order', async () => {
    const own = JSON.parse(await runWithKit(python, ['-c', NAMES])) as {
      readonly [kind: string]: readonly (readonly [name: string, about: string])[]
    }
    for (const kind of KINDS) {
      const shared = CHECKS[kind].filter(({ name }) => !(name in ONLY_IN_HOST[kind]))
      const pairs = shared.map(({ name, about }) => [name, about])
      expect(own[kind], kind).to.deep.equal(pairs)
      expect(pairs.length, kind).to.be.at.least(40)
      const all = CHECKS[kind].map(({ name }) => name)
      expect(all).to.include.members(Object.keys(ONLY_IN_HOST[kind]))
    }
  })

  it('fails for a plugin of another kind, and skips all other checks', async () => {
    const [result] = await suitesOf(python, [{ kind: 'tool', path: join(PLANTED, 'loud.py') }])
    expect(result?.failed).to.deep.equal(['loads without a diagnostic'])
    const reasons = new Set(Object.values(result?.skipped ?? {}))
    expect([...reasons]).to.deep.equal(['the plugin does not pass "loads without a diagnostic"'])
  })

  it('names the missing package where schemas cannot be checked', async () => {
    const blocked = `
import json, sys
sys.modules["jsonschema"] = None
from braidwork.testing.suite import Options, Suite
suite = Suite("tool", ${JSON.stringify(join(PLANTED, 'sums.py'))}, Options())
print(json.dumps({check.name: check.run() for check in suite.checks}))
`
    const results = JSON.parse(await runWithKit(python, ['-c', blocked])) as object
    expect(results).to.have.property('has tool schemas that compile', NO_JSONSCHEMA)
  })
})
