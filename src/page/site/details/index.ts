export { Details } from './details.tsx'
