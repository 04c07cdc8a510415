import { c, query, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { domainInAscii } from '../../core/parse_url.ts'

/**
 * A preview card as text, cut where status and viewer data is inserted. The pieces are joined in
 * this order: url `head` authors `body`, and then the viewer's data.
 */
export interface CardFragment {
  readonly id: Id
  readonly url: string
  readonly head: string
  readonly author: { readonly name: string; readonly url: string }
  /** The account that the page names as its author. */
  readonly creatorId: Id | null
  /** Whether that account allows pages of this domain to name it. */
  readonly isConfirmed: boolean
  readonly body: string
}

const findCards = query(
  'statuses/preview_cards/fragments',
  { ids: c.ids },
  {
    id: c.id,
    url: c.text,
    page_url: c.text,
    type: c.text,
    title: c.text,
    description: c.text,
    language: c.nullable(c.text),
    author_name: c.text,
    author_url: c.text,
    creator_account_id: c.nullable(c.id),
    creator_domains: c.nullable(c.texts),
    provider_name: c.text,
    provider_url: c.text,
    html: c.text,
    width: c.integer,
    height: c.integer,
    image_key: c.nullable(c.text),
    image_description: c.text,
    embed_url: c.text,
    blurhash: c.nullable(c.text),
    published_at: c.nullable(c.timestamp),
  },
)

type CardRow = Row<typeof findCards.columns>

/**
 * The rendered preview cards of this server process, until they are fetched again or their author's
 * account changes.
 */
export const cardFragments: (services: Services) => EventCache<CardFragment> = perServer(services => {
  const creators = new Set<Id>()
  /** The accounts that have changed during each load under way. */
  const loads = new Set<Set<Id>>()
  // The account may have withdrawn its consent to be named. Few pages name an author, and authors
  // seldom change, so the cards of an author are not indexed.
  function ofCreator({ account_id: account }: { account_id: Id }): 'all' | [] {
    for (const changed of loads) changed.add(account)
    return creators.delete(account) ? 'all' : []
  }

  /** A change of an author that comes after the rows drops them, also before they are kept. */
  async function load(ids: Id[]): Promise<Map<Id, CardFragment>> {
    const changed = new Set<Id>()
    loads.add(changed)
    const rows = await services.database.run(findCards, { ids }).finally(() => loads.delete(changed))
    for (const { creator_account_id: creator } of rows) if (creator !== null) creators.add(creator)
    const old = rows.filter(({ creator_account_id: creator }) => creator !== null && changed.has(creator))
    const fragments = new Map(rows.map(row => [row.id, toFragment(row, services)]))
    if (old.length === 0) return fragments
    return new Map([...fragments, ...(await load(old.map(({ id }) => id)))])
  }

  return eventCache<CardFragment>(services, {
    name: 'preview_cards',
    load,
    drops: {
      'preview_card.changed': event => [event.object_id],
      'account.changed': ofCreator,
      'account.deleted': ofCreator,
      'user.changed': ofCreator,
    },
  })
})

/** The members of an object as JSON, without the braces. */
const members = (object: object): string => JSON.stringify(object).slice(1, -1)

function toFragment(row: CardRow, { storage }: Services): CardFragment {
  const { author_name: name, author_url: url } = row
  return {
    id: row.id,
    url: row.url,
    head: members({
      title: row.title,
      description: row.description,
      language: row.language,
      type: row.type,
      author_name: name,
      author_url: url,
    }),
    author: { name, url },
    creatorId: row.creator_account_id,
    isConfirmed: isOfDomains(row.page_url, row.creator_domains ?? []),
    body: members({
      provider_name: row.provider_name,
      provider_url: row.provider_url,
      html: row.html,
      width: row.width,
      height: row.height,
      image: row.image_key === null ? null : storage.url(row.image_key),
      image_description: row.image_description,
      embed_url: row.embed_url,
      blurhash: row.blurhash,
      published_at: row.published_at,
    }),
  }
}

/** Whether the host of a URL is one of these domains or a subdomain of one. */
function isOfDomains(url: string, domains: readonly string[]): boolean {
  const { hostname } = new URL(url)
  return domains
    .map(domainInAscii)
    .some(domain => domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`)))
}
