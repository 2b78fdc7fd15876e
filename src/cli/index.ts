/** The doors of the host and of its agent loop, under one name. */
export * from '@braidwork/agent'
export * from '@braidwork/core'
