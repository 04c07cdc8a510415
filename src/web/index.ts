/**
 * Pages for people without a client: profiles, posts, the landing page, embeds, short URLs of files. It imports
 * timelines and what stands before it. Begin with `public/`.
 */
export {}
