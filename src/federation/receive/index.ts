/**
 * What other servers send: activities become statuses, follows and events. Start with
 * `receive.ts`.
 */
export { receiveActivity } from './receive.ts'
export { resolveStatus } from './take_note.ts'
