/** The log of moderators' actions. */
export { readLog } from './entries.ts'
export { entryCells, logColumns } from './entry_html.ts'
