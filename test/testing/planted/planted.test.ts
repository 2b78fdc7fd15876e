import { expect } from 'chai'
import type { Kind } from '../../../src/plugin/kinds.ts'
import type { SuiteOptions } from '../../../src/testing/index.ts'
import { EXTENSION } from './correct-extension.ts'
import { PROVIDER, WORDS_API } from './correct-provider.ts'
import { EXTENSIONS } from './extensions.ts'
import { FEATURE, FEATURES } from './features.ts'
import { failing, type Planted } from './planted.ts'
import { PROVIDERS } from './providers.ts'
import { TOOL, TOOL_OPTIONS, TOOLS } from './tools.ts'

function describePlanted<P>(
  kind: Kind,
  correct: P,
  planted: readonly Planted<P>[],
  options: SuiteOptions = {},
): void {
  describe(`the suite of a ${kind}`, () => {
    it('passes a correct one', async () => {
      expect(await failing(kind, correct, options)).to.deep.equal([])
    })

    for (const { bug, caught, plant } of planted)
      it(`catches ${bug}`, async () => {
        expect(await failing(kind, plant(correct), options)).to.deep.equal(caught)
      })
  })
}

describePlanted('provider', PROVIDER, PROVIDERS, { api: WORDS_API })
describePlanted('extension', EXTENSION, EXTENSIONS)
describePlanted('feature', FEATURE, FEATURES)
describePlanted('tool', TOOL, TOOLS, TOOL_OPTIONS)
