/** The agents of a server: those that its config declares, and those that its admins stored. */
export { type DeclaredAgents, unknownAgents } from './declared-agents.ts'
export { type ServerAgents, serverAgents } from './server-agents.ts'
export { storedSchema } from './stored-schema.ts'
export { type Expected, SPECS_OWNER, type StoredSpecs } from './stored-specs.ts'
