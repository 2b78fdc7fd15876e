export { Composer } from './composer.tsx'
export { begunIn, draftOf, hasContent } from './draft.ts'
