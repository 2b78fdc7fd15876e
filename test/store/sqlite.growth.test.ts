import { sqlite } from './backends.ts'
import { describeGrowth } from './growth/describe-growth.ts'

describeGrowth(sqlite())
