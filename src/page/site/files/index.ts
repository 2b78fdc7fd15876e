export { FileView } from './file-view.tsx'
export { save } from './save.ts'
