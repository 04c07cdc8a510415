/**
 * Assembles the server: parts in the order they start, all operations and jobs, worker processes.
 * It imports every district except cli. Start with `server.ts`.
 */
export {}
