import { memory } from './backends.ts'
import { describeGrowth } from './growth/describe-growth.ts'

describeGrowth(memory)
