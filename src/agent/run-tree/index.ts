/** Trees of runs as values over the stored runs: the states of agents, which agents there are, and what they returned. */
export {
  type AgentState,
  type AgentTransition,
  agentMoved,
  agentState,
  pendingAgent,
  type TrackedAgent,
  trackedAgent,
} from './agent-state.ts'
export { AgentRegistry, type RegistryOptions, TIMES_TO_LIVE } from './registry.ts'
export {
  type CollectedRequest,
  type CollectedResult,
  ResultCollector,
} from './result-collector.ts'
export { runsBelow, type TreeAgent, treeBelow } from './run-tree.ts'
