import type { ConfigLayer, Host } from '@braidwork/core'
import { declarationsOf } from '../phases/index.ts'
import { RUNTIME_CLAIMS, type SectionClaims } from '../sections/index.ts'
import type { AgentSpec } from '../specs/index.ts'

/**
 * Says who reads the sections of an agent: the runtime, and the features that are on for it. AW-06. Only a section that
 * is not the runtime's needs the config opened.
 * @throws {HostError} ENVIRONMENT_BUILD, and the errors of `host.open`
 */
export async function claimsFor(
  host: Host,
  { sections = {} }: AgentSpec,
  config: ConfigLayer,
): Promise<SectionClaims> {
  if (Object.keys(sections).every((name) => RUNTIME_CLAIMS.has(name))) return RUNTIME_CLAIMS
  using opened = await host.open(config)
  const declared = await declarationsOf(opened.features())
  const claims = [...declared.sections].map(
    ([name, { plugin, value: schema }]) => [name, { plugin, schema }] as const,
  )
  return new Map([...claims, ...RUNTIME_CLAIMS])
}
