export { addPlugins } from './plugin-commands.ts'
