/** The named places of a run where features have hooks: phases, state keys, scheduled actions and effects. */
export { type Declarations, declarationsOf } from './declarations.ts'
export { type PhaseFacts, Phases, type PhasesParts } from './phases.ts'
