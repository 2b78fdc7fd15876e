import { VERSION } from '@braidwork/plugin'
import type { ListedModel } from '../index.ts'

export interface CardOptions {
  /** The address of the agent's endpoint, absolute. */
  readonly url: string
  /** Whether callers have to send a token. */
  readonly isSecured: boolean
  /** Whether the server posts the updates of tasks. */
  readonly hasNotifications: boolean
}

const MODES = ['text/plain', 'application/json', 'image/*', 'application/pdf']

/**
 * Writes the card of an agent, for version 1.0 and, in members of their own, for version 0.3. Clients of one version
 * ignore the members of the other.
 */
export function agentCard(
  agent: ListedModel,
  { url, isSecured, hasNotifications }: CardOptions,
): object {
  const { name, title = name, description = `The agent "${name}" of a Braidwork server.` } = agent
  const jsonRpc = { url, protocolBinding: 'JSONRPC' }
  return {
    name,
    description,
    version: VERSION,
    supportedInterfaces: [
      { ...jsonRpc, protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { ...jsonRpc, protocolVersion: '0.3' },
    ],
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: {
      streaming: true,
      pushNotifications: hasNotifications,
      extendedAgentCard: false,
    },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [{ id: name, name: title, description, tags: ['chat'] }],
    ...(isSecured ? SECURED : {}),
  }
}

const SECURED = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      httpAuthSecurityScheme: { scheme: 'bearer' },
    },
  },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  security: [{ bearer: [] }],
}
