import { expect } from 'chai'
import { KINDS, type Kind } from '../../../src/plugin/kinds.ts'
import { type SuiteOptions, suiteOf } from '../../../src/testing/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { EXTENSION } from './correct-extension.ts'
import { PROVIDER, WORDS_API } from './correct-provider.ts'
import { EXTENSION_ANSWERS } from './extension-answers.ts'
import { EXTENSION_HOOKS } from './extension-hooks.ts'
import { EXTENSION_VALUES } from './extension-values.ts'
import { FEATURE, FEATURES } from './features.ts'
import { failing, type Planted } from './planted.ts'
import { PROVIDER_ANSWERS } from './provider-answers.ts'
import { PROVIDER_REQUESTS } from './provider-requests.ts'
import { TOOL, TOOL_OPTIONS, TOOLS } from './tools.ts'

const PROVIDERS = [...PROVIDER_REQUESTS, ...PROVIDER_ANSWERS]
const EXTENSIONS = [...EXTENSION_VALUES, ...EXTENSION_HOOKS, ...EXTENSION_ANSWERS]

function describePlanted<P>(
  kind: Kind,
  correct: P,
  planted: readonly Planted<P>[],
  options: SuiteOptions = {},
): void {
  describe(`the suite for the kind ${kind}`, () => {
    it('passes a correct one', async () => {
      expect(await failing(kind, correct, options)).to.deep.equal([])
    })

    for (const { bug, caught, perhaps = [], plant, options: more } of sampled(planted, 20, 19))
      it(`catches ${bug}`, async () => {
        const found = await failing(kind, plant(correct), { ...options, ...more })
        expect(found.filter((name) => !perhaps.includes(name))).to.deep.equal(caught)
      })
  })
}

describe('the suites', () => {
  it('have at least 40 checks for each kind, each with a name of its own', () => {
    for (const kind of KINDS) {
      const names = suiteOf(kind, {}).checks.map(({ name }) => name)
      expect(names.length, kind).to.be.at.least(40)
      expect([...new Set(names)]).to.deep.equal(names)
    }
  })

  it('are held to account by at least 60 bugs, in checks that there are', () => {
    const kinds = { provider: PROVIDERS, extension: EXTENSIONS, feature: FEATURES, tool: TOOLS }
    expect(Object.values(kinds).flat().length).to.be.at.least(60)
    for (const kind of KINDS) {
      const names = suiteOf(kind, {}).checks.map(({ name }) => name)
      expect(names).to.include.members(kinds[kind].flatMap(({ caught }) => caught))
    }
  })
})

describePlanted('provider', PROVIDER, PROVIDERS, { api: WORDS_API })
describePlanted('extension', EXTENSION, EXTENSIONS)
describePlanted('feature', FEATURE, FEATURES)
describePlanted('tool', TOOL, TOOLS, TOOL_OPTIONS)
