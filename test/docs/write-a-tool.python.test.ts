import { describeGuide } from './plugin-guide.ts'

describeGuide('docs/write-a-tool.md', 4)
