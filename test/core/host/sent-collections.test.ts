import { expect } from 'chai'
import fc from 'fast-check'
import type { CallerTool, ConfigLayer, Host } from '../../../src/core/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { hasShared, SHARED_IS_MISSING } from '../../helpers/recordings.ts'
import {
  CONFORMANCE_IS_MISSING,
  conformanceSchemas,
  hasConformance,
  recordedSchemas,
  settingsSchemas,
} from '../../helpers/schema-collections.ts'
import { toolsOf } from '../../hostile/linear/histories.ts'
import { leaf, objects, schemas as schemasToFill } from '../../providers/scripted/schemas.ts'
import { assertSame, hostOffering, someConfigs, titleOf } from './sent-tools.ts'

interface Collection {
  readonly title: string
  readonly schemas: () => readonly JsonObject[] | Promise<readonly JsonObject[]>
  /** How many there are at least. */
  readonly least: number
  /** What the title of a skipped test says; nothing where the collection is there. */
  readonly missing?: string | undefined
}

const COLLECTIONS: readonly Collection[] = [
  {
    title: 'of the conformance schemas',
    schemas: conformanceSchemas,
    least: 19,
    missing: hasConformance ? undefined : CONFORMANCE_IS_MISSING,
  },
  {
    title: 'of the tools in recorded answers',
    schemas: recordedSchemas,
    least: 13,
    missing: hasShared ? undefined : SHARED_IS_MISSING,
  },
  { title: 'of the settings of shipped plugins', schemas: settingsSchemas, least: 18 },
  {
    title: 'that the scripted provider fills',
    schemas: () => [
      ...fc.sample(objects(leaf), 20),
      ...fc.sample(objects(schemasToFill(2)), 20),
      ...fc.sample(schemasToFill(2), 20),
    ],
    least: 60,
  },
  {
    title: 'of long lists of tools',
    schemas: () => toolsOf(40).map(({ input_schema }) => input_schema),
    least: 40,
  },
]

/** How many tools a request has: few, so that some are strict where a request has room for a few strict ones. */
const FEW = 4

function groupsOf(schemas: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const count = Math.ceil(schemas.length / FEW)
  return Array.from({ length: count }, (_, at) => schemas.slice(at * FEW, (at + 1) * FEW))
}

function broughtAlong(schemas: readonly JsonObject[]): readonly CallerTool[] {
  return schemas.map((input_schema, at) => {
    const own = { name: `own${at}`, description: 'Acts', input_schema }
    // A client runs the calls of some, the host those of the others.
    return at % 2 === 0 ? own : { ...own, execute: () => 'done' }
  })
}

for (const [row, { title, schemas: collected, least, missing }] of COLLECTIONS.entries()) {
  describe(`the tools of a request, with the schemas ${title}`, () => {
    let host: Host
    let all: readonly JsonObject[]
    let schemas: readonly JsonObject[] = []
    before(async function () {
      if (missing !== undefined) return
      this.timeout(30_000)
      all = await collected()
      host = await hostOffering(() => schemas)
    })
    after(() => host?.close())

    async function compare(config: ConfigLayer, own: readonly JsonObject[]): Promise<void> {
      schemas = own
      await assertSame(host, config, broughtAlong(own))
    }

    for (const [at, config] of sampled(someConfigs(row), 4, row).entries()) {
      it(`are those that toolSchemas shows: ${titleOf(config)}`, async function () {
        if (missing !== undefined) {
          this.test!.title += missing
          return this.skip()
        }
        expect(all).to.have.length.at.least(least)
        await compare(config, all)
        for (const few of sampled(groupsOf(all), 6, at)) await compare(config, few)
      })
    }
  })
}
