import type { Config } from '../core/config.ts'
import manifest from '../../package.json' with { type: 'json' }

/** The version of the API that is spoken; clients detect features by it. */
export const MASTODON_API_VERSION = 11
export const MILLRACE_VERSION: string = manifest.version
/**
 * The version of Mastodon whose API is spoken, with ours as the metadata of a build: clients read it as a semantic version, and some do
 * so strictly (semver.org, item 10).
 */
export const VERSION = `4.7.0+millrace-${MILLRACE_VERSION.replaceAll('+', '-')}`

const REPOSITORY: unknown = 'repository' in manifest ? manifest.repository : undefined

/** Where the source code is, as the package says (a URL, or an object with one); else the server itself, whose operator can be asked. */
export function sourceUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  const named =
    typeof REPOSITORY === 'object' && REPOSITORY !== null && 'url' in REPOSITORY ? REPOSITORY.url : REPOSITORY
  return typeof named === 'string' ? named.replace(/^git\+/, '').replace(/\.git$/, '') : `${publicUrl}/`
}
