/** A tool plugin for the UI walk. */
const text = { type: 'string' }
export default {
  kind: 'tool',
  name: 'walk',
  providedTags: [],
}
