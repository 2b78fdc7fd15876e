export * from '@braidwork/plugin'
