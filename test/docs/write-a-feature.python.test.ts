import { describeGuide } from './plugin-guide.ts'

describeGuide('docs/write-a-feature.md', 4)
