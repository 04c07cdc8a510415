/** Local objects as documents for other servers (federation.md, sections 2 to 6). */
export { showActor, showNote } from './show.ts'
