import { describeShipped } from './shipped-checks.ts'

// The model of smollm takes many times as long as all others together.
describeShipped('every shipped plugin', (name) => name !== 'smollm')
