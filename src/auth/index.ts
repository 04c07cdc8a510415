/**
 * Authentication: OAuth, browser sessions, sign-in and sign-up, two-factor authentication and the
 * account settings pages. It imports moderation and everything before that. Start with
 * `oauth/token_store.ts` and `sessions/`.
 */
export {}
