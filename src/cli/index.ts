/**
 * The operator's command line, `npm run ctl`, and seed data. It imports every district. Start with
 * `program.ts`.
 */
export {}
