export { Composer } from './composer.tsx'
export { attachedTo, draftOf, hasContent } from './draft.ts'
