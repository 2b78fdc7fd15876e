export { addMcp } from './mcp-commands.ts'
