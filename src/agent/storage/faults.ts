import { HostError } from '@braidwork/plugin'

export function conversationExists(id: string): HostError {
  const name = id.slice(0, 100)
  return new HostError('CONVERSATION_EXISTS', `The conversation "${name}" already exists.`)
}

export function conversationUnknown(id: string): HostError {
  return new HostError('CONVERSATION_UNKNOWN', `There is no conversation "${id.slice(0, 100)}".`)
}

export function entryUnknown(id: string): HostError {
  return new HostError('ENTRY_UNKNOWN', `The conversation has no entry "${id.slice(0, 100)}".`)
}

export function runUnknown(id: string): HostError {
  return new HostError('RUN_UNKNOWN', `There is no run "${id.slice(0, 100)}".`)
}

export function agentUnknown(id: string): HostError {
  return new HostError('AGENT_UNKNOWN', `There is no agent "${id.slice(0, 100)}".`)
}

export function agentNameTaken(name: string): HostError {
  return new HostError(
    'AGENT_NAME_TAKEN',
    `Another agent already has the name "${name.slice(0, 100)}".`,
  )
}
