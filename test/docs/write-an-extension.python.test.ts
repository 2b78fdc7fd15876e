import { describeGuide } from './plugin-guide.ts'

describeGuide('docs/write-an-extension.md', 6)
