import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Id } from '../../core/id.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer, type Services } from '../../platform/services.ts'

const SEEDS = 100
const TIMEOUT_MS = 5000
const MAX_BYTES = 64 * 1024
const MAX_KEPT = 2000
const KEPT_MS = 60 * 60 * 1000
/**
 * How long the absence of a campaign is cached, so that a slow provider is not asked at each start
 * of a client.
 */
const NONE_KEPT_MS = 60 * 1000

/** 0 to 99, constant for an account: providers use it to show a campaign to a part of the users. */
export const seedOf = (account: Id): number => createHash('sha256').update(account).digest().readUInt32BE(0) % SEEDS

/** The text, if it is a JSON object. */
function objectIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : null
  } catch {
    // A response that is not JSON counts as no campaign.
    return null
  }
}

async function ask({ config, outgoing, logger }: Services, seed: number, locale: string): Promise<string | null> {
  if (config.donationUrl === undefined) return null
  const url = new URL(config.donationUrl)
  url.searchParams.set('platform', 'web')
  url.searchParams.set('seed', String(seed))
  url.searchParams.set('locale', locale)
  if (config.donationEnvironment !== undefined) url.searchParams.set('environment', config.donationEnvironment)
  try {
    const headers = { accept: 'application/json' }
    const { status, body, complete } = await outgoing.request(url.href, {
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    return status === 200 && complete ? objectIn(body.toString('utf8')) : null
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    logger.warn({ err: error }, 'the provider of donation campaigns did not answer')
    return null
  }
}

/**
 * Campaigns by seed and locale as the provider's JSON; null if there is none. Each is requested
 * once an hour.
 */
export const campaigns = perServer(services => {
  const cache = new LRUCache<string, { campaign: string | null }>({
    max: MAX_KEPT,
    async fetchMethod(key, _stale, { options }) {
      const [seed = '', ...locale] = key.split(' ')
      const campaign = await ask(services, Number(seed), locale.join(' '))
      options.ttl = campaign === null ? NONE_KEPT_MS : KEPT_MS
      return { campaign }
    },
  })
  return {
    find: async (seed: number, locale: string): Promise<string | null> =>
      (await cache.fetch(`${seed} ${locale}`))?.campaign ?? null,
  }
})
