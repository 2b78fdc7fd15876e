import { didYouMean } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Member } from './team.ts'

/** Whom a piece of work is for. What is absent decides nothing. */
export interface Wanted {
  readonly agent?: string | undefined
  readonly type?: string | undefined
  readonly capability?: string | undefined
}

/**
 * The member that gets a piece of work: the one with the id, else of the type, else one that says it can, else the
 * default. Of several it is the one with the fewest capabilities, and of these the first by name. AL-19
 * @throws {HostError} AGENT_NOT_FOUND
 */
export function dispatchTo<T extends Omit<Member, 'canLead'>>(
  wanted: Wanted,
  members: readonly T[],
  byDefault?: string,
): T {
  const { agent, type, capability } = wanted
  const able = ({ capabilities = [] }: T) =>
    capability !== undefined && capabilities.includes(capability)
  const found =
    members.find(({ id }) => id === agent) ??
    leastAble(members.filter((one) => type !== undefined && one.type === type)) ??
    leastAble(members.filter(able)) ??
    members.find(({ id }) => id === byDefault)
  if (found) return found
  const message = `No member of the team fits ${JSON.stringify(wanted)}.${meant(agent, members)} ${membersOf(members)}`
  throw new HostError('AGENT_NOT_FOUND', message)
}

/** Why another member gets the work than the one that was wanted first. Undefined if it is that one. */
export function dispatchNote<T extends Omit<Member, 'canLead'>>(
  wanted: Wanted,
  { id, type: own, capabilities = [] }: T,
  members: readonly T[],
): string | undefined {
  const { agent, type, capability } = wanted
  const asked = `"${id}" was asked. ${membersOf(members)}`
  if (agent === id) return undefined
  if (agent !== undefined)
    return `There is no other member "${agent}".${meant(agent, members)} ${asked}`
  const isAble = capability !== undefined && capabilities.includes(capability)
  const isFirst = type === undefined ? capability === undefined || isAble : own === type
  if (isFirst) return undefined
  const fault = isAble ? `has the type "${type}"` : `fits ${JSON.stringify(wanted)}`
  return `No member ${fault}, so ${asked}`
}

function meant(agent: string | undefined, members: readonly Pick<Member, 'id'>[]): string {
  if (agent === undefined) return ''
  return didYouMean(
    agent,
    members.map(({ id }) => id),
  )
}

function membersOf(members: readonly Omit<Member, 'canLead'>[]): string {
  return `The members are: ${members.map(aboutDispatch).join('; ')}.`
}

function leastAble<T extends Omit<Member, 'canLead'>>(members: readonly T[]): T | undefined {
  const count = ({ capabilities = [] }: T) => capabilities.length
  return members.toSorted(
    (one, other) => count(one) - count(other) || (one.id < other.id ? -1 : 1),
  )[0]
}

function aboutDispatch({ id, type, capabilities = [] }: Omit<Member, 'canLead'>): string {
  const kind = type === undefined ? [] : [`of the type "${type}"`]
  const able = capabilities.length > 0 ? [`can do ${capabilities.join(', ')}`] : []
  const about = [...kind, ...able].join(', ')
  return about === '' ? id : `${id} (${about})`
}
