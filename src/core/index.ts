/**
 * Facts and types that depend on nothing: errors, ids, limits, configuration, the signed-in viewer
 * and its permissions, HTML templates, text. Any module may import it; it imports only itself.
 * Begin with `errors.ts`, which lists every error that a client may see, and `viewer.ts`.
 */
export {}
