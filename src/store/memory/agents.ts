import type { AgentStorage, StoredAgent } from '../../agent/storage/index.ts'
import { byName } from '../by-name.ts'
import { agentNameTaken, agentUnknown } from '../faults.ts'
import type { Tables } from './tables.ts'

export function memoryAgents({ agents }: Tables): AgentStorage {
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
    upsert: async (agent) => {
      claim(agent)
      agents.set(agentKey(agent.owner, agent.id), agent)
    },
    rename: async (owner, id, name, now) => {
      const agent = agents.get(agentKey(owner, id))
      if (!agent) throw agentUnknown(id)
      const renamed = { ...agent, name, updatedAt: now }
      claim(renamed)
      agents.set(agentKey(owner, id), renamed)
    },
    delete: async (owner, id) => agents.delete(agentKey(owner, id)),
  }
}

export function agentKey(owner: string, id: string): string {
  return JSON.stringify([owner, id])
}
