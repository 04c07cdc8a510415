/** Components shared by the staff's pages: accounts, statuses, notes, lists paged by ids. */
export { cursors, toIdPage, toRange, type Cursors } from './id_pages.ts'
export { lossFacts, lossSentences } from './losses.ts'
export { noteList } from './note_html.ts'
export {
  loadAccounts,
  loadStatuses,
  accountLink,
  accountLinkOr,
  statusPath,
  type LoadedEntities,
} from './loaded_entities.ts'
export { removableList } from './removable_list.ts'
export { actionLabel } from './strike_html.ts'
