import { didYouMean, faultFinderOf, listed } from '@braidwork/core/internal'
import { HostError, pointerOf } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import { type SpecFault, withFaults } from '../spec-faults.ts'
import type { SectionClaims } from './section-claims.ts'

/** The sections of an agent's spec, by name. */
export type Sections = { readonly [name: string]: { readonly [key: string]: unknown } }

/** A section that nobody reads. */
export interface UnclaimedSection {
  readonly name: string
  readonly message: string
}

/**
 * Checks the sections of an agent against the schemas of those that claim them. AW-06
 * @returns the sections that nobody claims
 * @throws {HostError} INVALID_PLUGIN_CONFIG with the plugin, all faults of the section, and a pointer to the first
 */
export async function checkSections(
  agent: string,
  sections: Sections,
  claims: SectionClaims,
): Promise<readonly UnclaimedSection[]> {
  const unclaimed: UnclaimedSection[] = []
  for (const [name, section] of Object.entries(sections)) {
    const claim = claims.get(name)
    if (!claim) unclaimed.push({ name, message: unclaimedMessage(name, [...claims.keys()]) })
    else {
      const faults = (await faultFinderOf(claim.schema))(section)
      if (faults.length > 0) throw invalid({ agent, name, plugin: claim.plugin }, faults)
    }
  }
  return unclaimed
}

function unclaimedMessage(name: string, known: readonly string[]): string {
  const shown = name.slice(0, 100)
  return `No plugin of the agent reads the section "${shown}", which is possibly a typing error; the known ones are ${listed(known)}.${didYouMean(name, known)}`
}

interface Place {
  readonly agent: string
  readonly name: string
  readonly plugin: string
}

function invalid({ agent, name, plugin }: Place, inSection: readonly SpecFault[]): HostError {
  const at = pointerOf(['sections', name])
  const faults = inSection.map((fault) => ({ ...fault, pointer: `${at}${fault.pointer}` }))
  const texts = faults.map(({ pointer, message }) => `at ${pointer}: ${asSentence(message)}`)
  const head = `The section "${name}" of the agent "${agent}" is not valid`
  const [first = ''] = texts
  const message = texts.length === 1 ? `${head} ${first}` : [`${head}:`, ...texts].join('\n- ')
  const facts = { plugin, pointer: faults[0]?.pointer ?? at }
  return withFaults(new HostError('INVALID_PLUGIN_CONFIG', message, facts), faults)
}
