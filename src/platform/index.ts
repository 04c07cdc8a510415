/**
 * The mechanisms: database, event log, HTTP, streaming, jobs, caches, storage, e-mail, outgoing
 * requests, metrics, page layout. It knows nothing of accounts or statuses and imports only core.
 * Begin with `http/operation.ts`, the declaration of an operation, and `events/log.ts`, the event
 * log.
 */
export {}
