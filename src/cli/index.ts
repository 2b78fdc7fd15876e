/** The public exports of the host and of its agent loop, in one module. */
export * from '@braidwork/agent'
export * from '@braidwork/core'
