import manifest from '../../package.json' with { type: 'json' }

/** The version of the API that is spoken; clients detect features by it. */
export const MASTODON_API_VERSION = 11
export const MILLRACE_VERSION: string = manifest.version
/** Begins like Mastodon's, because clients parse it. */
export const VERSION = `4.7.0 (compatible; Millrace ${MILLRACE_VERSION})`
export const SOURCE_URL = 'https://github.com/millrace/millrace'
