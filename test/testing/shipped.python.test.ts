import { describeShipped } from './shipped-checks.ts'

describeShipped('the shipped plugin smollm', (name) => name === 'smollm')
