export * from '@braidwork/testing'
