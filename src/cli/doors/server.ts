export * from '@braidwork/server'
