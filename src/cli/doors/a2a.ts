export * from '@braidwork/a2a'
