export * from '@braidwork/agent'
