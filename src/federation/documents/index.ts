/** Local objects as documents for other servers (federation.md, sections 2 to 6). */
export { activityObject } from './activity.ts'
export { actorObject, findActor, placesOf } from './actor.ts'
export { addressesOf } from './addresses.ts'
export { withContext } from './context.ts'
export { noteObject } from './note.ts'
export { findNotes } from './note_row.ts'
export { authorOf, uriOfReference, type StatusReference } from './reference.ts'
export { showActor, showNote } from './show.ts'
