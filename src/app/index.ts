/**
 * Puts a server together: the parts in the order they start, every operation and job, worker processes. It imports
 * every district but cli. Begin with `server.ts`.
 */
export {}
