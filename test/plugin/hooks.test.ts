import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { HOOKS_PATH, hooksPage } from '../../scripts/hooks-page.ts'
import { HOOKS, VALUES } from '../../src/plugin/index.ts'

describe('HOOKS', () => {
  it('name no hook and no value twice, in either language', () => {
    const names = [...Object.keys(HOOKS), ...Object.keys(VALUES)]
    const python = [
      ...Object.values(HOOKS).flatMap((hook) => [...hook.python]),
      ...Object.values(VALUES).map((value) => value.python),
    ]
    expect(new Set(names).size).to.equal(names.length)
    expect(new Set(python).size).to.equal(python.length)
  })

  it("give the usual Python name as the hook's own, in snake_case", () => {
    for (const [name, { python }] of Object.entries({ ...HOOKS, ...VALUES })) {
      const usual = typeof python === 'string' ? python : python[0]
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      expect(usual).to.equal(snake)
    }
  })

  it('are what docs/hooks.md says; run "npm run docs" where this fails', () => {
    expect(readFileSync(HOOKS_PATH, 'utf8')).to.equal(hooksPage())
  })
})
