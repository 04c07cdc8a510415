/**
 * Becoming a user and proving it: OAuth, sessions, signing in and up, second factors, the settings pages of an account.
 * It imports moderation and what stands before it. Begin with `oauth/token_store.ts` and `sessions/`.
 */
export {}
