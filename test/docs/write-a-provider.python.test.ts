import { describeGuide } from './plugin-guide.ts'

describeGuide('docs/write-a-provider.md', 16)
