/** Teams: agents that work together under a leader, and share what they know. AL-13 */
export { childTools, teamToolNames, toolsOf } from './child-tools.ts'
export { memoryContext } from './shared.ts'
export { electable, type Member, type Team } from './team.ts'
export { memberToolNames } from './team-tools.ts'
