/** Parts that several of the staff's pages share: accounts, statuses, notes, lists paged by ids. */
export { cursors, cutPage, rangeOf, type Cursors } from './id_pages.ts'
export { lossFacts, lossSentences } from './losses.ts'
export { noteList } from './note_html.ts'
export { loadPeople, loadStatuses, personLink, personOr, statusPath, type Shown } from './people.ts'
export { removableList } from './removable_list.ts'
export { actionLabel } from './strike_html.ts'
