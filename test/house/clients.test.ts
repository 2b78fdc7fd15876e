import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { APPS, folderOf } from '../apps/apps.ts'
import { CLIENTS_PATH, clientsPage } from '../apps/page.ts'
import { CASES, type Line, readResults, versionsOf } from '../apps/results.ts'

describe('docs/clients.md', () => {
  const results = readResults()

  it('is made from the results of the applications; run "npm run apps" or "npm run docs" where this fails', () => {
    expect(readFileSync(CLIENTS_PATH, 'utf8')).to.equal(clientsPage(results))
  })

  it('has results for each application, with the versions of its lockfile', () => {
    expect(Object.keys(results)).to.have.members(APPS.map(({ name }) => name))
    for (const app of APPS)
      expect(results[app.name]?.versions, app.name).to.deep.equal(versionsOf(app))
  })

  it('has an outcome for each case of each API, and a reason for what does not work', () => {
    const lines = Object.values(results).flatMap((result) => result.lines)
    expect(lines.length).to.be.above(300)
    for (const { outcome, why } of lines) if (outcome !== 'works') expect(why).to.be.a('string')
    for (const { lines: own, notRun } of Object.values(results)) {
      if (notRun === undefined) expect(casesByApi(own)).to.deep.equal(allCasesByApi(own))
    }
  })

  it('has a program for each application', () => {
    for (const app of APPS) {
      const program = join(folderOf(app), app.language === 'python' ? 'app.py' : 'app.mjs')
      expect(existsSync(program), program).to.equal(true)
    }
  })

  it('numbers the reasons and names what was not run', () => {
    const [app] = APPS
    const line = (name: string, outcome: Line['outcome'], why?: string): Line => ({
      api: 'Some API',
      case: name,
      outcome,
      ...(why ? { why } : {}),
    })
    const lines = [
      line('plain', 'works'),
      line('streamed', 'fails', 'it broke'),
      line('stop', 'cannot', 'it lacks this'),
    ]
    const page = clientsPage({ [app!.name]: { versions: { [app!.name]: '1.2.3' }, lines } })
    expect(page).to.include('| Some API | yes | no <sup>1</sup> | no <sup>2</sup> |')
    expect(page).to.include('| – <sup>3</sup> |')
    expect(page).to.include('1. It broke.')
    expect(page).to.include(`${app!.name} 1.2.3`)
    expect(page).to.include(`- ${APPS[1]!.name} (Python): not tried yet.`)
  })
})

function casesByApi(lines: readonly Line[]): object {
  const of = (wanted: string) => lines.filter(({ api }) => api === wanted)
  return Object.fromEntries(
    lines.map(({ api }) => [
      api,
      of(api)
        .map((line) => line.case)
        .toSorted(),
    ]),
  )
}

function allCasesByApi(lines: readonly Line[]): object {
  return Object.fromEntries(lines.map(({ api }) => [api, CASES.toSorted()]))
}
