import {
  type AgentStorage,
  agentNameTaken,
  agentUnknown,
  byName,
  type StoredAgent,
} from '../storage/index.ts'
import type { Tables } from './tables.ts'
import { charge, jsonBytes } from './usage.ts'

export function memoryAgents(tables: Tables): AgentStorage {
  const { agents } = tables
  const sizeOf = (key: string): number => {
    const agent = agents.get(key)
    return agent ? jsonBytes(agent.spec) : 0
  }
  const named = (owner: string, name: string): StoredAgent | undefined =>
    [...agents.values()].find((agent) => agent.owner === owner && agent.name === name)
  const claim = ({ owner, name, id }: StoredAgent): void => {
    const other = named(owner, name)
    if (other && other.id !== id) throw agentNameTaken(name)
  }
  return {
    list: async (owner) =>
      [...agents.values()].filter((agent) => agent.owner === owner).sort(byName),
    load: async (owner, id) => agents.get(agentKey(owner, id)),
    loadByName: async (owner, name) => named(owner, name),
    upsert: async (agent, check) => {
      const key = agentKey(agent.owner, agent.id)
      check?.(agents.get(key))
      claim(agent)
      charge(tables, agent.owner, { bytes: jsonBytes(agent.spec) - sizeOf(key) })
      agents.set(key, agent)
    },
    rename: async (owner, id, to, check) => {
      const agent = agents.get(agentKey(owner, id))
      if (!agent) throw agentUnknown(id)
      check?.(agent)
      const renamed = { ...agent, ...to }
      claim(renamed)
      agents.set(agentKey(owner, id), renamed)
    },
    delete: async (owner, id, check) => {
      const key = agentKey(owner, id)
      const before = agents.get(key)
      if (before) check?.(before)
      charge(tables, owner, { bytes: -sizeOf(key) })
      return agents.delete(key)
    },
  }
}

export function agentKey(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}
