export { addStore } from './store-commands.ts'
