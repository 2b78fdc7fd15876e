export { CopyButton } from './copy-button.tsx'
export {
  focusComposer,
  focusMessage,
  focusMessageBefore,
  type Press,
  useFocus,
  useReturn,
} from './focus.ts'
export { Icon } from './icon.tsx'
export { IconButton } from './icon-button.tsx'
export { Notice } from './notice.tsx'
