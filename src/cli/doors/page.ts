export * from '@braidwork/page'
