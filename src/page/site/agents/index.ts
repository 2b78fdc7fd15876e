export { Agents } from './agents.tsx'
