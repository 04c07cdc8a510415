/** Asks other servers what they say about themselves. */
export { peersOf, visitServer, type VisitedServer } from './visit_server.ts'
