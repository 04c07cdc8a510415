/**
 * Where other servers deliver: requests are checked at once, and processed by jobs. Start with
 * `operations.ts`.
 */
export {}
