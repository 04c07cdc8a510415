/**
 * The operator's command line, `npm run ctl`, and the data that it can seed. It imports every district. Begin with
 * `program.ts`.
 */
export {}
