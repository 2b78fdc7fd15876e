export { addAgents } from './agent-commands.ts'
