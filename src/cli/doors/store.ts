export * from '@braidwork/store'
