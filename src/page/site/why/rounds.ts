import { type Explained, type State, stateOf } from './documents.ts'
import type { Edge } from './edges.ts'

/** The last round that took a plugin out; 0 if none did. */
export function lastRoundOf(plugins: readonly Explained[]): number {
  return Math.max(0, ...plugins.filter(isBlocked).map(({ round }) => round))
}

/** The states of plugins after a round: what a later one took out was still on. After round 0, all candidates are on. */
export function statesAfter(
  plugins: readonly Explained[],
  after: number,
): ReadonlyMap<string, State> {
  return new Map(
    plugins.map((one) => [one.plugin, isBlocked(one) && one.round > after ? 'on' : stateOf(one)]),
  )
}

/** An edge as it was then: a tag that a plugin provided later plugins with, while both were on, was in use. */
export function edgeThen(edge: Edge, states: ReadonlyMap<string, State>): Edge {
  const wasInUse = states.get(edge.from) === 'on' && states.get(edge.to) === 'on'
  return wasInUse && edge.need === 'required' ? { ...edge, live: true } : edge
}

function isBlocked(explained: Explained): boolean {
  return stateOf(explained) === 'blocked'
}
