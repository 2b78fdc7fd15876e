import { expect } from 'chai'
import { Attempts } from '../../../src/core/explain/attempts.ts'
import { type Changes, changesFor } from '../../../src/core/explain/search.ts'
import { resolve } from '../../../src/core/resolve/index.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { enable } from '../../helpers/brute-force.ts'
import { feature, provider } from '../../helpers/plugins.ts'

/** Searches after other searches have done more than twice the work that all may do together. */
async function foundLate(plugin: AnyPlugin): Promise<Changes> {
  const lamp = feature('lamp', { defaultEnabled: false, tags: ['light'] })
  const plugins = [provider('p'), lamp, plugin]
  const attempts = new Attempts(plugins, {}, {}, await resolve(plugins, {}))
  // Each search begins with the unchanged config.
  await attempts.try([])
  attempts.observer.spent = 1_000_000
  return changesFor(plugin, attempts)
}

describe('the search for a change after others took all the work', () => {
  it('is still done for a plugin whose tags alone decide', async () => {
    expect(await foundLate(feature('f', { requires: ['light'] }))).to.deep.equal({
      change: [[enable('lamp')]],
    })
  })

  it('is not begun for a plugin that decides itself, and says so', async () => {
    const isEnabled = (_: object, tags: ReadonlySet<string>) => tags.has('light')
    expect(await foundLate(feature('f', { isEnabled }))).to.deep.equal({
      change: null,
      searched: 0,
    })
  })
})
