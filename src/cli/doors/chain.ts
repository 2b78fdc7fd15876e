export type { Resolution } from '@braidwork/core'
export {
  answer,
  bindRequest,
  type ChainRequest,
  type EnabledPlugins,
  type Mode,
  type Outcome,
  type Prepared,
  prepare,
  type Resolved,
  type ResolveOptions,
  resolve,
  type Sink,
  send,
  stream,
} from '@braidwork/core/internal'
export { HostError } from '@braidwork/plugin'
