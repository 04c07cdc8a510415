import { isShortcode } from '../../media/custom_emojis/index.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { hostOf, idOf, isObject, listOf, textOf, typesOf } from '../protocol/index.ts'

const store = query(
  'federation/remote_accounts/store_emojis',
  { domain: c.text, shortcodes: c.texts, uris: c.texts, urls: c.texts },
  { events: c.events },
)

/** The maximum number of emojis read from one document. */
const MAX_EMOJIS = 100
const MAX_URL_LENGTH = 2048

interface RemoteEmoji {
  readonly uri: string
  readonly url: string
}

/** The URL of an emoji's image: `icon` is a URL, or an object that contains it. */
function iconUrl(icon: unknown): string | undefined {
  const [first] = listOf(icon)
  const url = isObject(first) ? (textOf(first['url']) ?? idOf(first['url'])) : textOf(first)
  return url !== undefined && url.length <= MAX_URL_LENGTH && hostOf(url) !== undefined ? url : undefined
}

function readEmojis(tags: unknown): ReadonlyMap<string, RemoteEmoji> {
  const found = new Map<string, RemoteEmoji>()
  for (const tag of listOf(tags)) {
    if (found.size >= MAX_EMOJIS) break
    if (!isObject(tag) || !typesOf(tag).includes('Emoji')) continue
    const shortcode = textOf(tag['name'])?.replace(/^:|:$/g, '') ?? ''
    const url = iconUrl(tag['icon'])
    if (isShortcode(shortcode) && url !== undefined) found.set(shortcode, { uri: idOf(tag) ?? '', url })
  }
  return found
}

/**
 * Stores the custom emojis among a document's tags; call it before the texts that use them are
 * stored. Pictures of known emojis do not change more often than every five minutes.
 */
export async function storeEmojis(runner: Runner, domain: string, tags: unknown): Promise<void> {
  const emojis = readEmojis(tags)
  if (emojis.size === 0) return
  await runner.run(store, {
    domain,
    shortcodes: [...emojis.keys()],
    uris: [...emojis.values()].map(({ uri }) => uri),
    urls: [...emojis.values()].map(({ url }) => url),
  })
}
