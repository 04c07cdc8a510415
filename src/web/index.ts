/**
 * Pages for visitors without a client: profiles, posts, the landing page, embeds, short URLs of
 * files. It imports timelines and everything before that. Start with `public/`.
 */
export {}
