import type { Config } from '../core/config.ts'
import manifest from '../../package.json' with { type: 'json' }

/** The version of the supported API; clients detect features by it. */
export const MASTODON_API_VERSION = 11
export const MILLRACE_VERSION: string = manifest.version
/**
 * The Mastodon version whose API is supported, with this server's version as build metadata:
 * clients parse it as a semantic version, some of them strictly (semver.org, item 10).
 */
export const VERSION = `4.7.0+millrace-${MILLRACE_VERSION.replaceAll('+', '-')}`

const REPOSITORY: unknown = 'repository' in manifest ? manifest.repository : undefined

/**
 * The URL of the source code from package.json (a string or an object); else the server's own,
 * whose operator can be asked.
 */
export function sourceUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  const named =
    typeof REPOSITORY === 'object' && REPOSITORY !== null && 'url' in REPOSITORY ? REPOSITORY.url : REPOSITORY
  return typeof named === 'string' ? named.replace(/^git\+/, '').replace(/\.git$/, '') : `${publicUrl}/`
}
