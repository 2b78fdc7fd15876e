export * from '@braidwork/ai-sdk'
