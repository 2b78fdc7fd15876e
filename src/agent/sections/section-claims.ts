import { COMPACTION_SCHEMA } from '../compaction/index.ts'
import { RETRY_SCHEMA } from '../retry/index.ts'
import { PERMISSION_SCHEMA } from './permission-section.ts'

/** Says who reads a section of an agent's spec, and what it may hold. */
export interface SectionClaim {
  /** The plugin that reads the section; {@link RUNTIME} for the runtime itself. */
  readonly plugin: string
  /** A JSON Schema (2020-12). */
  readonly schema: { readonly [key: string]: unknown }
}

/** Claims by the name of the section. */
export type SectionClaims = ReadonlyMap<string, SectionClaim>

/** The name under which the runtime claims its own sections. */
const RUNTIME = 'runtime'

/** The sections that the runtime itself reads. AW-06 */
export const RUNTIME_CLAIMS: SectionClaims = new Map([
  ['compaction', { plugin: RUNTIME, schema: COMPACTION_SCHEMA }],
  ['retry', { plugin: RUNTIME, schema: RETRY_SCHEMA }],
  ['permission', { plugin: RUNTIME, schema: PERMISSION_SCHEMA }],
])
