export { deleteItem } from './delete-item.ts'
export { pageOf } from './page.ts'
export { itemsOnPath, type PathItem } from './path-items.ts'
export { itemsOfConversation, itemsOfRequest, knownItems } from './stored-items.ts'
